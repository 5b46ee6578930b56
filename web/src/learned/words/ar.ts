// SPDX-License-Identifier: Apache-2.0
import { systems } from '../../strings/counted-ar.ts';
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  learned: 'ما تعلّمه',
  fails: 'أين يخطئ',
  short: 'الصواب { $right }، { $size } ك.بايت',
  trained: 'دُرّب على «{ $task }»، عدد الخطوات { $steps }: الصواب { $right } من كلمات الأمثلة المحجوزة وعددها '
    + '{ $heldOut }. عدد الأوزان { $numbers } في { $size } ك.بايت.',
  percent: '{ $n }٪',
  inMap: 'في خريطة الانتباه لـ«{ $module }»',
  inHead: 'في الرأس { $head } من «{ $module }»',
  rows: { answer: 'صف الكلمة', only: 'الصف الوحيد، المؤدي إلى الجواب', last: 'الصف الأخير، المؤدي إلى الجواب',
    mean: 'متوسط الصفوف كلها، المؤدي إلى الجواب' },
  row: 'الصف { $row }، المؤدي إلى الجواب',
  overFeatures: '{ $at } (متوسط السمات كلها)',
  verdicts: { shows: 'تُظهر الخريطة من أين يأتي الجواب.', often: 'تُظهر الخريطة غالبًا من أين يأتي الجواب.',
    not: 'لا تُظهر الخريطة من أين يأتي الجواب.' },
  position: '«{ $word }» في الموضع { $at }',
  region: 'المنطقة { $at } من الصورة',
  example: '{ $at }: { $row } «{ $word }» يضع { $weight } من وزنه على الموضع الصحيح: { $meant }.',
  elsewhere: 'أكبر أوزانه، { $weight }، على { $most }.',
  often: 'في الأمثلة المحجوزة، وعددها { $n }، يقع أكبر وزن على موضع صحيح في { $share } من الصفوف؛ وبأوزان '
    + 'غير مدرَّبة في { $untrained }.',
  guided: 'كافأ التدريب الوزن الواقع على المواضع الصحيحة.',
  noMap: 'ليس لهذا النظام خريطة لها مواضع تعدّها المهمة صحيحة أو خاطئة.',
  wrong: 'أخطأ في { $count } من الأمثلة المحجوزة وعددها { $heldOut }. منها: للمدخل «{ $source }» كتب '
    + '«{ $written }» بدل «{ $right }».',
  wrongCount: 'أخطأ في { $count } من الأمثلة المحجوزة وعددها { $heldOut }.',
  longer: 'يخطئ فيما يتجاوز ما تعلّمه: حين تكون قيمة «{ $title }» { $tried } بدل { $learned } يكون '
    + 'الصواب { $right } من الكلمات.',
  longerToo: 'وما زال يصيب فيما يتجاوز ما تعلّمه: حين تكون قيمة «{ $title }» { $tried } بدل { $learned } يكون الصواب '
    + '{ $right } من الكلمات.',
  none: 'لم يُعثر على خطأ في الأمثلة المحجوزة وعددها { $n }.',
  tried: 'أوزانه عشوائية: بعد التدريب على «{ $task }»، وعدد خطواته { $steps }، لم يصب إلا في { $right } من كلمات '
    + 'الأمثلة المحجوزة وعددها { $heldOut }.',
  noLoss: 'أوزانه عشوائية: ليست لهذا النظام هنا دالة خسارة، فلا شيء يقلّله التدريب.',
  noTask: 'أوزانه عشوائية: لا توجد هنا مهمة تولّد مدخلاته ({ $inputs }) مع جواب معروف.',
  untrained: 'افتح بأوزان عشوائية',
  count: `ما يُفتح مدرَّبًا: ${systems('n')}`,
};
