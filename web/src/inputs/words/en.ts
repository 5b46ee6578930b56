// SPDX-License-Identifier: Apache-2.0
import { message } from '../../strings/message.ts';

export const words = {
  outside: 'Outside what the model learned:',
  outsideMeans: 'the model was never trained on an input like this one, so its answer may be wrong.',
  forms: 'The kinds of sentences that the model learned',
  wrong: message((right: string) => ({ right }), 'This answer is wrong. The right one is “{ $right }”.'),
} as const;
