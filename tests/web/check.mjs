// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { attend, attend64, same, slice } from './attend.mjs';

export function equal(got, wanted, what) {
  if (!isDeepStrictEqual(got, wanted))
    throw new Error(`${what}: got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`);
}

export function ok(value, what) {
  if (!value) throw new Error(what);
}

const furthest = (one, other) =>
  Math.max(...one.flatMap((row, i) => row.map((value, j) => Math.abs(value - other[i][j]))));

/** The numbers on the page against the native program's, for the document that the page holds. */
export async function compare(page, what) {
  // Which axes run down and across is the page's choice; the numbers are the program's.
  const { document, drawn } = await page.run(`
    const { store } = document.querySelector('attention-playground');
    return { document: store.documents.document,
      drawn: find(['ap-matrix[data-tensor]'], true).map((e) => e.dataset.tensor) };`);
  const computed = await attend(document);
  const all = Object.keys(computed.outputs).filter((name) => drawn.includes(name));
  const main = all.filter((name) => /(^|\.)(weights|context)\d?$/.test(name));
  const found = main.length > 0 ? main : all;
  for (const name of found) {
    const shown = await page.table(name);
    const plane = await page.tablePlane(name);
    const wanted = slice(computed.outputs[name], plane);
    try {
      same(shown, wanted, `${what}: ${name}`);
    } catch {
      // An arc cosine near 1, for one, turns the last bit of its argument into a thousandth.
      same(shown, wanted, `${what}: ${name}`, furthest(wanted, slice((await attend64(document)).outputs[name], plane)));
    }
  }
  ok(found.length > 0, `${what}: nothing to compare`);
}

/** Does what waits for the page, up to so many times: training may take longer than one wait. */
export async function patiently(times, work) {
  for (let k = 1; ; k++) {
    try {
      return await work();
    } catch (problem) {
      if (k === times) throw problem;
    }
  }
}
