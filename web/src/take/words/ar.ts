// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  figure: 'القياس والعناوين',
  title: 'عنوان الشكل',
  none: 'بلا عنوان',
  width: 'العرض بالسنتيمتر',
  asDrawn: 'كما رُسم',
  type: 'حجم الخط بالنقاط',
  oneScale: 'مقياس واحد للكل',
  bothSides: 'جانبا المقارنة',
  panel: 'عنوان «{ $name }»',
  sized: '{ $width } × { $height } سم. حجم الخط { $type } نقطة. عرض ملف PNG هو { $pixels } بكسل، 300 في البوصة.',
  smallest: 'أصغر خط حجمه { $type } نقطة.',
  tooNarrow: 'لا مكان للأسماء بهذا العرض. زد عرض الشكل أو صغّر الخط.',
  bounds: 'أدخل عددًا من { $least } إلى { $most }.',
};
