// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import { colourOf, type Theme } from '../colour/scale.ts';
import { inCell } from '../colour/numbers.ts';
import type { Link, Picture } from './messages.ts';
import { words } from './words.ts';

const CELL = 34;
const LABEL = 74;
const HEAD = 58;
/** Smaller weights are coloured, not printed. */
const PRINTED = 0.1;

export interface Chosen {
  map: number;
  /** Undefined is the mean of all heads. */
  head: number | undefined;
}

/** Height and width in places of a map over an image: a coarser grid of the image's proportions. */
export function gridOf([height, width]: readonly number[], places: number): [number, number] {
  const rows = Math.max(1, Math.round(Math.sqrt((places * height!) / width!)));
  return [rows, Math.round(places / rows)];
}

/** What a map's columns are called: words, or of an image row and column of each place, which count from 0. */
export function columnNames({ source, image }: Pick<Picture, 'source' | 'image'>, columns: number): string[] {
  if (!image) return source.slice(0, columns);
  const [, wide] = gridOf(image, columns);
  return Array.from({ length: columns }, (_, place) => `${Math.floor(place / wide)},${place % wide}`);
}

/** The weights [rows columns] of one map of a picture. */
export function weightsOf(picture: Picture, { map, head }: Chosen): Float32Array {
  let start = 0;
  for (const { shape } of picture.maps.slice(0, map)) start += shape[0] * shape[1] * shape[2];
  const [heads, rows, columns] = picture.maps[map]!.shape;
  const size = rows * columns;
  if (head !== undefined) return picture.weights.subarray(start + head * size, start + (head + 1) * size);
  const mean = new Float32Array(size);
  for (let h = 0; h < heads; h++)
    for (let k = 0; k < size; k++) mean[k]! += picture.weights[start + h * size + k]! / heads;
  return mean;
}

interface Grid {
  rows: string[];
  columns: string[];
  name: string;
}

function frame({ rows, columns, name }: Grid, cells: unknown): unknown {
  const [width, height] = [LABEL + columns.length * CELL + 40, HEAD + rows.length * CELL + 2];
  return html`<svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label=${name}
    direction="ltr">
    ${columns.map((word, j) => svg`<text class="label" x=${LABEL + j * CELL + 14} y=${HEAD - 8}
      transform="rotate(-45 ${LABEL + j * CELL + 14} ${HEAD - 8})">${word}</text>`)}
    ${rows.map((word, i) => svg`<text class="label" x=${LABEL - 8} y=${HEAD + i * CELL + 21}
      text-anchor="end">${word}</text>`)}
    ${cells}</svg>`;
}

const place = (i: number, j: number) => ({ x: LABEL + j * CELL, y: HEAD + i * CELL });

/** The learned map, each cell with its number where it is not small. */
export function learned(picture: Picture, chosen: Chosen, theme: Theme, outlined = false): unknown {
  const weights = weightsOf(picture, chosen);
  const [, rows, columns] = picture.maps[chosen.map]!.shape;
  const labels = picture.truth.slice(0, rows);
  const sources = columnNames(picture, columns);
  const strongest = labels.map((row, i) => {
    const own = weights.subarray(i * columns, (i + 1) * columns);
    const best = own.indexOf(maximum(own));
    return words().cell(row, sources[best] ?? '', inCell(own[best]!, true));
  });
  return frame({ rows: labels, columns: sources, name: `${words().weights}: ${strongest.join('; ')}` },
    labels.map((row, i) => sources.map((column, j) => {
    const weight = weights[i * columns + j]!;
    const { fill, ink } = colourOf(weight, [0, 1], 'weights', theme);
    const { x, y } = place(i, j);
    return svg`<rect data-row=${i} data-column=${j} data-weight=${weight} x=${x + 0.5} y=${y + 0.5} width=${CELL - 1}
      height=${CELL - 1} fill=${fill}><title>${words().cell(row, column, inCell(weight, true))}</title></rect>
      ${weight >= PRINTED ? svg`<text class="number" x=${x + CELL / 2} y=${y + CELL / 2 + 4} text-anchor="middle"
        fill=${ink}>${inCell(weight, true)}</text>` : nothing}${
        outlined ? outline(linked(picture, i, j), x, y) : nothing}`;
  })));
}

const linked = ({ links }: Picture, i: number, j: number) =>
  links.find(([row, column]) => row === i && column === j)?.[2];
const outline = (kind: Link[2] | undefined, x: number, y: number): unknown =>
  kind === undefined ? nothing : svg`<rect class=${kind === 'means' ? 'meant' : 'agrees'} x=${x + 2} y=${y + 2}
    width=${CELL - 4} height=${CELL - 4} />`;

/** The known alignment: filled where a word means another, dashed where its form depends on it. */
export function truth(picture: Picture): unknown {
  const rows = picture.truth;
  const columns = picture.source;
  const spoken = picture.links.map(([i, j, kind]) =>
    `${rows[i]} ${kind === 'means' ? words().means : words().agrees} ${columns[j]}`).join('; ');
  return frame({ rows, columns, name: `${words().truth}: ${spoken}` }, rows.map((_, i) => columns.map((_, j) => {
    const { x, y } = place(i, j);
    const kind = linked(picture, i, j);
    return svg`<rect class="empty" x=${x + 0.5} y=${y + 0.5} width=${CELL - 1} height=${CELL - 1} />
      ${kind === 'means' ? svg`<rect class="means" x=${x + 0.5} y=${y + 0.5} width=${CELL - 1} height=${CELL - 1} />`
        : nothing}
      ${kind === 'agrees' ? svg`<rect class="agrees" x=${x + 5} y=${y + 5} width=${CELL - 10} height=${CELL - 10} />`
        : nothing}`;
  })));
}

/** What the model wrote, word by word beside the rows. */
export function wrote(picture: Picture): unknown {
  return html`<ol class="wrote" aria-label=${words().wrote}>${picture.truth.map((right, k) => {
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
  if (!map || meant.size === 0) return undefined;
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
