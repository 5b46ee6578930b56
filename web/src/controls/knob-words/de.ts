// SPDX-License-Identifier: Apache-2.0
import { either, plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  or: ' oder ',
  andSoOn: ' und so weiter',
  divides: '„{ $title }“ muss ein Teiler von „{ $other }“ sein, hier { $n }; { $found } ist keiner. Möglich: { $use }.',
  multiple: '„{ $title }“ muss ein Vielfaches von „{ $other }“ sein, hier { $n }; { $found } ist keines. Möglich: '
    + '{ $use }.',
  atMost: '„{ $title }“ darf höchstens „{ $other }“ sein, hier { $n }; { $found } ist mehr.',
  least: `„{ $title }“ muss ${either('whole', { yes: 'eine ganze Zahl', no: 'eine Zahl' })} sein, mindestens `
    + '{ $least }; { $found } ist es nicht.',
  above: `„{ $title }“ muss ${either('whole', { yes: 'eine ganze Zahl', no: 'eine Zahl' })} über { $least } sein; `
    + '{ $found } ist es nicht.',
  below: `„{ $title }“ muss ${either('whole', { yes: 'eine ganze Zahl', no: 'eine Zahl' })} sein, höchstens `
    + '{ $most }; { $found } ist es nicht.',
  between: `„{ $title }“ muss ${either('whole', { yes: 'eine ganze Zahl', no: 'eine Zahl' })} von { $least } bis `
    + '{ $most } sein; { $found } ist es nicht.',
  aboveTo: `„{ $title }“ muss ${either('whole', { yes: 'eine ganze Zahl', no: 'eine Zahl' })} über { $least } und `
    + 'höchstens { $most } sein; { $found } ist es nicht.',
  usedInstead: `Ist das Feld leer, ${plural('n', { one: 'gilt { $values }', other: 'gelten { $values }' })}.`,
};
