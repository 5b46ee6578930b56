// SPDX-License-Identifier: Apache-2.0
// Layers of a model that are changed together: which modules they are, and what one edit does to all of them.
import '../src/strings/en-later.ts';
import { expect, it } from 'vitest';
import { asOpened, isChanged } from '../src/part-by-part/other-document.ts';
import { reachOf } from '../src/controls/together.ts';
import { get } from '../src/engine/pointer.ts';
import { Result } from '../src/engine/result.ts';
import type { Directory, Doc, JsonObject } from '../src/engine/types.ts';
import { inAllLayers, switchHead } from '../src/heads/switched.ts';
import { Book } from '../src/state/catalogue.ts';
import { parametersCalled } from '../src/state/path-names.ts';
import { layersOf, samePart, takeOut } from '../src/state/layers.ts';
import { membersOf } from '../src/state/model.ts';
import { added, putInto } from '../src/state/proposals.ts';
import { sized } from '../src/state/sized.ts';
import { output } from './directory.ts';
import { catalogue, systemFiles } from './runs.ts';

const book = new Book(catalogue);
const block = (number: number, more: JsonObject = {}): JsonObject => ({ name: `block-${number}`, type: 'attention',
  inputs: { x: number === 1 ? 'x' : `block-${number - 1}` }, ...more });
const model = (...blocks: JsonObject[]): Doc => ({ schema: 's', inputs: { x: {} },
  model: [{ name: 'embedding', type: 'fm-embedding' }, ...blocks] } as unknown as Doc);

it('finds the layers of every system whose modules repeat, by their names', () => {
  const found = (id: string) => layersOf(membersOf(systemFiles.find((one) => one.id === id)!.document))
    .map(({ members }) => members.map(({ name }) => name));
  expect(found('llama')).toEqual([['block-1', 'block-2']]);
  expect(found('transformer')).toContainEqual(['cross-1', 'cross-2']);
  expect(found('rnnsearch')).toEqual([]);
});

it('finds the same part in the other layers, and of a list the item of the same mechanism', () => {
  const document = model(block(1, { score: 'dot', mask: ['mask-causal'] }),
    block(2, { score: { type: 'additive', hidden: 8 }, mask: ['mask-padding', 'mask-causal'] }),
    block(3, { score: { type: 'dot' } }));
  expect(samePart(document, '/model/1/score')).toEqual(['/model/1/score', '/model/2/score', '/model/3/score']);
  // A knob belongs to its mechanism.
  expect(samePart(document, '/model/2/score/hidden')).toEqual(['/model/2/score/hidden']);
  expect(samePart(document, '/model/1/mask/0')).toEqual(['/model/1/mask/0', '/model/2/mask/1']);
  expect(samePart(document, '/model/0/dim')).toEqual(['/model/0/dim']);
  expect(reachOf(document, '/model/1/score')).toEqual({ layers: 3, follow: 3, same: 1 });
  expect(reachOf(document, '/model/2/score/hidden')).toEqual({ layers: 3, follow: 1, same: 1 });
  expect(reachOf(document, '/model/0/dim')).toBeUndefined();
});

it('tells layers that are the same but for what they read', () => {
  expect(reachOf(model(block(1), block(2)), '/model/1')).toEqual({ layers: 2, follow: 2, same: 2 });
  expect(reachOf(model(block(1), block(2, { score: 'dot' })), '/model/1')).toMatchObject({ same: 1 });
});

it('makes one edit in all layers', () => {
  const document = model(block(1, { mask: ['mask-causal'] }), block(2));
  const slot = book.member({ type: 'attention' })!.slots;
  const [mask, score] = [slot.find(({ name }) => name === 'mask')!, slot.find(({ name }) => name === 'score')!];
  const all = (path: string) => samePart(document, path);
  for (const path of all('/model/2/score')) putInto(book, score, path, 'additive')(document);
  for (const path of all('/model/2/mask')) added(book, mask.kind, path, 'mask-causal')(document);
  const had = (member: string) => [get(document, `${member}/score`), get(document, `${member}/mask`)];
  expect([had('/model/1'), had('/model/2')]).toEqual([[{ type: 'additive' }, ['mask-causal']],
    [{ type: 'additive' }, ['mask-causal']]]);
  for (const path of all('/model/1/mask/0')) takeOut(document, path);
  expect([get(document, '/model/1/mask'), get(document, '/model/2/mask')]).toEqual([undefined, undefined]);
});

it('switches a head off in every layer that has it, and on again', () => {
  const heads = (layer: number, count: number) => ({ ...output(`block-${layer}.heads`, [count, 2, 2], ['h', 'm', 'dv']),
    offset: 0 });
  const result = new Result({ tensors: [heads(1, 4), heads(2, 4), heads(3, 2)], labels: {} } as unknown as Directory,
    new Float32Array(16));
  const document = model(block(1), block(2), block(3));
  const all = inAllLayers(document, result, 'block-2.heads', 3);
  expect(all).toEqual(['block-1.heads', 'block-2.heads']);
  expect(inAllLayers(document, result, 'block-3.heads', 1)).toHaveLength(3);
  const set = (of: string) => ({ type: 'set', of, head: 3, value: 0 });
  switchHead(document, ['block-2.heads'], 3);
  switchHead(document, all, 3);
  expect(document['interventions']).toEqual([set('block-2.heads'), set('block-1.heads')]);
  switchHead(document, all, 3);
  expect(document['interventions']).toBeUndefined();
});

it('compares a document with what it was when it was opened, with the words of now', () => {
  const base = model(block(1), block(2));
  const own: Doc = { ...base, inputs: { x: { tokens: ['a'] } } };
  expect(isChanged(own, base)).toBe(false);
  const changed = { ...own, model: [...base['model'] as JsonObject[], block(3)] } as unknown as Doc;
  expect(isChanged(changed, base)).toBe(true);
  expect(asOpened(changed, base)).toEqual({ document: { ...base, inputs: own.inputs }, sameWords: true });
  expect(asOpened({ ...changed, inputs: { y: {} } }, base)).toEqual({ document: base, sameWords: false });
});

it('gives a model whose weights are in a file the sizes of its unchanged parts', () => {
  const document = model(block(1, { heads: { type: 'multi-head', count: 4 } }), block(2));
  const found = structuredClone(document);
  for (const module of found['model'] as JsonObject[]) Object.assign(module, { dim: 16, score: { type: 'scaled-dot',
    scale: 0.5 } });
  const changed = structuredClone(document);
  (changed['model'] as JsonObject[])[1]!['heads'] = { type: 'grouped-query' };
  const [embedding, first, second] = sized(changed, document, found)['model'] as JsonObject[];
  expect([embedding!['dim'], second!['score']]).toEqual([16, { type: 'scaled-dot', scale: 0.5 }]);
  // What is changed keeps only what it says itself.
  expect(first).toEqual({ ...block(1), heads: { type: 'grouped-query' } });
  const fewer = { ...changed, model: (changed['model'] as JsonObject[]).slice(1) } as unknown as Doc;
  expect(sized(fewer, document, found)).toBe(fewer);
});

it('names parameters that are new in several layers once', () => {
  const named = (...names: string[]) => parametersCalled(book, model(block(1), block(2)), names);
  expect(named('block-1.score.W', 'block-2.score.W', 'embedding.E'))
    .toEqual(['Score (block 1, block 2): W', 'embedding: E']);
  expect(named('block-1.score.W', 'block-2.score.b')).toEqual(['Score (block 1): W', 'Score (block 2): b']);
});
