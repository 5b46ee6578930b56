// SPDX-License-Identifier: Apache-2.0
// The error of a form as a function of one of its knobs, on the same queries and keys, over several draws of what is
// random in it.
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import type { Result } from '../engine/result.ts';
import type { Doc } from '../engine/types.ts';
import { apartOf } from './size.ts';

export interface Tried {
  value: number;
  /** One a draw: the mean over rows of half the differences. */
  errors: number[];
  refused?: string;
}

export interface Sweep {
  client: Client;
  values: readonly number[];
  draws: number;
  /** The document of a value and a draw. */
  document: (value: number, seed: number) => Doc;
  /** The name of the map in a result. */
  map: (result: Result) => { name: string; data: Float32Array } | undefined;
  against: Float32Array;
  shape: readonly [rows: number, cols: number];
  tell: (tried: readonly Tried[], done: boolean) => void;
}

/** As many draws of every value, on a slow machine too: the same document shows the same curve everywhere. */
export async function sweep({ client, values, draws, document, map, against, shape, tell }: Sweep): Promise<void> {
  const tried = values.map((value): Tried => ({ value, errors: [] }));
  let name: string | undefined;
  for (let seed = 1; seed <= draws; seed++) {
    for (const one of tried) {
      if (one.refused !== undefined) continue;
      const asked = document(one.value, seed);
      const answer = await compute(client, name === undefined ? asked : { ...asked, outputs: [name] }, 'run');
      if (!answer) return;
      if (!answer.result) {
        one.refused = answer.error?.message ?? '';
        continue;
      }
      const found = map(answer.result);
      if (!found) continue;
      name = found.name;
      one.errors.push(apartOf(against, found.data, shape[0], shape[1]).meanRow);
      tell(tried, false);
    }
  }
  tell(tried, true);
}

export const middle = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return (sorted[Math.floor(at)]! + sorted[Math.ceil(at)]!) / 2;
};
