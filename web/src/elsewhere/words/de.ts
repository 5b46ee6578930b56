// SPDX-License-Identifier: Apache-2.0
import { plural, type Translated } from '../../strings/message.ts';
import type { words as en } from './en.ts';

export const words: Translated<typeof en> = {
  title: '„{ $token }“ in einem anderen Satz',
  type: 'Tippe einen anderen Satz mit „{ $token }“',
  typeRead: 'Tippe einen anderen Satz, den das Modell liest, etwa „{ $example }“; vielleicht schreibt es wieder '
    + '„{ $token }“',
  about: 'Das Modell bleibt dasselbe; dein Dokument behält seinen Satz.',
  here: 'In deinem Dokument',
  there: 'Im anderen Satz',
  attends: 'Hier bekommt „{ $key }“ das größte Gewicht ({ $one }), dort „{ $other }“ ({ $there }).',
  attendsSame: 'In beiden Sätzen bekommt „{ $key }“ das größte Gewicht: hier { $one }, dort { $there }.',
  cosine: 'Der Kosinus der beiden Zeilen von „{ $what }“ ist { $value }; gleiche Richtungen haben den Kosinus 1.',
  absent: '„{ $token }“ ist dort nicht unter den Tokens: { $tokens }.',
  first: 'Das Token kommt dort { $count }-mal vor; das ist das erste.',
  failed: 'Der andere Satz kann nicht berechnet werden: { $why }',
  more: plural('count', { one: '1 weiterer Key', other: '# weitere Keys' }),
};
