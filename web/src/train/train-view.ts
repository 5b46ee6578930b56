// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals-core';
import { HEAD } from '../directory/places.ts';
import { mapShown } from '../flow/open.ts';
import { cell } from '../state/cells.ts';
import type { Store } from '../state/store.ts';
import type { Chosen } from './maps.ts';
import type { Picture } from './messages.ts';
import type { Moments } from './training-history.ts';

export type Tab = 'map' | 'curves' | 'settings' | 'several';
export type Side = 'training' | 'mechanism' | 'several';

/** What is to vary when several are trained: the paths of two choices, and their options. */
export interface Planned {
  axes: [string, string];
  picked: Readonly<Record<string, readonly string[]>>;
}

/** Of the pinned example's maps the one that the page shows large, with the head that is chosen there; or the first. */
export function usualOf(store: Store, picture: Picture | undefined): Chosen {
  const shown = mapShown(store)?.name;
  const map = picture?.maps.findIndex(({ name }) => name === shown) ?? -1;
  const head = map < 0 ? undefined : store.selection.chosen[HEAD];
  const heads = picture?.maps[map]?.shape[0] ?? 1;
  return { map: Math.max(map, 0), head: head !== undefined && heads > 1 && head < heads ? head : undefined };
}

/** Tells the rest of the page whether the training has maps: a lecture shows nothing else of it. */
export const tellMaps = ({ trainings }: Store, training: Moments): (() => void) =>
  effect(() => void (trainings.mapped.value = (training.picture?.maps.length ?? 0) > 0));

/** What of the place where one trains is looked at. */
export class Sight {
  @cell side: Side = 'training';
  @cell chosenRun: number | undefined;
  /** The cell of the map whose weight is set by hand. */
  @cell cell: { row: number; column: number } | undefined;
  /** What a preset wants to vary. */
  @cell planned: Planned | undefined;
  @cell tab: Tab = 'map';
  private readonly chosenNow = signal<Chosen | undefined>(undefined);

  /** `usual`: what is chosen of the maps as long as the reader chose none. */
  constructor(private readonly usual: () => Chosen) {}

  /** What the reader chose of the pinned example's maps, or else what the page shows. */
  get chosen(): Chosen {
    return this.chosenNow.value ?? this.usual();
  }

  set chosen(chosen: Chosen | undefined) {
    this.chosenNow.value = chosen;
  }
}
