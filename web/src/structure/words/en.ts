// SPDX-License-Identifier: Apache-2.0
import { message } from '../../strings/message.ts';
export const words = {
  later: 'Dashed: what one step passes to the next.',
  takes: 'takes',
  from: 'from',
  gives: 'gives to',
  wire: message((from: string, to: string) => ({ from, to }), '{ $from } gives to { $to }'),
  wireAs: message((from: string, to: string, what: string[]) => ({ from, to, what }),
    '{ $from } gives to { $to }: { $what }'),
};
