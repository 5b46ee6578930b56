// SPDX-License-Identifier: Apache-2.0
// The same document through the native program: what the page should show.
import { fileURLToPath } from 'node:url';
import { finished } from './files.mjs';

const program = process.env.ATTEND ?? fileURLToPath(new URL('../../build/bin/attend', import.meta.url));
const program64 = process.env.ATTEND64 ?? fileURLToPath(new URL('../../build/bin/attend64', import.meta.url));
// Where documents find the files of weights that they name.
const trained = fileURLToPath(new URL('../../examples/trained/', import.meta.url));
const CLOSE = 1e-4;

/** The same in double precision. */
export const attend64 = (document) => attend(document, program64);

export async function attend(document, by = program) {
  const { status, stdout, stderr } = await finished(by, ['run', '-'], JSON.stringify(document), { cwd: trained });
  if (status !== 0) throw new Error(`attend refuses (${status}): ${stderr}\n${JSON.stringify(document)}`);
  return JSON.parse(stdout);
}

/** What any command prints. */
export async function attendSays(words, input = '') {
  const { status, stdout, stderr } = await finished(program, words, input, { cwd: trained });
  if (status !== 0) throw new Error(`attend ${words.join(' ')} (${status}): ${stderr}`);
  return stdout;
}

/** A small document that puts a mechanism to work. */
export const example = async (id) => JSON.parse((await finished(program, ['example', id])).stdout);

/** Rows and columns of a tensor: these two axes run (-1: none does), the others stay at one place. */
export function slice({ shape, data }, { down, across, held = [] }) {
  const stride = (axis) => (axis < 0 ? 0 : shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const size = (axis) => (axis < 0 ? 1 : shape[axis]);
  const start = shape.reduce((at, _, axis) =>
    at + (axis === down || axis === across ? 0 : (held[axis] ?? 0) * stride(axis)), 0);
  return Array.from({ length: size(down) }, (_, i) =>
    Array.from({ length: size(across) }, (__, j) => data[start + i * stride(down) + j * stride(across)]));
}

/** The matrix of a tensor's last two axes. */
export const matrix = (tensor) => slice(tensor, { down: tensor.shape.length - 2, across: tensor.shape.length - 1 });

// A table on the page shows this many rows and columns of a large matrix, and says that there are more.
const SHOWN = 64;
const part = (list) => (list.length > SHOWN ? list.slice(0, SHOWN) : list);

/**
 * Cell by cell. `unsure` is how far single precision itself is off somewhere in this matrix: the page, which adds in
 * another
 * order, may be off as far.
 */
export function same(shown, whole, what, unsure = 0) {
  const wanted = part(whole).map(part);
  if (shown.length !== wanted.length) throw new Error(`${what}: ${shown.length} rows shown, ${wanted.length} computed`);
  let compared = 0;
  shown.forEach((row, i) => {
    if (row.length !== wanted[i].length)
      throw new Error(`${what}: row ${i} has ${row.length} cells, not ${wanted[i].length}`);
    row.forEach((value, j) => {
      if (value === null) return;
      compared++;
      const gap = Math.abs(value - wanted[i][j]);
      if (!(gap <= Math.max(2 * unsure, CLOSE * Math.max(1, Math.abs(wanted[i][j]))))) {
        throw new Error(`${what}[${i}][${j}]: the page shows ${value}, attend computes ${wanted[i][j]}`);
      }
    });
  });
  if (compared === 0) throw new Error(`${what}: no number was compared`);
  return compared;
}
