// SPDX-License-Identifier: Apache-2.0
import { domainOf } from '../colour/scale.ts';
import { HEAD } from '../directory/places.ts';
import { strings } from '../strings/en.ts';
import type { Offered } from '../take/offered.ts';
import { scaleOf } from './maps.ts';
import type { Study } from './study.ts';
import { words } from './words.ts';

/** Both maps on one scale and their difference, as matrices of a figure. */
export function mapsOf({ maps, form, given, result, store }: Study): Offered[] {
  if (!maps || !form || !given?.map || !result) return [];
  const { map } = given;
  const { rows, cols, mask, apart } = maps;
  const heads = map.places.indexOf(HEAD);
  const head = heads < 0 || map.shape[heads]! < 2 ? ''
    : `${strings.comma}${words().head((store.selection.chosen[HEAD] ?? 0) + 1)}`;
  const shown = { ...scaleOf(maps), mask };
  const one = (name: string, title: string, data: Float32Array, look = shown, side?: string): Offered => ({ result,
    title: title + head, side, shown: look, tensor: { ...map, name, shape: [rows, cols], data,
      places: map.places.slice(-2), dimensions: (map.dimensions ?? []).slice(-2) } });
  const b = one('compare.B', words().implied(form.mechanism.title), maps.b, shown, 'B');
  return apart.equal ? [b] : [one('compare.A', words().softmax, maps.a, shown, 'A'),
    one('compare.difference', words().difference, apart.difference,
      { kind: 'signed', domain: domainOf(apart.difference, 'signed'), mask }), b];
}
