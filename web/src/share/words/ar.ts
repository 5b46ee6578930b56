// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'رمز QR للرابط',
  called: 'رمز QR لرابط هذه الصفحة',
  enlarge: 'املأ النافذة',
  smaller: 'أغلق رمز QR الكبير',
  save: 'احفظ رمز QR',
  file: 'رمز QR',
  tooLong: `طول الرابط ${plural('n', {
    zero: '0 بايت', one: 'بايت واحد', two: 'بايتان', few: '# بايتات', many: '# بايتًا',
    other: '# بايت' })}، ورمز QR يتسع لـ { $most } على الأكثر. أرسل الرابط أو الملف.`,
};
