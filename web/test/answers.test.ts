// SPDX-License-Identifier: Apache-2.0
// What the engine answers is what schema/answers.schema.json says, and the page's types are written from that schema.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, it } from 'vitest';
import { answerTypes } from '../../tools/answer_types.mjs';
import { startEngine } from './engine.ts';
import { root, shipped } from './shipped.ts';

const schema = JSON.parse(readFileSync(join(root, 'schema/answers.schema.json'), 'utf8')) as object;
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).addSchema(schema, 'answers');

/** Where an answer is none of this type, with what was expected there. */
function problems(type: string, answer: unknown): string[] {
  const check = ajv.getSchema(`answers#/$defs/${type}`)!;
  void check(answer);
  return (check.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`).slice(0, 5);
}

const engine = startEngine();
afterAll(() => engine.close());

it('the types are those of the schema', () => {
  expect(readFileSync(join(root, 'schema/answers.d.ts'), 'utf8')).toBe(answerTypes());
});

it('the catalogue', async () => {
  const { directory } = await engine.ask({ catalogue: true });
  expect(problems('Catalogue', directory)).toEqual([]);
});

it.each([...shipped].filter(([name]) => name.startsWith('examples/') || name.startsWith('systems/')))(
  'the answer to %s', async (_, document) => {
    const { directory } = await engine.ask({ document });
    expect(problems((directory as { ok: boolean }).ok ? 'Directory' : 'Failure', directory)).toEqual([]);
  });

async function called(name: string, ...given: unknown[]): Promise<unknown> {
  return (await engine.ask({ call: name, with: given.map((one) =>
    (typeof one === 'object' ? JSON.stringify(one) : one)) })).directory;
}

it('explanations, what must be kept to write on, and failures', async () => {
  const causal = shipped.get('examples/transformer-head.json')!;
  expect(problems('Explanation', await called('explain', causal, 'weights', [0, 1, 0]))).toEqual([]);
  expect(problems('Refused', await called('explain', causal, 'nothing', [0]))).toEqual([]);
  expect(problems('Failure', (await engine.ask({ document: { ...causal, seed: 'x' } })).directory)).toEqual([]);
  for (const [name, document] of shipped) {
    const kept = await called('kept', document, '') as object;
    expect(problems('error' in kept ? 'Refused' : 'Kept', kept), name).toEqual([]);
  }
});

it('what is no such answer is refused', () => {
  expect(problems('Failure', { ok: false, error: { path: '/seed' } })[0]).toContain("required property 'message'");
  expect(problems('Cost', { multiply_adds: 1, exponentials: 0, bytes: 4, exact: true, words: 2 })[0])
    .toContain('additional properties');
});
