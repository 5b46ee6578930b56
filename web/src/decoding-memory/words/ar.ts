// SPDX-License-Identifier: Apache-2.0
import { ofWords } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  title: 'ما يجب حفظه لكتابة الكلمة التالية',
  about: 'ليعمل البرنامج كلمةً كلمة يحتاج إلى مفاتيح الكلمات السابقة وقيمها، أو إلى حالة لبّ تكراري.',
  refused: 'لا يستطيع «{ $name }» الكتابة كلمةً كلمة: { $why }.',
  causal: 'يستطيع ذلك مع قناع سببي: الأعداد أدناه هي أعداد «{ $name }» مع هذا القناع.',
  addMask: 'أضف قناعًا سببيًا.',
  addCausal: 'أضف قناعًا سببيًا',
  nothing: 'لا يمكن حساب «{ $name }» كلمةً كلمة إلا حتى «{ $until }»، ولا يُحفظ شيء لهذا الجزء. '
    + 'وكل ما بعد «{ $until }» يحتاج كل الكلمات معًا، أو ليس له صف لكل كلمة.',
  curve: 'المحفوظ بعد n كلمة',
  bytes: 'بايت',
  inBytes: '{ $count } بايت',
  after: 'بعد',
  words: ofWords('n'),
  madeOf: 'ما يحفظه «{ $name }»',
  module: 'الوحدة',
  tensor: 'الموتّر',
  earlier: `الصف السابق بمقدار ${ofWords('back')}، لأجل`,
  from: 'محسوب من',
  rowsUnnamed: 'صفوف بلا اسم',
  stateUnnamed: 'حالة بلا اسم',
  numbers: 'الأعداد',
  grows: 'لأجل',
  fixed: 'كل الكلمات معًا',
  eachWord: 'كل كلمة',
  rowsAtMost: `كل كلمة من ${ofWords('rows')} على الأكثر`,
  until: 'عُدّ حتى «{ $name }»، آخر نتيجة لها صف لكل كلمة.',
  written: 'لا تُعدّ إلا كلمات «{ $over }». أما النتائج التي تُحسب مرةً واحدة من «{ $read }» فتُحفظ أيضًا ولا تدخل في '
    + 'العدّ.',
  positions: `لدى «{ $name }» مواضع متعلَّمة لـ${ofWords('most')}، فتنتهي أعداده عندها.`,
  note: 'يشغل كل عدد 4 بايتات. تُعدّ الكلمات الأولى واحدةً واحدة، وبعدها يُفترض النمو نفسه.',
};
