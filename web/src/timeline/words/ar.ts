// SPDX-License-Identifier: Apache-2.0
import { hops, steps } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  time: 'خطوة بخطوة',
  hops: 'قفزة بقفزة',
  countTime: `${steps('n')}: بماذا يُسأل، وإلى أين يُنظر، وماذا يوجد`,
  countHops: `${hops('n')}: يُعاد السؤال بما وُجد`,
  step: 'الخطوة { $n } من { $of }',
  hop: 'القفزة { $n }',
  looks: '{ $who }: أكثر النظر إلى { $where }: { $weight }',
  stays: 'كل قفزة تنظر أكثر ما تنظر إلى { $where }.',
  moves: 'من قفزة إلى قفزة يكون أكثر النظر إلى { $path }.',
  help: 'مفاتيح الأسهم تنتقل من خطوة إلى خطوة، وHome وEnd إلى الطرفين.',
  scrub: 'الخطوة المعروضة',
  previous: 'الخطوة السابقة',
  next: 'الخطوة التالية',
  play: 'شغّل الخطوات',
  pause: 'أوقف',
  path: 'المسار: سطر لكل قفزة، والدوائر بقدر الأوزان',
  then: ' ← ',
};
