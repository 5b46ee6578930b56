// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  or: ' أو ',
  andSoOn: ' وهكذا',
  divides: 'يجب أن يقسم «{ $title }» قيمة «{ $other }»، وهي هنا { $n }، و{ $found } لا تقسمها. المسموح: { $use }.',
  multiple: 'يجب أن يكون «{ $title }» من مضاعفات «{ $other }»، وهي هنا { $n }، و{ $found } ليست منها. '
    + 'المسموح: { $use }.',
  atMost: 'يجب ألا يزيد «{ $title }» على «{ $other }»، وهي هنا { $n }، و{ $found } أكثر.',
  least: `يجب أن يكون «{ $title }» ${either('whole', { yes: 'عددًا صحيحًا', no: 'عددًا' })} لا يقل عن { $least }، `
    + 'و{ $found } ليس كذلك.',
  above: `يجب أن يكون «{ $title }» ${either('whole', { yes: 'عددًا صحيحًا', no: 'عددًا' })} أكبر من { $least }، `
    + 'و{ $found } ليس كذلك.',
  below: `يجب أن يكون «{ $title }» ${either('whole', { yes: 'عددًا صحيحًا', no: 'عددًا' })} لا يزيد على { $most }، `
    + 'و{ $found } ليس كذلك.',
  between: `يجب أن يكون «{ $title }» ${either('whole', { yes: 'عددًا صحيحًا', no: 'عددًا' })} من { $least } إلى `
    + '{ $most }، و{ $found } ليس كذلك.',
  aboveTo: `يجب أن يكون «{ $title }» ${either('whole', { yes: 'عددًا صحيحًا', no: 'عددًا' })} أكبر من { $least } ولا `
    + 'يزيد على { $most }، و{ $found } ليس كذلك.',
  leftOut: 'لا يُستعمل هذا الجزء.',
  together: 'غيّر كل الطبقات معًا',
  togetherWhy: 'كل تغيير في طبقة يحدث في كل الطبقات، ويعيده تراجع واحد: { $layers }.',
  layersFrom: 'من { $first } إلى { $last }',
  layersSame: 'متماثل في كل الطبقات، وعددها { $layers }.',
  layersFollow: 'يسري التغيير هنا في { $follow } من الطبقات وعددها { $layers }، فليس في الطبقات الأخرى هذا الجزء.',
  layersDiffer: 'الطبقات مختلفة: هذا هو الحال في { $same } من { $layers }. أي تغيير هنا يجعلها متماثلة.',
  usedInstead: `إذا بقي فارغًا ${plural('n', { zero: 'يُستعمل { $values }', one: 'يُستعمل { $values }',
    two: 'يُستعمل { $values }', few: 'تُستعمل { $values }', many: 'تُستعمل { $values }',
    other: 'تُستعمل { $values }' })}.`,
};
