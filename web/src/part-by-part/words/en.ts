// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words of two documents side by side, in English. */
export const words = {
  choose: 'Compare part by part with',
  about: 'This puts two systems side by side: their parts, settings and shapes, with the differences marked.',
  none: 'Choose a system',
  opened: message((title: string) => ({ title }), '{ $title }, as opened'),
  same: 'same in both',
  differs: 'differs',
  onlyA: 'only in A',
  onlyB: 'only in B',
  nothing: 'none',
  allSame: message((a: string, b: string) => ({ a, b }), '{ $a } and { $b } have the same parts.'),
  heading: message((a: string, b: string, differ: number, parts: number) => ({ a, b, differ, parts }),
    `{ $a } and { $b }: ${plural('differ', { one: '1 of { $parts } parts differs',
      other: '# of { $parts } parts differ' })}.`),
  lead: 'Choose a part that differs to read what it does. You can also give A this part and keep the rest of A; '
    + 'then only the map changes.',
  inSome: message((count: number, of: number) => ({ count, of }), 'in { $count } of { $of }'),
  times: message((count: number) => ({ count }), '× { $count }'),
  give: 'Give A this part',
  onlyDifferences: 'Show only the parts that differ',
  all: 'Show all parts',
  map: message((side: string, module: string) => ({ side, module }), '{ $side }: { $module }'),
  layer: 'Map',
  on: 'on',
  off: 'off',
  column: 'nothing',
  columnNote: 'The first column is the weight that went to no key.',
  noMap: 'This side has no map here.',
  failed: message((title: string, why: string) => ({ title, why }), '“{ $title }” cannot be computed here: { $why }'),
  words: 'A and B read the same words.',
  otherWords: 'B reads its own words, because it does not know the words of A.',
  untrained: 'untrained',
  listed: 'Parts side by side',
};
