// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  later: 'الخطوط المتقطّعة: نتائج تسلّمها كل خطوة إلى التي تليها.',
  takes: 'يأخذ',
  from: 'من',
  of: '{ $what } في { $name }',
  gives: 'يغذّي',
  wire: '{ $from } يغذّي { $to }',
  wireAs: '{ $from } يغذّي { $to }: { $what }',
};
