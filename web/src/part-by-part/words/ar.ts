// SPDX-License-Identifier: Apache-2.0
import { parts } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  choose: 'قارن جزءًا جزءًا مع',
  about: 'يضع نظامين جنبًا إلى جنب: أجزاءهما وإعداداتهما وأشكالهما، مع إبراز الفروق.',
  none: 'اختر نظامًا',
  opened: '{ $title } كما فُتح',
  same: 'سواء في الاثنين',
  differs: 'مختلف',
  onlyA: 'في A فقط',
  onlyB: 'في B فقط',
  nothing: 'لا شيء',
  allSame: 'لـ { $a } و{ $b } الأجزاء نفسها.',
  heading: `{ $a } و{ $b }: يختلفان في ${parts('differ')} من { $parts }.`,
  lead: 'اختر جزءًا مختلفًا لتقرأ ما يفعله. ويمكنك أيضًا أن تعطي A هذا الجزء وتُبقي سائر A؛ عندئذ لا تتغير إلا '
    + 'الخريطة.',
  inSome: 'في { $count } من { $of }',
  times: '× { $count }',
  give: 'أعطِ A هذا الجزء',
  onlyDifferences: 'أظهر الأجزاء المختلفة فقط',
  all: 'أظهر كل الأجزاء',
  map: '{ $side }: { $module }',
  layer: 'الخريطة',
  on: 'مشغّل',
  off: 'مطفأ',
  column: 'لا شيء',
  columnNote: 'العمود الأول هو الوزن الذي لم ينله مفتاح.',
  noMap: 'لا خريطة لهذا الجانب هنا.',
  failed: 'لا يمكن حساب «{ $title }» هنا: { $why }',
  words: 'يقرأ الاثنان الكلمات نفسها.',
  otherWords: 'يقرأ B كلماته هو، لأنه لا يعرف كلمات A.',
  untrained: 'غير مدرَّب',
  listed: 'الأجزاء جنبًا إلى جنب',
};
