// SPDX-License-Identifier: Apache-2.0
export const words = {
  help: 'Drag a border, or move it by the arrow keys. Press between two words to set one or take it away.',
  border: (before: string, after: string) => `Border between ${before} and ${after}`,
  none: (before: string, after: string) => `No border between ${before} and ${after}`,
  parts: (n: number) => (n === 1 ? '1 part' : `${n} parts`),
  part: (n: number) => `Part ${n}`,
  typed: 'From-to of each part, counted from 0',
  automatic: 'By full stops',
  fit: 'Fit them to the words',
  faults: {
    notSpans: () => 'Expected pairs such as 0-5 5-11, found something else.',
    empty: (n: number, at: number) => `Part ${n} has no word: it begins and ends at ${at}.`,
    overlap: (n: number, at: number) => `Part ${n} begins at ${at}, inside the part before it. Expected where that one ends.`,
    gap: (n: number, at: number) => `Between part ${n - 1} and part ${n} there is a gap: word ${at} belongs to none.`,
    start: (n: number) => `Part ${n} does not begin at 0: the first word belongs to none.`,
    past: (n: number, at: number, count: number) => `Part ${n} ends at ${at}, past the last of ${count}.`,
    short: (_: number, at: number, count: number) => `The parts end at ${at}, but there are ${count}: the rest belongs to none.`,
  } as Record<string, (n: number, at: number, count: number) => string>,
};
