// SPDX-License-Identifier: Apache-2.0
import { parts } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  help: 'اسحب حدًّا، أو حرّكه بمفاتيح الأسهم. اضغط بين كلمتين لتضع حدًّا أو تزيله.',
  border: 'حدّ بين { $before } و{ $after }',
  none: 'لا حدّ بين { $before } و{ $after }',
  parts: parts('n'),
  part: 'الجزء { $n }',
  typed: 'بداية كل جزء ونهايته، عدًّا من 0',
  automatic: 'التقسيم عند علامات الوقف',
  fit: 'وفّقها مع الكلمات',
  faults: {
    notSpans: 'أدخل أزواجًا مثل 0-5 5-11.',
    empty: 'الجزء { $n } بلا كلمات: يبدأ وينتهي عند { $at }.',
    overlap: 'الجزء { $n } يبدأ عند { $at } داخل الجزء الذي قبله. يجب أن يبدأ حيث ينتهي ذاك.',
    gap: 'بين الجزء { $last } والجزء { $n } فجوة: الكلمة { $at } لا تنتمي إلى جزء.',
    start: 'الجزء { $n } لا يبدأ عند 0: الكلمة الأولى لا تنتمي إلى جزء.',
    past: 'الجزء { $n } ينتهي عند { $at }، والنص ينتهي عند { $count }.',
    short: 'تنتهي الأجزاء عند { $at }، والنص ينتهي عند { $count }: الباقي لا ينتمي إلى جزء.',
  },
};
