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
  attention: 'الانتباه',
  head: 'الرأس',
  sameModel: 'ما زال A وB النموذج نفسه. غيّر أحدهما في عناصر التحكم: أضف مثلًا نافذة إلى أقنعته، أو أطفئ رأسًا في '
    + 'الأسفل. ويبقى النموذج في الجانب الآخر كما هو الآن.',
  otherMaps: 'هذه الخريطة هي نفسها في A وB. وأول خريطة تختلف في «{ $module }».',
  nextWords: 'الكلمات التالية في A وB',
  token: 'الرمز',
  computing: 'يُحسب …',
  moved: 'ما لا يقل عن { $value } من الاحتمال على كلمات مختلفة في A وB (التباين الكلي؛ 1 هو كل شيء).',
};
