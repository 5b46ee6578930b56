// SPDX-License-Identifier: Apache-2.0
// A grid of filters that reads an image: one list of them runs over its columns, one over its rows, and each pair is a
// place that is read softly.
import { maximum, minimum } from '../lists.ts';
import { html, svg } from 'lit';
import { upTo } from '../colour/numbers.ts';
import { axisOf, timeOf, typed } from '../directory/typed.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { AxisRole } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { readsImage } from '../state/image-ports.ts';
import type { Size } from './pixels.ts';
import { words } from './words.ts';

export interface Filters {
  /** Lists of filters over the columns and over the rows: [.., filter, width] and [.., filter, height]. */
  across: Tensor;
  down: Tensor;
}

/** Where a filter looks along its axis, in pixels from the middle of the first one, and how widely. */
export interface Reach {
  middle: number;
  spread: number;
}

// A list of filters over this axis of the image, maybe one for each step.
const runsOver = (tensor: Tensor, role: AxisRole, size: number): boolean => {
  const types = typed(tensor);
  const count = types.dimensions.length;
  return axisOf(types, role) === count - 1 && types.dimensions[count - 2]?.role === 'feature'
    && tensor.shape.at(-1) === size && (count === 2 || (count === 3 && timeOf(types) === 0));
};

/** The filters of a module that reads this image, found by the axes of its results. */
export function filtersIn(book: Book, result: Result, input: string): Filters | undefined {
  const image = result.whole(input, 'inputs');
  if (!image) return undefined;
  for (const { name, type, inputs } of result.directory.modules ?? []) {
    const roles = book.named(type)?.roles ?? [];
    if (!roles.some((role) => inputs[role.name] === input && readsImage(role))) continue;
    const own = result.all('outputs').filter(({ within }) => within === name);
    const across = own.find((tensor) => runsOver(tensor, 'width', image.shape[1] ?? 0));
    const down = own.find((tensor) => runsOver(tensor, 'height', image.shape[0] ?? 0));
    if (across && down) return { across, down };
  }
  return undefined;
}

/** The middle and the spread of each filter of a list at a step; those that lie beside the image are left out. */
export function reaches(tensor: Tensor, step: number): Reach[] {
  const [filters, size] = tensor.shape.slice(-2) as [number, number];
  const start = tensor.shape.length > 2 ? Math.min(step, tensor.shape[0]! - 1) * filters * size : 0;
  return Array.from({ length: filters }, (_, k) => tensor.data.subarray(start + k * size, start + (k + 1) * size))
    .flatMap((row) => {
      const total = row.reduce((sum, x) => sum + x, 0);
      if (!(total > 0)) return [];
      const middle = row.reduce((sum, x, at) => sum + x * at, 0) / total;
      return [{ middle, spread: Math.sqrt(row.reduce((sum, x, at) => sum + x * (at - middle) ** 2, 0) / total) }];
    });
}

/** The step that is looked at, where the filters move. */
export const stepOf = ({ across }: Filters, chosen: Readonly<Record<string, number>>): number =>
  (across.shape.length > 2 ? (chosen[across.places[0] ?? ''] ?? across.shape[0]! - 1) : 0);

/** An ellipse for each pair of filters, as wide and as high as they spread, and the frame around their middles. */
export function filtersOn(filters: Filters, { height, width }: Size, step: number): unknown {
  const [across, down] = [reaches(filters.across, step), reaches(filters.down, step)];
  const unit = Math.max(height, width) / 96;
  const [xs, ys] = [across, down].map((list) => list.map(({ middle }) => middle + 0.5)) as [number[], number[]];
  const [left, top] = [minimum(xs), minimum(ys)];
  return html`<svg class="marks" data-part="filters" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"
    aria-hidden="true">${xs.length && ys.length ? svg`<rect class="reads" x=${left} y=${top}
    width=${maximum(xs) - left} height=${maximum(ys) - top} />` : ''}${down.flatMap((row) => across.map((col) =>
    svg`<ellipse class="filter" cx=${col.middle + 0.5} cy=${row.middle + 0.5} rx=${Math.max(unit, col.spread)}
    ry=${Math.max(unit, row.spread)} />`))}</svg>`;
}

/** The grid in a sentence: how many filters, around which place, and how widely each spreads. */
export function saysFilters(filters: Filters, step: number): string {
  const [down, across] = [reaches(filters.down, step), reaches(filters.across, step)];
  const mean = (list: readonly Reach[], of: (one: Reach) => number) =>
    list.reduce((sum, one) => sum + of(one), 0) / list.length;
  if (down.length === 0 || across.length === 0) return words().filtersBeside;
  return words().filters(down.length, across.length,
    words().between(upTo(1 + mean(down, (one) => one.middle), 2), upTo(1 + mean(across, (one) => one.middle), 2)),
    upTo(mean(across, (one) => one.spread), 2), upTo(mean(down, (one) => one.spread), 2));
}
