// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  title: '«{ $token }» في جملة أخرى',
  type: 'اكتب جملة أخرى فيها «{ $token }»',
  typeRead: 'اكتب جملة أخرى يقرؤها النموذج، مثل «{ $example }»؛ فقد يكتب «{ $token }» من جديد',
  about: 'يبقى النموذج كما هو، ويحتفظ مستندك بجملته.',
  here: 'في مستندك',
  there: 'في الجملة الأخرى',
  attends: 'هنا تنال «{ $key }» أكبر وزن ({ $one })، وهناك «{ $other }» ({ $there }).',
  attendsSame: 'في الجملتين تنال «{ $key }» أكبر وزن: { $one } هنا و{ $there } هناك.',
  cosine: 'جيب تمام الزاوية بين صفي «{ $what }» هو { $value }، وهو 1 إذا كان الاتجاه نفسه.',
  absent: 'ليس «{ $token }» بين الرموز هناك: { $tokens }.',
  first: 'عدد مرات ورود الرمز هناك { $count }، وهذه هي الأولى.',
  failed: 'لا يمكن حساب الجملة الأخرى: { $why }',
  more: plural('count', { zero: 'لا مفاتيح أخرى', one: 'مفتاح آخر', two: 'مفتاحان آخران', few: '# مفاتيح أخرى',
    many: '# مفتاحًا آخر', other: '# مفتاح آخر' }),
};
