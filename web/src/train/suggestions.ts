// SPDX-License-Identifier: Apache-2.0
// What a reader could try with the document at hand: a sentence each, and what it sets.
import type { Store } from '../state/store.ts';
import { get } from '../engine/pointer.ts';
import { axesOf } from './axes.ts';
import type { Desk } from './train-state.ts';
import type { words } from './words/en.ts';

export interface Try {
  id: keyof typeof words.tries;
  fits(desk: Desk, store: Store): boolean;
  act(desk: Desk, store: Store): void;
}

const number = (desk: Desk, path: string, usual: number): number => Number(get(desk.document, path) ?? usual);
/** What stands for no look at all: a preset sets it, as a document would. */
const EVEN = 'uniform';
const alignment = ({ document }: Desk, { book }: Store) => axesOf(book, document)
  .find(({ kind, options }) => kind === 'alignment' && options.some(({ id }) => id === EVEN));

export const tries: readonly Try[] = [
  { id: 'seed', fits: () => true, act: (desk) => desk.put('/seed', number(desk, '/seed', 0) + 1) },
  { id: 'dropout', fits: (desk) => number(desk, '/training/word-dropout', 0) === 0,
    act: (desk) => desk.put('/training/word-dropout', 0.3) },
  { id: 'noDropout', fits: (desk) => number(desk, '/training/word-dropout', 0) > 0,
    act: (desk) => desk.put('/training/word-dropout', 0) },
  {
    id: 'guide', fits: (desk) => number(desk, '/training/guide', 0) === 0
      && desk.training.links,
    act: (desk) => desk.put('/training/guide', 1),
  },
  { id: 'noGuide', fits: (desk) => number(desk, '/training/guide', 0) > 0,
    act: (desk) => desk.put('/training/guide', 0) },
  { id: 'fast', fits: (desk) => number(desk, '/training/optimiser/rate', 0.001) < 0.05,
    act: (desk) => desk.put('/training/optimiser/rate', 0.05) },
  {
    id: 'even', fits: (desk, store) => (alignment(desk, store)?.now ?? EVEN) !== EVEN,
    act: (desk, store) => desk.put(alignment(desk, store)!.path, { type: EVEN }),
  },
  {
    id: 'fiveStarts', fits: (desk, store) => alignment(desk, store) !== undefined,
    act: (desk, store) => {
      const axis = alignment(desk, store)!;
      // The look of the document against none; where it has none itself, against the usual one.
      const owner = store.book.choices(desk.document).find(({ path }) => path === axis.path);
      const look = axis.now === EVEN ? (owner?.slot.default ?? axis.options.find(({ id }) => id !== EVEN)!.id)
        : axis.now;
      const seeds = axesOf(store.book, desk.document).at(-1)!;
      desk.planned = { axes: [axis.path, seeds.path],
        picked: { [axis.path]: [EVEN, look], [seeds.path]: seeds.options.map(({ id }) => id) } };
      desk.side = 'several';
      desk.tab = 'several';
    },
  },
];

/** Those that would change something here. */
export const triesFor = (desk: Desk, store: Store): Try[] => tries.filter((one) => one.fits(desk, store));
