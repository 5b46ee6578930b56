// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { attend, matrix, same } from './attend.mjs';

export function equal(got, wanted, what) {
  if (!isDeepStrictEqual(got, wanted)) throw new Error(`${what}: got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}`);
}

export function ok(value, what) {
  if (!value) throw new Error(what);
}

/** The numbers on the page against the native program's, for the document that the page holds. */
export async function compare(page, what) {
  const { document, tensors, axes } = await page.run(`
    const { store } = document.querySelector('attention-playground');
    return {
      document: store.documents.document,
      tensors: find(['ap-matrix[data-tensor]'], true).map((e) => e.dataset.tensor),
      axes: Object.fromEntries(store.sessions.result.all('outputs').map((t) => [t.name, t.axes])),
    };`);
  const computed = attend(document);
  const drawn = new Set(tensors);
  const all = Object.keys(computed.outputs).filter((name) => drawn.has(name));
  const main = all.filter((name) => /(^|\.)(weights|context)\d?$/.test(name));
  const found = main.length > 0 ? main : all;
  for (const name of found) same(await page.table(name), matrix(computed.outputs[name], axes[name]), `${what}: ${name}`);
  ok(found.length > 0, `${what}: nothing to compare`);
}
