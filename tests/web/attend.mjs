// SPDX-License-Identifier: Apache-2.0
// The same document through the native program: what the page should show.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = process.env.ATTEND ?? fileURLToPath(new URL('../../build/bin/attend', import.meta.url));
// Where documents find the files of weights that they name.
const trained = fileURLToPath(new URL('../../examples/trained/', import.meta.url));
const CLOSE = 1e-4;

export function attend(document) {
  const { status, stdout, stderr } = spawnSync(program, ['run', '-'], {
    input: JSON.stringify(document), encoding: 'utf8', maxBuffer: 1 << 28, cwd: trained,
  });
  if (status !== 0) throw new Error(`attend refuses (${status}): ${stderr}\n${JSON.stringify(document)}`);
  return JSON.parse(stdout);
}

/** A small document that puts a mechanism to work. */
export const example = (id) => JSON.parse(spawnSync(program, ['example', id], { encoding: 'utf8' }).stdout);

/** The matrix of a tensor that the page draws first: two of its axes, the others held at 0. */
export function matrix({ shape, data }, axes = []) {
  const found = [['m', 'n'], ['H', 'W']].map((pair) => pair.map((axis) => axes.indexOf(axis))).find((pair) => !pair.includes(-1));
  const [down, across] = shape.length > 2 && found ? found : [shape.length - 2, shape.length - 1];
  const stride = (axis) => (axis < 0 ? 0 : shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const size = (axis) => (axis < 0 ? 1 : shape[axis]);
  return Array.from({ length: size(down) }, (_, i) =>
    Array.from({ length: size(across) }, (_, j) => data[i * stride(down) + j * stride(across)]));
}

// A table on the page shows this many rows and columns of a large matrix, and says that there are more.
const SHOWN = 64;
const part = (list) => (list.length > SHOWN ? list.slice(0, SHOWN) : list);

export function same(shown, whole, what) {
  const wanted = part(whole).map(part);
  if (shown.length !== wanted.length) throw new Error(`${what}: ${shown.length} rows shown, ${wanted.length} computed`);
  let compared = 0;
  shown.forEach((row, i) => {
    if (row.length !== wanted[i].length) throw new Error(`${what}: row ${i} has ${row.length} cells, not ${wanted[i].length}`);
    row.forEach((value, j) => {
      if (value === null) return;
      compared++;
      const gap = Math.abs(value - wanted[i][j]);
      if (!(gap <= CLOSE * Math.max(1, Math.abs(wanted[i][j])))) {
        throw new Error(`${what}[${i}][${j}]: the page shows ${value}, attend computes ${wanted[i][j]}`);
      }
    });
  });
  if (compared === 0) throw new Error(`${what}: no number was compared`);
  return compared;
}
