// SPDX-License-Identifier: Apache-2.0
import { ofWords } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  looksUp: `يبحث هذا النموذج عن الكلمات في قائمته التي تتكون من ${ofWords('n')}.`,
  numbersUnused: 'يقرأ كلمات هذا الجدول فقط. الأعداد لا تُستعمل.',
  noWords: 'في هذا الجدول أعداد بلا كلمات، وهذا النموذج لا يقرأ إلا الكلمات. أضف عمودًا فيه الكلمات.',
  weightsMissing: 'يحتاج هذا المستند إلى الأوزان المدرَّبة «{ $names }»، وهي ليست في الملف ولا في هذا المتصفح. اطلب من '
    + 'المرسل ملفًا يحتوي عليها، أو درّب النموذج مرة أخرى.',
};
