// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import type { Timed } from '../engine/timed.ts';
import type { Doc, Located } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { grown, sizes } from './grow.ts';

export interface Sample extends Timed {
  n: number;
}

export interface Curve {
  name: string;
  samples: Sample[];
  /** Why there are no larger sizes, where the engine says so. */
  refused?: { n: number; message: string };
}

// A size that takes longer than this is the last: the next would take four times as long, or more.
const LONGEST = 300;
const SEEDS = [1, 2, 3];

/** Measures doubling sizes until one takes long, is refused, or the client is closed; tells of each. */
export async function measure(client: Client, book: Book, name: string, document: Doc,
  tell: (curve: Curve, share: number) => void): Promise<Curve> {
  const curve: Curve = { name, samples: [] };
  const all = sizes();
  for (const [k, n] of all.entries()) {
    const documents = SEEDS.map((seed) => JSON.stringify(grown(book, document, n, seed)));
    const answer = await client.send({ kind: 'time', documents });
    if (!answer) return curve;
    const found = JSON.parse(answer.text) as Timed | { ok: false; error: Located };
    if ('ok' in found) {
      curve.refused = { n, message: found.error.message };
      break;
    }
    curve.samples.push({ n, ...found });
    tell(curve, (k + 1) / all.length);
    if (found.ms > LONGEST) break;
  }
  tell(curve, 1);
  return curve;
}
