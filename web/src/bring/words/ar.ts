// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  forms: 'الأشكال المقروءة',
  text: 'كلمات: جملة، أو قائمة مثل',
  table: 'مصفوفة واحدة: صف أعداد في كل سطر. ويجوز أن يسمّي العمود الأول الصفوف.',
  json: 'مصفوفة واحدة بصيغة JSON:',
  named: 'استعلامات ومفاتيح وقيم: كائن بالأسماء Q و K و V أو query و key و value:',
  found: 'مصفوفات: { $given }',
  notMatrix: '«{ $name }» ليست مصفوفة: اكتب لكل صف قائمة أعداد.',
  otherName: '«{ $name }» ليس اسم مدخل. استعمل الأسماء query و key و value، أو Q و K و V.',
  twice: 'مصفوفة «{ $name }» معطاة مرتين.',
  otherRows: 'يحتاج كل مفتاح إلى قيمة: عُثر على { $keys } من صفوف المفاتيح و{ $values } من صفوف القيم.',
  notRead: 'لا يقرأ هذا المستند «{ $name }»، بل يقرأ { $read }. اختر أولًا نوع الاستعلام «Basic».',
};
