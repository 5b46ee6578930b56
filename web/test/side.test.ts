// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What each side of a comparison has for itself, and which links with two models are taken.
import { expect, it } from 'vitest';
import type { Doc, JsonObject } from '../src/engine/types.ts';
import { MOST_MODULES, parse } from '../src/state/parse.ts';
import { hasSides, putSide, sideOf } from '../src/state/side.ts';

const OFF = [{ type: 'set', of: 'layer-1.attention.heads', head: 1, value: 0 }];
const module = (name: string): JsonObject => ({ name, type: 'transformer-block', inputs: { x: 'text' } });
const own = (more: JsonObject = {}): Doc => ({ schema: 'attention-playground/1', seed: 4, 
  inputs: { text: { matrix: [[1]] } }, model: [module('layer-1')], tie: { 'predict.W_c': { transpose: 'tokens.E' } },
  parameters: { from: 'own-tiny.safetensors' }, ...more } as unknown as Doc);

it('compares one module, or a model from own files that nothing trains', () => {
  expect(hasSides({ mechanism: { type: 'attention' } } as unknown as Doc)).toBe(true);
  expect(hasSides(own())).toBe(true);
  expect(hasSides(own({ parameters: { from: 'gpt.safetensors' } }))).toBe(false);
  const of = (...from: string[]) => hasSides(own({ parameters: { from } }));
  expect(of('own-tiny.safetensors', 'own-more.safetensors')).toBe(true);
  // Joined, the names would end and begin as that of one own file does.
  expect(of('own-tiny.safetensors', 'gpt.safetensors')).toBe(false);
  expect(of('gpt.safetensors', 'own-tiny.safetensors')).toBe(false);
  expect(of()).toBe(false);
  expect(hasSides(own({ training: { task: { type: 'task-copy' } } }))).toBe(false);
});

it('exchanges all that a model has for itself, and nothing else', () => {
  const held = sideOf(own(), 'B');
  const draft = own({ interventions: OFF, model: [module('layer-9')], seed: 8, tie: { a: 'b' },
    parameters: { from: 'own-tiny.safetensors', 'norm.gamma': [1] } });
  const back = sideOf(draft, 'A');
  putSide(draft, held);
  expect(draft).toEqual(own({ seed: 8 }));
  putSide(draft, back);
  expect(draft).toMatchObject({ interventions: OFF, model: [module('layer-9')], seed: 8 });
  // Changes of the results of one module are those of both its sides.
  const single = { mechanism: { type: 'attention' }, interventions: OFF } as unknown as Doc;
  putSide(single, { editing: 'A', mechanism: { type: 'soft' } });
  expect(single).toEqual({ mechanism: { type: 'soft' }, interventions: OFF });
});

it('takes a link with two models, and refuses what is no side', () => {
  const link = (compare: object) => parse(JSON.stringify({ ...own(), compare }));
  const held = sideOf(own({ interventions: OFF }), 'B');
  expect(link(held)).toMatchObject({ compare: held });
  for (const wrong of [{ editing: 'B' }, { ...held, mechanism: {} }, { ...held, model: [{ name: 1 }] },
    { ...held, tie: [] }, { ...held, interventions: {} }, { ...held, inputs: {} },
    { ...held, model: Array.from({ length: MOST_MODULES + 1 }, (_, k) => module(`m${k}`)) },
    { editing: 'A', mechanism: {}, interventions: [] }])
    expect(link(wrong), JSON.stringify(wrong).slice(0, 80)).toEqual({ problem: 'damaged' });
});
