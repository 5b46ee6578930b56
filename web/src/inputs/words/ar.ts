// SPDX-License-Identifier: Apache-2.0
import { kinds } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  outside: 'خارج ما تعلّمه النموذج:',
  outsideMeans: 'لم يُدرَّب النموذج قط على مُدخل كهذا، ولا جواب صحيح يُقارَن به.',
  outsideWords: 'جوابه هو نفسه لأي كلمة أخرى يجهلها في ذلك الموضع.',
  outsideForm: `يعرف النموذج كل كلمة هنا، لكن هذه الجملة ليست من أنواع الجمل التي تعلّمها: ${kinds('forms')}. ولا ${
    ''}جواب صحيح يُقارَن به.`,
  forms: 'أنواع الجمل التي تعلّمها النموذج',
  wrong: 'هذا الجواب خطأ، والصواب «{ $right }».',
  unable: 'لا يستطيع النموذج بعد تغييرك أن يكتب جوابًا جديدًا.',
  unableMeans: 'الكلمات أعلاه جوابه قبل التغيير، وتبيّن الخريطة إلامَ تنتبه كل كلمة منها الآن.',
};
