// SPDX-License-Identifier: Apache-2.0
import type { Client } from '../engine/client.ts';
import type { Timed } from '../engine/timing.ts';
import type { Doc, Located } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { grown, sizesFor } from './grow.ts';

export interface Sample extends Timed {
  n: number;
}

export interface Curve {
  name: string;
  samples: Sample[];
  /** Why there are no larger sizes, where the engine says so. */
  refused?: { n: number; message: string };
}

/** A size that takes longer than this is the last: the next would take four times as long, or more. */
export const LONGEST = 300;
export const SEEDS = [1, 2, 3];

type Found = Timed | { ok: false; error: Located };

async function timedOnce(client: Client, documents: string[]): Promise<Found | undefined> {
  const answer = await client.send({ kind: 'time', documents });
  return answer && (JSON.parse(answer.text) as Found);
}

/** Of what took long the faster of two: something else may have held the machine up. */
export async function timed(client: Client, documents: string[]): Promise<Found | undefined> {
  const found = await timedOnce(client, documents);
  if (!found || 'ok' in found || found.ms <= LONGEST) return found;
  const again = await timedOnce(client, documents);
  return again && !('ok' in again) && again.ms > found.ms ? found : again;
}

/** Measures doubling sizes until one takes long, is refused, or the client is closed; tells of each. */
export async function measure(client: Client, book: Book, name: string, document: Doc,
  tell: (curve: Curve, share: number) => void): Promise<Curve> {
  const curve: Curve = { name, samples: [] };
  const all = sizesFor(document);
  // A run before the first point is thrown away: the engine has just started, and its code is still being compiled.
  await timedOnce(client, [JSON.stringify(grown(book, document, all[0]!, SEEDS[0]!))]);
  for (const [k, n] of all.entries()) {
    const documents = SEEDS.map((seed) => JSON.stringify(grown(book, document, n, seed)));
    const found = await timed(client, documents);
    if (!found) return curve;
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
