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
  leftOut: 'Dieser Teil entfällt.',
  together: 'Alle Schichten zusammen ändern',
  togetherWhy: 'Was du in einer Schicht änderst, ändert sich in allen; ein einziges „Rückgängig“ nimmt alles zurück: '
    + '{ $layers }.',
  layersFrom: '{ $first } bis { $last }',
  layersSame: 'Gleich in allen { $layers } Schichten.',
  layersFollow: 'Eine Änderung hier gilt in { $follow } von { $layers } Schichten: Die anderen haben diesen Teil '
    + 'nicht.',
  layersDiffer: 'Die Schichten unterscheiden sich: So ist es in { $same } von { $layers }. Eine Änderung hier macht '
    + 'sie gleich.',
  usedInstead: `Ist das Feld leer, ${plural('n', { one: 'gilt { $values }', other: 'gelten { $values }' })}.`,
};
