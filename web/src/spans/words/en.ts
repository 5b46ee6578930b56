// SPDX-License-Identifier: Apache-2.0
import { type Message, message, plural } from '../../strings/message.ts';
export const words = {
  help: 'Drag a border, or move it with the arrow keys. Press between two words to add or remove one.',
  border: message((before: string, after: string) => ({ before, after }), 'Border between { $before } and { $after }'),
  none: message((before: string, after: string) => ({ before, after }), 'No border between { $before } and { $after }'),
  parts: message((n: number) => ({ n }), plural('n', { one: '1 part', other: '# parts' })),
  part: message((n: number) => ({ n }), 'Part { $n }'),
  typed: 'Start and end of each part, counted from 0',
  automatic: 'Split at full stops',
  fit: 'Fit the parts to the words',
  faults: {
    notSpans: message(() => ({}), 'Enter pairs such as 0-5 5-11.'),
    empty: message((n: number, at: number) => ({ n, at }), 'Part { $n } has no word: it begins and ends at { $at }.'),
    overlap: message((n: number, at: number) => ({ n, at }),
      'Part { $n } begins at { $at }, inside the part before it. It must begin where that part ends.'),
    gap: message((n: number, at: number) => ({ n, at, last: n - 1 }),
      'Between part { $last } and part { $n } there is a gap: word { $at } belongs to no part.'),
    start: message((n: number) => ({ n }), 'Part { $n } does not begin at 0: the first word belongs to no part.'),
    past: message((n: number, at: number, count: number) => ({ n, at, count }),
      'Part { $n } ends at { $at }, but the text ends at { $count }.'),
    short: message((_: number, at: number, count: number) => ({ _, at, count }),
      'The parts end at { $at }, but the text ends at { $count }: the rest belongs to no part.'),
  } as Record<string, Message<[n: number, at: number, count: number]>>,
};
