// SPDX-License-Identifier: Apache-2.0
import { ofWords } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'ما يجب حفظه لكتابة الكلمة التالية',
  about: 'مفاتيح الكلمات السابقة وقيمها، أو حالة نواة تكرارية، مستخرجة من البرنامج كلمةً كلمة.',
  refused: 'لا يستطيع «{ $name }» الكتابة كلمةً كلمة: { $why }',
  nothing: 'يُحسب «{ $name }» حتى «{ $until }»، وهي آخر نتيجة لها صف لكل كلمة، ولا يحفظ شيئًا '
    + 'حتى ذلك. ما بعدها لا يُحسب.',
  curve: 'المحفوظ بعد n كلمة',
  bytes: 'بايت',
  inBytes: '{ $count } بايت',
  after: 'بعد',
  words: ofWords('n'),
  madeOf: 'ما يحفظه «{ $name }»',
  module: 'الوحدة',
  tensor: 'الموتّر',
  earlier: `الصف السابق بمقدار ${ofWords('back')}، لأجل`,
  numbers: 'الأعداد',
  grows: 'لأجل',
  fixed: 'كل الكلمات معًا',
  eachWord: 'كل كلمة',
  rowsAtMost: `كل كلمة من ${ofWords('rows')} على الأكثر`,
  until: 'عُدّ حتى «{ $name }»، آخر نتيجة لها صف لكل كلمة.',
  note: 'أعداد من 4 بايتات. تُعدّ الكلمات الأولى واحدةً واحدة، وبعدها يستمر النمو نفسه.',
};
