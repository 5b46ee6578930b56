// SPDX-License-Identifier: Apache-2.0
// Points of an image that are looked at, between its pixels: (row, column), in a module that is given such points or
// says them.
import { maximum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import { inCell, upTo } from '../colour/numbers.ts';
import { axisOf, timeOf, typed } from '../directory/typed.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Book } from '../state/catalogue.ts';
import type { Store } from '../state/store.ts';
import { arrow } from '../strings/order.ts';
import { readsImage } from '../state/image-ports.ts';
import type { Size } from './pixels.ts';
import { words } from './words.ts';

// The last axis of a result that holds a row and a column.
const PAIR = '2';
const MOST = 512;

export interface Sampled {
  /** Where: [.., 2], the queries first. */
  places: Tensor;
  /** What each place weighs, where the module says it. */
  weights: Tensor | undefined;
}

/** The points that a module looks at in this image, found by the axes of its results. */
export function sampledIn(book: Book, result: Result, input: string): Sampled | undefined {
  for (const { name, type, inputs } of result.directory.modules ?? []) {
    const roles = book.named(type)?.roles ?? [];
    if (!roles.some((role) => inputs[role.name] === input && readsImage(role))) continue;
    const outputs = result.all('outputs').filter(({ within }) => within === name);
    const places = outputs.find(({ axes, shape }) => axes.at(-1) === PAIR && shape.at(-1) === 2);
    if (!places) continue;
    const count = places.shape.slice(0, -1).join();
    return { places, weights: outputs.find(({ role, shape }) => role === 'weights' && shape.join() === count) };
  }
  return undefined;
}

/** The points in shares of height and width where each follows upon the one before, as an eye's stops do. */
export function trailOf({ places }: Sampled, { height, width }: Size): { x: number; y: number }[] | undefined {
  if (places.shape.length !== 2 || timeOf(typed(places)) !== 0) return undefined;
  const inside = (share: number) => Math.min(1, Math.max(0, share));
  return Array.from({ length: Math.min(MOST, places.shape[0]!) }, (_, k) =>
    ({ x: inside((places.data[2 * k + 1]! + 0.5) / width), y: inside((places.data[2 * k]! + 0.5) / height) }));
}

export interface Point {
  row: number;
  col: number;
  weight: number;
  /** Who looks there. */
  query: number;
}

export function pointsOf({ places, weights }: Sampled): Point[] {
  const axis = axisOf(typed(places), 'query');
  const count = axis < 0 ? 1 : places.shape[axis]!;
  const each = places.data.length / 2 / count;
  return Array.from({ length: Math.min(MOST, places.data.length / 2) }, (_, k) => ({
    row: places.data[2 * k]!, col: places.data[2 * k + 1]!, weight: weights?.data[k] ?? 1,
    query: axis === 0 ? Math.floor(k / each) : 0,
  }));
}

/** Who is asked about: the query of the cell that is pointed at or locked in a result of the same module. */
export function asking(store: Store, { places }: Sampled): number | undefined {
  const { active } = store.selection;
  const tensor = active && store.sessions.result?.whole(active.tensor, active.group);
  if (!active || !tensor || tensor.group !== 'outputs' || tensor.within !== places.within) return undefined;
  const axis = axisOf(typed(tensor), 'query');
  return axis < 0 ? undefined : active.index[axis];
}

/** Circles as large as the weights, around the middle of a pixel where a place is whole. */
export function pointsOn(sampled: Sampled, { height, width }: Size, query: number | undefined): unknown {
  const unit = Math.max(height, width) / 64;
  const points = pointsOf(sampled);
  const most = maximum(points.map(({ weight }) => Math.abs(weight)), Number.MIN_VALUE);
  const circle = ({ row, col, weight, query: who }: Point) => {
    const seen = query === undefined || who === query;
    return svg`<circle class="point ${seen ? '' : 'other'}" data-query=${who} cx=${col + 0.5} cy=${row + 0.5}
      r=${unit * (0.8 + 2.2 * Math.sqrt(Math.abs(weight) / most))} />`;
  };
  // Those that are asked about lie above the others.
  const others = points.filter((one) => query !== undefined && one.query !== query);
  return html`<svg class="marks" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${
    [...others, ...points.filter((one) => !others.includes(one))].map(circle)}</svg>`;
}

/** The points in a sentence: how many, and which weighs most. */
export function saysPoints(sampled: Sampled, query: number | undefined): unknown {
  if (timeOf(typed(sampled.places)) === 0 && query === undefined) {
    const stops = pointsOf(sampled).map(({ row, col }) => (Number.isInteger(row) && Number.isInteger(col)
      ? words().patch(row, col) : words().between(upTo(row + 1, 2), upTo(col + 1, 2))));
    return words().trail(stops.filter((one, k) => one !== stops[k - 1]).join(` ${arrow()} `));
  }
  const points = pointsOf(sampled).filter((one) => query === undefined || one.query === query);
  const most = points.toSorted((a, b) => b.weight - a.weight)[0];
  if (!most) return nothing;
  // Counted from 1, as the patches are: the middle of the first pixel is at 1, 1.
  const where = words().between(upTo(most.row + 1, 2), upTo(most.col + 1, 2));
  const weight = sampled.weights ? inCell(most.weight, true) : '';
  return query === undefined ? words().points(points.length)
    : words().pointsOfOne(query + 1, points.length, where, weight);
}
