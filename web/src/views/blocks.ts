// SPDX-License-Identifier: Apache-2.0
import { html } from 'lit';
import { domainOf } from '../colour/scale.ts';
import { axisOf, type Typed } from '../directory/typed.ts';
import { Plane, type Tensor } from '../engine/result.ts';
import '../flow/matrix.ts';
import { strings } from '../strings/en.ts';
import { csv, nameAt, planeOf, type Subject, type View } from './view.ts';

const ROLES: ReadonlySet<string> = new Set(['mask', 'scores', 'weights']);

// What a query chooses or scores that is no single key: a column for each block of keys.
const choosesBlocks = ({ role, dimensions }: Typed, shape: readonly number[]): boolean =>
  ROLES.has(role) && dimensions.at(-1)?.role === 'feature' && dimensions.at(-2)?.role === 'query'
    && shape.at(-1)! > 1 && shape.at(-1)! < shape.at(-2)!;

/** How many keys a block has, where that follows from their counts alone; else undefined. */
export function blockSize(keys: number, blocks: number): number | undefined {
  const fits = Array.from({ length: keys }, (_, k) => k + 1).filter((size) => Math.ceil(keys / size) === blocks);
  return fits.length === 1 ? fits[0] : undefined;
}

/** A map over blocks as one over their keys, so that its columns stand where those of the attention map do. */
export function overKeys(plane: Plane, keys: number, size: number): Plane {
  const data = Float32Array.from({ length: plane.rows * keys },
    (_, at) => plane.at(Math.floor(at / keys), Math.floor((at % keys) / size)));
  const tensor: Tensor = { ...plane.tensor, data, shape: [plane.rows, keys],
    axes: [plane.tensor.axes[plane.rowAxis] ?? '', ''], places: [plane.tensor.places[plane.rowAxis] ?? '', ''],
    dimensions: [{ role: 'query' }, { role: 'key' }] };
  return new Plane(tensor, 0, 1, [0, 0]);
}

function chosenOf(plane: Plane, row: number): number[] {
  return Array.from({ length: plane.cols }, (_, col) => col).filter((col) => plane.at(row, col) !== 0);
}

/** Which blocks of keys a query chooses, and how it scored them: each block as wide as its keys. */
export const blocks: View = {
  id: 'blocks',
  rank: 42,
  accepts: choosesBlocks,
  draw(subject, { width }) {
    const plane = planeOf(subject, [axisOf(subject.typed, 'query'), subject.typed.dimensions.length - 1]);
    const keys = plane.rows;
    const block = blockSize(keys, plane.cols);
    const shown = block === undefined ? plane : overKeys(plane, keys, block);
    const kind = subject.typed.kind === 'probability' ? 'weights' : 'signed';
    const h = Math.min(22 * plane.rows, Math.max(24, (width * plane.rows) / shown.cols));
    return html`<div class="blocks"><ap-matrix ?still=${block !== undefined} data-tensor=${subject.tensor.name}
      .plane=${shown} .kind=${kind} .domain=${domainOf(subject.tensor.data, kind)} .w=${width} .h=${h}></ap-matrix>
      <ol class="block-names" aria-hidden="true">${Array.from({ length: plane.cols }, (_, c) => html`<li>${
        block === undefined ? c : keysOf(subject, c, block, keys)}</li>`)}</ol></div>`;
  },
  says(subject) {
    const plane = planeOf(subject, [axisOf(subject.typed, 'query'), subject.typed.dimensions.length - 1]);
    const last = plane.rows - 1;
    return strings.pictures.blocks(plane.rows, plane.cols, nameAt(subject, plane.rowAxis, last),
      chosenOf(plane, last).join(', '));
  },
  exports: (subject) => csv(subject),
};

function keysOf(subject: Subject, block: number, size: number, keys: number): string {
  const [from, to] = [block * size, Math.min(keys, (block + 1) * size) - 1];
  const axis = axisOf(subject.typed, 'query');
  return from === to ? nameAt(subject, axis, from) : `${nameAt(subject, axis, from)} – ${nameAt(subject, axis, to)}`;
}
