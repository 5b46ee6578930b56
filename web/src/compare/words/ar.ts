// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  hidden: `${either('sides', { A: 'A: محجوبة في A', B: 'B: محجوبة في B', AB: 'AB: محجوبة في كليهما' })}، ${
    plural('cells', { zero: 'لا خلايا', one: 'خلية واحدة', two: 'خليتان', few: '# خلايا', many: '# خلية',
      other: '# خلية' })}`,
  rowLargest: 'أكبر المفاتيح وزنًا في A أو B، { $shown } من { $all }، والأكبر أولًا',
  lastShown: 'خريطة { $side } هي آخر خريطة أمكن حسابها.',
  without: 'بدون { $name }',
};
