// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { html } from 'lit';
import { inCell } from '../colour/numbers.ts';
import type { Frame, Names } from '../elements/heat-element.ts';
import '../elements/heat-element.ts';
import type { Cell } from '../elements/pointing.ts';
import { mapOf, tensorOf } from '../elements/tensor.ts';
import { Plane } from '../engine/result.ts';
import { place } from '../styles/place.ts';
import { typedMap } from './map-types.ts';
import { columnsOf, linksOn, rowNames } from './map-words.ts';
import type { Marks } from './marks.ts';
import type { Link, Picture } from './messages.ts';
import { words } from './words.ts';

const CELL = 34;
const [LABEL, HEAD, BEYOND] = [74, 58, 40];

export interface Chosen {
  map: number;
  /** Undefined is the mean of all heads. */
  head: number | undefined;
}

const known = new WeakMap<Float32Array, Map<string, Plane>>();

/** One map of a picture, typed as results are; the same numbers are the same plane. */
export function planeOf(picture: Picture, { map, head }: Chosen): Plane {
  const planes = known.get(picture.weights) ?? new Map<string, Plane>();
  known.set(picture.weights, planes);
  const key = `${map} ${head ?? 'mean'}`;
  let plane = planes.get(key);
  if (!plane) planes.set(key, plane = head === undefined ? meanOf(picture, map) : headOf(picture, map, head));
  return plane;
}

function headOf({ maps, weights }: Picture, map: number, head: number): Plane {
  const start = maps.slice(0, map).reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  const entry = maps[map]!;
  const tensor = tensorOf({ ...typedMap(entry), data: weights.subarray(start, start + sizeOf(entry.shape)) });
  return new Plane(tensor, 1, 2, [head, 0, 0]);
}

function meanOf(picture: Picture, map: number): Plane {
  const { name, shape: [heads, rows, columns] } = picture.maps[map]!;
  const all = headOf(picture, map, 0).tensor.data;
  const mean = new Float32Array(rows * columns);
  for (let k = 0; k < all.length; k++) mean[k % mean.length]! += all[k]! / heads;
  return mapOf(mean, rows, columns, name);
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** The weights [rows columns] of one map of a picture. */
export function weightsOf(picture: Picture, chosen: Chosen): Float32Array {
  const { tensor: { data }, start, rows, cols } = planeOf(picture, chosen);
  return data.subarray(start, start + rows * cols);
}

const names = (down: readonly string[], across: readonly string[]): Names => ({ down, across, left: LABEL, top: HEAD,
  right: BEYOND });

interface Look {
  /** The true alignment is outlined on it. */
  outlined?: boolean;
  /** What becomes of a cell that is chosen. */
  hold?: (row: number, column: number) => void;
}

/** The learned map, each cell with its number where it is not small. */
export function learned(picture: Picture, chosen: Chosen, { outlined = false, hold }: Look = {}): unknown {
  const plane = planeOf(picture, chosen);
  const { rows, cols } = plane;
  const labels = rowNames(picture, chosen.map);
  const sources = columnsOf(picture, chosen.map);
  const says = (row: number, column: number): string =>
    words().cell(labels[row] ?? '', sources[column] ?? '', inCell(plane.at(row, column), true));
  const weights = weightsOf(picture, chosen);
  const strongest = labels.map((_, row) => {
    const own = weights.subarray(row * cols, (row + 1) * cols);
    return says(row, own.indexOf(maximum(own)));
  });
  return html`<ap-heat ?active=${hold !== undefined} .plane=${plane} .domain=${[0, 1]} .w=${cols * CELL}
    .h=${rows * CELL} .names=${names(labels, sources)} .says=${says}
    .frames=${outlined ? outlines(linksOn(picture, chosen.map)) : NONE}
    .label=${`${words().weights}: ${strongest.join('; ')}`}
    @cell-hold=${(e: CustomEvent<Cell>) => hold?.(...e.detail)}></ap-heat>`;
}

const NONE: readonly Frame[] = [];
const outlines = (links: readonly Link[]): Frame[] =>
  links.map(([row, column, kind]) => ({ cell: [row, column], is: kind === 'means' ? 'solid' : 'dashed' }));

/** The known alignment: filled where the answer comes from, dashed where else it depends on. */
export function truth(picture: Picture, marks: Marks): unknown {
  const { truth: rows, source: columns, links } = picture;
  const spoken = links.map(([i, j, kind]) =>
    `${rows[i]}: ${columns[j]}, ${marks[kind]}`).join('; ');
  const data = new Float32Array(rows.length * columns.length);
  for (const [i, j, kind] of links) if (kind === 'means') data[i * columns.length + j] = 1;
  return html`<ap-heat .plane=${mapOf(data, rows.length, columns.length)} .domain=${[0, 1]} .type=${0}
    .w=${columns.length * CELL} .h=${rows.length * CELL} .names=${names(rows, columns)}
    .frames=${outlines(links).map((one): Frame => (one.is === 'solid' ? { ...one, is: 'filled' } : one))}
    .label=${`${words().truth}: ${spoken}`}></ap-heat>`;
}

/** What the model wrote, word by word beside the rows that give it; so many rows of the map are above them. */
export function wrote(picture: Picture, above: number): unknown {
  return html`<ol class="wrote" aria-label=${words().wrote} ${
    place({ 'padding-top': HEAD + above * CELL })}>${picture.truth.map((right, k) => {
    const written = picture.written[k] ?? '';
    return written === right || picture.outside ? html`<li><bdi>${written}</bdi></li>`
      : html`<li class="wrong"><b><bdi>${written || '–'}</bdi></b> <span
        class="quiet">${words().not(right)}</span></li>`;
  })}</ol>`;
}

/** The same in one line, for phones: a sentence, which runs as its own words do. */
export function wroteInLine(picture: Picture): unknown {
  return html`<p class="in-line"><span class="quiet">${words().wrote}</span> <bdi>${picture.truth.map((right, k) => {
    const written = picture.written[k] ?? '';
    return written === right || picture.outside ? html`<span>${written} </span>`
      : html`<b class="bad">${written || '–'} </b>`;
  })}</bdi></p>`;
}

/** Of the rows that mean something, the share whose largest weight, over all heads, lies there. */
export function pinnedRight(picture: Picture): number | undefined {
  const [map] = picture.maps;
  const meant = new Map<number, number[]>();
  for (const [row, column, kind] of picture.links)
    if (kind === 'means') meant.set(row, [...(meant.get(row) ?? []), column]);
  if (!map || map.words || meant.size === 0) return undefined;
  const weights = weightsOf(picture, { map: 0, head: undefined });
  const columns = map.shape[2];
  const right = [...meant].filter(([row, known]) => {
    const own = weights.subarray(row * columns, (row + 1) * columns);
    return known.includes(own.indexOf(maximum(own)));
  });
  return right.length / meant.size;
}

/** How many words of the pinned example are right. */
export const rightWords = ({ truth: right, written }: Picture): number =>
  right.filter((word, k) => word === written[k]).length;
