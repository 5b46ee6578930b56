// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  title: 'كل الرؤوس',
  count: plural('heads', { zero: 'لا خرائط انتباه', one: 'خريطة انتباه واحدة', two: 'خريطتا انتباه',
    few: '# خرائط انتباه', many: '# خريطة انتباه', other: '# خريطة انتباه' }),
  find: 'ابحث عن رؤوس',
  findHelp: 'كل نقطة رأس واحد. اختر مقياسًا لتقييم كل رأس.',
  finds: 'الطبقة { $layer }، الرأس { $head } من { $heads } من الرؤوس: { $measure } { $value }.',
  none: 'ليس لأي رأس عدد بهذا المقياس: هذه الوحدات لا تُظهره.',
  help: 'تنقل الأسهم بين الرؤوس، ويذهب Home وEnd إلى طرفي الطبقة، وتختار الأرقام مقياسًا، ويفتح Enter الرأس.',
  inOrder: 'رتّبها في قائمة واحدة',
  inPlace: 'العودة إلى الطبقات والرؤوس',
  layerNumber: 'الطبقة { $layer }',
  place: '{ $layer }.{ $head }',
  says: 'الطبقة { $layer }، الرأس { $head }؛ { $measure } { $value }، المرتبة { $rank } من { $heads }.',
  saysNone: 'الطبقة { $layer }، الرأس { $head }؛ لا عدد لمقياس { $measure }.',
  highest: 'الأعلى: { $place }',
  lowest: 'الأدنى: { $place }',
  noNumber: 'لا عدد',
  bits: '{ $value } بت',
  most: 'رُسم أعلى { $shown } رأسًا مرتبةً من { $heads }.',
  names: {
    previous: 'الوحدة السابقة', first: 'الوحدة الأولى', itself: 'الوحدة نفسها', same: 'الوحدة نفسها في موضع آخر',
    induction: 'الاستقراء', entropy: 'الإنتروبيا',
  },
  what: {
    previous: 'متوسط الوزن على الوحدة السابقة مباشرة.',
    first: 'متوسط الوزن على الوحدة الأولى. الرأس الذي يضع معظم وزنه هناك له مصرف.',
    itself: 'متوسط وزن الوحدة على نفسها.',
    same: 'متوسط الوزن على وحدات مساوية في مواضع أخرى، للوحدات التي تتكرر.',
    induction: 'متوسط الوزن على ما تلا الوحدة نفسها من قبل، للوحدات التي سبق ورودها. '
      + 'الرأس ذو العدد العالي يستطيع النسخ.',
    entropy: 'متوسط إنتروبيا الصف: 0 بت حين تنتبه كل وحدة إلى وحدة واحدة فقط.',
  },
};
