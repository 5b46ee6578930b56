// SPDX-License-Identifier: Apache-2.0
import { either, message, plural } from '../../strings/message.ts';

export const words = {
  or: ' or ',
  andSoOn: ' and so on',
  divides: message((title: string, other: string, n: string, found: string, use: string) =>
    ({ title, other, n, found, use }),
    '“{ $title }” must divide “{ $other }” ({ $n } here) without a remainder; { $found } does not divide it. '
    + 'Use { $use }.'),
  multiple: message((title: string, other: string, n: string, found: string, use: string) =>
    ({ title, other, n, found, use }),
    '“{ $title }” must be a multiple of “{ $other }” ({ $n } here); { $found } is not. Use { $use }.'),
  atMost: message((title: string, other: string, n: string, found: string) => ({ title, other, n, found }),
    '“{ $title }” must be at most “{ $other }” ({ $n } here); { $found } is more.'),
  least: message((title: string, whole: boolean, least: string, found: string) =>
    ({ title, whole: whole ? 'yes' : 'no', least, found }), `“{ $title }” must be ${
    either('whole', { yes: 'a whole number', no: 'a number' })} of at least { $least }; { $found } is not.`),
  above: message((title: string, whole: boolean, least: string, found: string) =>
    ({ title, whole: whole ? 'yes' : 'no', least, found }), `“{ $title }” must be ${
    either('whole', { yes: 'a whole number', no: 'a number' })} above { $least }; { $found } is not.`),
  below: message((title: string, whole: boolean, most: string, found: string) =>
    ({ title, whole: whole ? 'yes' : 'no', most, found }), `“{ $title }” must be ${
    either('whole', { yes: 'a whole number', no: 'a number' })} of at most { $most }; { $found } is not.`),
  between: message((title: string, whole: boolean, least: string, most: string, found: string) =>
    ({ title, whole: whole ? 'yes' : 'no', least, most, found }), `“{ $title }” must be ${
    either('whole', { yes: 'a whole number', no: 'a number' })} from { $least } to { $most }; { $found } is not.`),
  aboveTo: message((title: string, whole: boolean, least: string, most: string, found: string) =>
    ({ title, whole: whole ? 'yes' : 'no', least, most, found }), `“{ $title }” must be ${
    either('whole', { yes: 'a whole number', no: 'a number' })} above { $least } and at most { $most }; { $found } `
    + 'is not.'),
  leftOut: 'This part is left out.',
  together: 'Change all layers together',
  togetherWhy: message((layers: string[]) => ({ layers }),
    'A change in one layer is made in all of them, and one Undo takes it back: { $layers }.'),
  layersFrom: message((first: string, last: string) => ({ first, last }), '{ $first } to { $last }'),
  layersSame: message((layers: number) => ({ layers }), 'The same in all { $layers } layers.'),
  layersFollow: message((follow: number, layers: number) => ({ follow, layers }),
    'A change here is made in { $follow } of { $layers } layers: the others do not have this part.'),
  layersDiffer: message((same: number, layers: number) => ({ same, layers }),
    `The layers differ: this is so in { $same } of { $layers }. A change here makes them equal.`),
  usedInstead: message((values: string[]) => ({ values, n: values.length }), `If this is empty, ${
    plural('n', { one: '{ $values } is used', other: '{ $values } are used' })}.`),
};
