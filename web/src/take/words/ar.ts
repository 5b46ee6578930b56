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
  sides: 'جانبا المقارنة', bothSides: 'A وB', onlySide: '{ $side } فقط',
  panel: 'عنوان «{ $name }»',
  sized: '{ $width } × { $height } سم. حجم الخط { $type } نقطة. عرض ملف PNG هو { $pixels } بكسل، 300 في البوصة.',
  smallest: 'أصغر خط حجمه { $type } نقطة.',
  tooNarrow: 'لا مكان للأسماء بهذا العرض. زد عرض الشكل أو صغّر الخط.',
  lettering: 'نص SVG', outlines: 'خطوط خارجية', text: 'نص',
  outlinesNote: 'تبدو الخطوط الخارجية متشابهة في كل برنامج، حتى حيث لا يوجد خط هذه الصفحة.',
  textNote: 'يمكن تحديد النص والبحث فيه. يعرضه المتصفح بخط هذه الصفحة الموجود في الملف. أما البرامج الأخرى فتستعمل '
    + 'خطها، وقد تختلف العروض في بعضها.',
  pdfNote: 'للحصول على PDF افتح ملف SVG في متصفح واطبعه إلى ملف.',
  savedAs: 'حُفظ باسم «{ $name }».',
  madeBy: 'حُسب بواسطة { $program }.',
  seedIs: 'البذرة العشوائية: { $seed }.',
  sourceOpens: 'المصدر هو الرابط الذي يفتح المستند.',
  citeTitle: 'للاستشهاد بهذه الصفحة:',
  cite: '{ $name }، الإصدار { $version }.',
  licence: 'الرخصة: { $id }',
  bounds: 'أدخل عددًا من { $least } إلى { $most }.',
};
