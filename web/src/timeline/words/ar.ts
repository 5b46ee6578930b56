// SPDX-License-Identifier: Apache-2.0
import { hops, steps } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  time: 'خطوة بخطوة',
  hops: 'قفزة بقفزة',
  countTime: `${steps('n')}: الاستعلام، وإلامَ ينتبه، والنتيجة`,
  countHops: `${hops('n')}: كل قفزة تستعلم ثانية بالنتيجة السابقة`,
  step: 'الخطوة { $n } من { $of }',
  hop: 'القفزة { $n }',
  looks: '{ $who }: أكثر الانتباه إلى { $where }: { $weight }',
  stays: 'أكثر الانتباه في كل قفزة إلى { $where }.',
  moves: 'من قفزة إلى قفزة ينتقل الانتباه: { $path }.',
  help: 'مفاتيح الأسهم تنتقل من خطوة إلى خطوة، وHome إلى الخطوة الأولى، وEnd إلى الأخيرة.',
  scrub: 'الخطوة المعروضة',
  previous: 'الخطوة السابقة',
  next: 'الخطوة التالية',
  play: 'شغّل الخطوات',
  pause: 'أوقف',
  path: 'المسار: سطر لكل قفزة، والدائرة الأكبر وزن أكبر',
  then: ' ← ',
};
