// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import type { Chosen } from './maps.ts';

export type Tab = 'map' | 'curves' | 'settings' | 'several';
export type Side = 'training' | 'mechanism' | 'several';

/** What is to vary when several are trained: the paths of two choices, and their options. */
export interface Planned {
  axes: [string, string];
  picked: Readonly<Record<string, readonly string[]>>;
}

/** What of the place where one trains is looked at. */
export class Sight {
  private readonly runNow = signal<number | undefined>(undefined);
  private readonly sideNow = signal<Side>('training');
  private readonly chosenNow = signal<Chosen>({ map: 0, head: undefined });
  private readonly tabNow = signal<Tab>('map');
  private readonly cellNow = signal<{ row: number; column: number } | undefined>(undefined);
  private readonly plannedNow = signal<Planned | undefined>(undefined);

  get side(): Side {
    return this.sideNow.value;
  }

  set side(side: Side) {
    this.sideNow.value = side;
  }

  get chosenRun(): number | undefined {
    return this.runNow.value;
  }

  set chosenRun(id: number | undefined) {
    this.runNow.value = id;
  }

  get chosen(): Chosen {
    return this.chosenNow.value;
  }

  set chosen(chosen: Chosen) {
    this.chosenNow.value = chosen;
  }

  /** The cell of the map whose weight is set by hand. */
  get cell(): { row: number; column: number } | undefined {
    return this.cellNow.value;
  }

  set cell(cell: { row: number; column: number } | undefined) {
    this.cellNow.value = cell;
  }

  /** What a preset wants to vary. */
  get planned(): Planned | undefined {
    return this.plannedNow.value;
  }

  set planned(planned: Planned | undefined) {
    this.plannedNow.value = planned;
  }

  get tab(): Tab {
    return this.tabNow.value;
  }

  set tab(tab: Tab) {
    this.tabNow.value = tab;
  }
}
