// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { cataloguePath, engineIsBuilt } from '../plugins/engine-path.ts';
import { startEngine } from '../plugins/engine-start.ts';
import { figures } from '../plugins/measured.ts';
import { cellKey, fromBase64, keyOf, recordedEngine } from '../plugins/recorded-engine.ts';
import { record, recordedCatalogue, recordedDocuments, recordedFigures, recordings } from '../plugins/recordings.ts';
import { difference } from '../src/engine/difference.ts';
import type { Catalogue, Doc, Engine, Json } from '../src/engine/types.ts';

const AGAIN = 'record again: node tools/record_engine.mjs';
const files = recordings();
const all = Object.values(files).flat();
let engine: Engine;
beforeAll(async () => {
  // Without the engine, recordings would be compared with themselves.
  if (!engineIsBuilt()) throw new Error('build/wasm is missing: run ./play --build');
  engine = await startEngine();
});

describe('what is recorded is what the engine answers', () => {
  it('for these documents', () => {
    const now = recordedDocuments(engine);
    expect(Object.keys(files).sort()).toEqual(Object.keys(now).sort());
    for (const [name, documents] of Object.entries(now))
      expect(files[name]!.map(({ document }) => document), `${name}.json: ${AGAIN}`).toEqual(documents);
  });

  it.each(Object.keys(files))('%s: its tensors, every number and the explanation of every cell', (name) => {
    for (const one of files[name]!) {
      expect(Object.keys(one.explanations).length).toBeGreaterThan(0);
      expect(one, `${name}.json: ${AGAIN}`).toEqual(record(engine, one.document));
    }
  });

  it('the figures of the first model', async () => {
    expect(recordedFigures(), AGAIN).toEqual(await figures(files['example']![0]!.document as never));
  });

  // A new mechanism or system needs no new recording.
  it('every record of the catalogue, whose English words are those of data/catalogue/en', () => {
    const built = JSON.parse(readFileSync(cataloguePath, 'utf8')) as Catalogue;
    const recorded = recordedCatalogue();
    expect(recorded.schema).toBe(built.schema);
    for (const list of ['mechanisms', 'systems', 'measures'] as const) {
      const now = new Map(built[list]!.map((one) => [one.id, one]));
      for (const one of recorded[list]!) expect(one, `${one.id}: ${AGAIN}`).toEqual(now.get(one.id));
    }
  });
});

describe('the stand-in for the engine', () => {
  const standIn = (told?: (message: string) => void) => recordedEngine(all, told);
  const { document, directory, data } = files['bahdanau']![0]!;
  const other: Doc = { ...document, seed: 99 };
  const parsed = (text: string) => JSON.parse(text) as { handle: number; error: { message: string } };

  it('opens, changes and reads a recorded document, whatever the order of its members', () => {
    const module = standIn();
    const turned = Object.fromEntries(Object.entries(files['example']![0]!.document).reverse());
    const { handle } = parsed(module.open(JSON.stringify(turned)));
    const changes = JSON.stringify(difference(files['example']![0]!.document as Json, document as Json));
    expect(parsed(module.change(handle, changes, '[]', new Float64Array()))).toEqual({ handle });
    expect(parsed(module.step(handle, 50))).toEqual({ share: 1 });
    const answer = module.readSince(handle, 0);
    expect(JSON.parse(answer.directory)).toEqual({ ...directory, read: 1 });
    expect(answer.data).toEqual(fromBase64(data));
    expect(answer.data).toEqual(engine.run(JSON.stringify(document)).data);
    expect(JSON.parse(module.explainOpen(handle, 'weights', '[0, 1]')))
      .toEqual(JSON.parse(engine.explain(JSON.stringify(document), 'weights', '[0,1]')));
    expect(Object.keys(files['bahdanau']![0]!.explanations)).toContain(cellKey('weights', '[0,1]'));
    expect(keyOf(turned as Json)).toBe(keyOf(files['example']![0]!.document as Json));
  });

  it('refuses what is not recorded, says how to get the engine, and keeps the document that was open', () => {
    const told: string[] = [];
    const module = standIn((message) => told.push(message));
    const message = /answer of .+ is not recorded for this document; \.\/play builds the engine; .+Bahdanau 2015/;
    const run = module.run(JSON.stringify(other));
    expect(run.data.length).toBe(0);
    expect(JSON.parse(run.directory)).toEqual({ ok: false,
      error: { path: '', message: expect.stringMatching(message) } });
    const { handle } = parsed(module.open(JSON.stringify(document)));
    for (const text of [module.change(handle, '{"/seed":99}', '[]', new Float64Array()), module.open('{}'),
      module.explainOpen(handle, 'weights', '[99,0]'), module.written('{}'), module.kept('{}', '{}'),
      module.exportCode('{}', 'python', '{}'), module.example('additive')])
      expect(parsed(text).error.message).toMatch(message);
    expect(JSON.parse(module.document(handle))).toEqual(document);
    expect(told.length).toBe(8);
    module.close(handle);
    expect(parsed(module.step(handle, 1)).error.message).toMatch(/step/);
  });
});
