// SPDX-License-Identifier: Apache-2.0
import { message } from '../../strings/message.ts';
export const words = {
  later: 'Dashed lines: results that one step passes to the next.',
  takes: 'takes',
  from: 'from',
  of: message((what: string, name: string) => ({ what, name }), '{ $what } of { $name }'),
  gives: 'feeds',
  wire: message((from: string, to: string) => ({ from, to }), '{ $from } feeds { $to }'),
  wireAs: message((from: string, to: string, what: string[]) => ({ from, to, what }),
    '{ $from } feeds { $to }: { $what }'),
};
