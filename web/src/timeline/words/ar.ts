// SPDX-License-Identifier: Apache-2.0
import type { words as en } from './en.ts';

export const words: typeof en = {
  time: 'خطوة بخطوة',
  hops: 'قفزة بقفزة',
  countTime: (n) => `عدد الخطوات ${n}: بماذا يُسأل، وإلى أين يُنظر، وماذا يوجد`,
  countHops: (n) => `عدد القفزات ${n}: يُعاد السؤال بما وُجد`,
  step: (n, of) => `الخطوة ${n} من ${of}`,
  hop: (n) => `القفزة ${n}`,
  looks: (who, where, weight) => `${who}: أكثر النظر إلى ${where}: ${weight}`,
  stays: (where) => `كل قفزة تنظر أكثر ما تنظر إلى ${where}.`,
  moves: (path) => `من قفزة إلى قفزة يكون أكثر النظر إلى ${path}.`,
  help: 'مفاتيح الأسهم تنتقل من خطوة إلى خطوة، وHome وEnd إلى الطرفين.',
  scrub: 'الخطوة المعروضة',
  previous: 'الخطوة السابقة',
  next: 'الخطوة التالية',
  play: 'شغّل الخطوات',
  pause: 'أوقف',
  path: 'المسار: سطر لكل قفزة، والدوائر بقدر الأوزان',
  then: ' ← ',
};
