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
  const computed = attend(await page.document());
  const names = ['weights', 'context'].filter((name) => computed.outputs[name] && computed.outputs[name].shape.length <= 3);
  const found = names.length > 0 ? names : Object.keys(computed.outputs).filter((name) => computed.outputs[name].shape.length <= 2);
  for (const name of found) same(await page.table(name), matrix(computed.outputs[name]), `${what}: ${name}`);
  ok(found.length > 0, `${what}: nothing to compare`);
}
