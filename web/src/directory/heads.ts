// SPDX-License-Identifier: Apache-2.0
// Which matrices of a module's tensors belong to the same head. Tensors may have fewer matrices than there are heads,
// such as keys that several heads share, or more: differential heads have two maps each.
import type { TensorEntry } from '../engine/types.ts';
import { HEAD } from './places.ts';

/** The place of `chosen` that says which of a head's maps is shown. */
export const MAP = 'map';

type Chosen = Readonly<Record<string, number>>;

export interface Headed extends Pick<TensorEntry, 'shape' | 'module' | 'role' | 'group'> {
  places: string[];
  /** How many heads a reader of its module can choose, where this tensor has another number of matrices. */
  heads?: number;
  /** How many matrices of this tensor belong to one head, where these are several. */
  maps?: number;
  /** How many heads share these keys or values, where they have fewer matrices. */
  readers?: number;
}

export const headsIn = ({ shape, places }: Headed): number => shape[places.indexOf(HEAD)] ?? 0;

/**
 * Notes at each tensor how it goes with the heads of its module. Readers choose among its attention maps. A head has
 * one context: if there are more maps, several of them make one head.
 */
export function joinHeads(tensors: readonly Headed[]): void {
  const most = (one: Headed, only: (other: Headed) => boolean): number => tensors.reduce((n, other) =>
    (other.module === one.module && only(other) ? Math.max(n, headsIn(other)) : n), 0);
  for (const tensor of tensors) {
    const own = headsIn(tensor);
    if (own === 0) continue;
    const heads = most(tensor, ({ role }) => role === 'weights') || most(tensor, () => true);
    if (own !== heads && (own < heads ? heads % own : own % heads) === 0) tensor.heads = heads;
    const contexts = most(tensor, ({ role, group }) => role === 'context' && group === 'outputs');
    // Keys that heads share are no maps of these heads.
    if (contexts > 0 && own > contexts && own % contexts === 0) tensor.maps = own / contexts;
    const readers = contexts || heads;
    if ((tensor.role === 'key' || tensor.role === 'value') && own < readers && readers % own === 0)
      tensor.readers = readers;
  }
}

/** The index along an axis that goes with what is chosen: of shared keys, that of the key head of the chosen head. */
export function indexFor(tensor: Headed, axis: number, chosen: Chosen): number {
  const place = tensor.places[axis] ?? '';
  const at = chosen[place] ?? 0;
  if (place !== HEAD || !tensor.heads) return at;
  const each = (tensor.shape[axis] ?? 1) / tensor.heads;
  return Math.floor(at * each) + Math.min(chosen[MAP] ?? 0, Math.max(1, each) - 1);
}

/** The other way: what is chosen already if it goes with this index, or else the first that does. */
export function chosenFor(tensor: Headed, axis: number, index: number, chosen: Chosen): Record<string, number> {
  const place = tensor.places[axis] ?? '';
  if (place !== HEAD || !tensor.heads) return { [place]: index };
  const each = (tensor.shape[axis] ?? 1) / tensor.heads;
  if (each > 1) return { [HEAD]: Math.floor(index / each), [MAP]: index % each };
  return { [HEAD]: indexFor(tensor, axis, chosen) === index ? (chosen[HEAD] ?? 0) : index / each };
}

/** The heads that share this matrix of keys or values, counted from 1. */
export function sharedBy(tensor: Headed, index: number): { first: number; last: number } | undefined {
  if (tensor.readers === undefined) return undefined;
  const each = tensor.readers / headsIn(tensor);
  return { first: index * each + 1, last: (index + 1) * each };
}

/** What the matrix at this index belongs to, counted from 1: the head, and its map where it has several. */
export const headAt = ({ maps = 1 }: Headed, index: number): { head: number; map?: number } =>
  (maps === 1 ? { head: index + 1 } : { head: Math.floor(index / maps) + 1, map: (index % maps) + 1 });
