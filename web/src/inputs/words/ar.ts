// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  outside: 'خارج ما تعلّمه النموذج:',
  outsideMeans: 'لم يُدرَّب النموذج قط على مُدخل كهذا، فقد يكون جوابه خطأ.',
  forms: 'أنواع الجمل التي تعلّمها النموذج',
  wrong: 'هذا الجواب خطأ، والصواب «{ $right }».',
};
