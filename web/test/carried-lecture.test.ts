// SPDX-License-Identifier: Apache-2.0
// A lecture that leaves the browser, and what arrives.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { heldWeights } from '../src/engine/kept.ts';
import type { Doc, Json } from '../src/engine/types.ts';
import { numbersIn, readWeights } from '../src/files/weights.ts';
import { carry, type Carried, fileOf, linkTo } from '../src/lecture/carried.ts';
import { readLecture } from '../src/state/lecture.ts';
import { momentOf } from '../src/lecture/trained.ts';
import { land } from '../src/state/incoming-weights.ts';
import { decode } from '../src/state/hash.ts';
import { type Decoded, parse } from '../src/state/parse.ts';
import type { TrainingDocument } from '../src/train/messages.ts';

const root = join(import.meta.dirname, '../../examples/trained/');
const bytes = new Uint8Array(readFileSync(`${root}translate.safetensors`));
const model = JSON.parse(readWeights(bytes).metadata['document']!) as TrainingDocument;
const plain = (seed: number): Doc => ({ schema: 'attention-playground/1', seed, inputs: { x: { tokens: ['a', 'b'] } },
  mechanism: { type: 'attention' } });

async function arrives(decoded: Decoded) {
  if ('problem' in decoded) throw new Error(decoded.problem);
  const landed = await land(decoded, false);
  if ('problem' in landed) throw new Error(landed.why);
  return { ...landed, lecture: readLecture(landed.lecture)! };
}
const sent = (carried: Carried): Decoded => {
  const link = linkTo(carried);
  if (!('link' in link)) throw new Error(`${link.letters} letters`);
  return decode(link.link);
};

it('moments without weights arrive by file and by link, at the moment that was shown', async () => {
  const moments = [1, 2, 3].map((seed) => ({ name: `seed ${seed}`, document: plain(seed) }));
  const carried = await carry({ at: 1, moments, map: 'weights', head: 2 });
  for (const decoded of [parse(fileOf(carried)), sent(carried)]) {
    const { document, lecture } = await arrives(decoded);
    expect(document).toEqual(plain(2));
    expect(lecture).toEqual({ at: 1, moments, map: 'weights', head: 2 });
  }
});

it('a training arrives with the weights of its checkpoints, and says which steps it has none of', async () => {
  const [start, step, end] = [momentOf(model, 0, 'before', undefined), momentOf(model, 300, 'half', undefined),
    momentOf(model, 600, 'after', bytes)];
  expect(step).toBeUndefined();
  expect(start!.document).not.toHaveProperty('parameters.from', end!.file![0]);
  const moments = [start!, end!].map(({ name, document }) => ({ name, document }));
  // Of weights that are not here the moment stays, and is named.
  const left = await carry({ at: 1, moments }, new Map());
  expect([left.lacks, left.moments.map(({ name }) => name), left.at]).toEqual([['after'], ['before'], 0]);
  const carried = await carry({ at: 1, moments }, new Map([end!.file!]));
  expect(carried.lacks).toEqual([]);
  const { document, lecture } = await arrives(parse(fileOf(carried)));
  const { from } = document['parameters'] as { from: string };
  expect(lecture.moments.map(({ name }) => name)).toEqual(['before', 'after']);
  expect(lecture.moments[1]!.document).toEqual(document);
  const [own, here] = [readWeights(bytes), readWeights(heldWeights(from) as Uint8Array)];
  for (const [name, stored] of here.tensors) expect(numbersIn(stored), name).toEqual(numbersIn(own.tensors.get(name)!));
});

it('a link has room for weights up to a size, and otherwise says how long they are', async () => {
  const moments = [1, 2, 3, 4].map((step) => momentOf(model, step, `step ${step}`, bytes)!);
  const files = new Map(moments.map(({ file }) => file!));
  const carried = await carry({ at: 0, moments: moments.map(({ name, document }) => ({ name, document })) }, files);
  const link = linkTo(carried);
  expect('letters' in link ? link.letters : 0).toBeGreaterThan(96_000);
});

it('what strangers wrote is read as far as it can be trusted', () => {
  const good = { name: 'n', document: plain(1) as unknown as Json };
  for (const wrong of [undefined, null, 7, [], {}, { moments: [] }, { moments: [{ name: 'x' }] },
    { moments: [{ name: 'x', document: { schema: 7 } }] }] as (Json | undefined)[])
    expect(readLecture(wrong)).toBeUndefined();
  expect(readLecture({ at: 99, moments: [good, 7, good] })).toMatchObject({ at: 1 });
  expect(readLecture({ at: -1, map: 7, head: 'x', moments: Array.from({ length: 50 }, () => good) } as Json))
    .toMatchObject({ at: 0, moments: { length: 20 } });
  expect(readLecture({ moments: [{ name: 'x'.repeat(999), document: good.document }] })!.moments[0]!.name)
    .toHaveLength(120);
});
