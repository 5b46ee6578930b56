// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  title: 'كل الرؤوس',
  count: plural('heads', { zero: 'لا خرائط انتباه', one: 'خريطة انتباه واحدة', two: 'خريطتا انتباه',
    few: '# خرائط انتباه', many: '# خريطة انتباه', other: '# خريطة انتباه' }),
  find: 'ابحث عن رؤوس',
  findHelp: 'كل نقطة رأس واحد. اختر مقياسًا لتقييم كل رأس.',
  finds: 'الأول بين { $heads } من الرؤوس: الطبقة { $layer }، الرأس { $head }، { $measure } { $value }.',
  none: 'بهذه الرموز ليس لأي رأس عدد بهذا المقياس.',
  help: 'تنقل الأسهم بين الرؤوس، ويذهب Home وEnd إلى طرفي الطبقة، وتختار الأرقام مقياسًا، ويفتح Enter الرأس.',
  inOrder: 'رتّبها في قائمة واحدة',
  inPlace: 'العودة إلى الطبقات والرؤوس',
  layerNumber: 'الطبقة { $layer }',
  place: 'ط{ $layer } ر{ $head }',
  placeSaid: 'الطبقة { $layer }، الرأس { $head }',
  noShares: 'الأعداد في هذه الخرائط ليست حصصًا من الانتباه: بعضها سالب، أو يزيد مجموع أحد الصفوف على 1. '
    + 'لا ينطبق عليها أي مقياس للرؤوس.',
  says: 'الطبقة { $layer }، الرأس { $head }؛ { $measure } { $value }، المرتبة { $rank } من { $heads }.',
  saysNone: 'الطبقة { $layer }، الرأس { $head }؛ لا عدد لمقياس { $measure }.',
  highest: 'الأعلى: { $place }',
  lowest: 'الأدنى: { $place }',
  noNumber: 'لا عدد',
  bits: '{ $value } بت',
  most: 'رُسم أعلى { $shown } رأسًا مرتبةً من { $heads }.',
  names: {
    previous: 'الرمز السابق', first: 'الرمز الأول', itself: 'الرمز نفسه', same: 'الرمز نفسه في موضع آخر',
    induction: 'الاستقراء', entropy: 'الإنتروبيا',
  },
  what: {
    previous: 'متوسط الوزن على الرمز السابق مباشرة.',
    first: 'متوسط الوزن على الرمز الأول. الرأس الذي يضع معظم وزنه هناك له مصرف.',
    itself: 'متوسط وزن الرمز على نفسه.',
    same: 'متوسط الوزن على المواضع الأخرى للرمز نفسه، للرموز التي تتكرر.',
    induction: 'متوسط الوزن على الرمز الذي تلا نسخة سابقة من الرمز نفسه، للرموز التي لها نسخة كهذه. '
      + 'الرأس ذو القيمة العالية يستطيع النسخ.',
    entropy: 'متوسط إنتروبيا الصف: 0 بت حين ينتبه كل رمز إلى رمز واحد فقط.',
  },
};
