// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import type { Typed } from '../directory/typed.ts';
import type { View } from './view.ts';

const files = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./all.ts', '!./view-element.ts'], { eager: true });

const isView = (one: unknown): one is View => typeof one === 'object' && one !== null && 'accepts' in one;

/** Every view of this folder, by rank. */
export const views: readonly View[] = Object.values(files).flatMap((file) => Object.values(file).filter(isView))
  .toSorted((a, b) => a.rank - b.rank);

/** The ways to draw a tensor; the first suits it best. */
export const viewsFor = (typed: Typed, shape: readonly number[]): View[] =>
  views.filter((view) => (view.bare || !shape.includes(0)) && view.accepts(typed, shape));
