// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  unknown: 'ليس في هذه الصفحة درس باسم «{ $id }». هذه دروسها.',
  unknownStep: `ليس في هذا الدرس خطوة رقمها { $step }. ${plural('of', { zero: 'ليست فيه خطوات', one: 'فيه خطوة واحدة',
    two: 'فيه خطوتان', few: 'فيه # خطوات', many: 'فيه # خطوة', other: 'فيه # خطوة' })}، ويبدأ من هنا.`,
  without: 'فتح الرابط هذه الخطوة. وما تغيّره في الخطوات السابقة لم يحدث هنا.',
  through: 'لا درس عن «{ $search }». هذه تستخدم جزءًا بهذا الاسم: { $parts }.',
  changed: 'أنجزت هذه الخطوة. تغيّرت الصفحة بعد ذلك، فلم يعد شرحها صحيحًا. تراجع عن التغيير لتقرأه من جديد.',
  copyLink: 'انسخ الرابط', address: 'عنوان هذه الخطوة',
};
