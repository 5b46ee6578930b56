// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

export const words = {
  outside: 'Outside what the model learned:',
  outsideMeans: 'the model was never trained on an input like this one. There is no right answer to compare with.',
  outsideWords: 'its answer is the same for any other unknown word in that position.',
  outsideForm: message((forms: number) => ({ forms }),
    `the model knows each word, but this sentence is ${plural('forms', { one: 'not of the kind',
      other: 'of none of the # kinds' })} that it learned. There is no right answer to compare with.`),
  forms: 'The kinds of sentences that the model learned',
  wrong: message((right: string) => ({ right }), 'This answer is wrong. The right one is “{ $right }”.'),
  unable: 'With your change the model cannot write a new answer.',
  unableMeans: 'The words above are its answer from before,'
    + ' and the map shows what each of them attends to now.',
} as const;
