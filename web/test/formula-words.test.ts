// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { sameAs } from '../src/directory/formulas.ts';
import arabic from '../src/strings/engine/ar.json';
import german from '../src/strings/engine/de.json';
import { inFormula, own, translate } from '../src/strings/engine.ts';
import { catalogue, runs } from './runs.ts';

// Names inside formulas, which no language changes.
const NAMES = new Set(['[MASK]', 'att', 'fw', 'bw', 'pre', 'post', 'gate', 'up', 'down', 'logits', 'cls', 'token',
  '-entmax']);
const wordsOf = (formula: string): string[] =>
  [...formula.matchAll(/\\text\{\s*([^{}]*?)\s*\}/g)].map(([, word]) => word!);

it('the words inside formulas of the catalogue are German and Arabic where the page is', () => {
  const all = new Set(catalogue.mechanisms.flatMap(({ formula }) => wordsOf(formula)));
  expect(all.size).toBeGreaterThan(50);
  for (const [language, { formulas }] of Object.entries({ german, arabic }))
    expect([...all].filter((word) => !NAMES.has(word) && !(word in formulas)), language).toEqual([]);
  const some = structuredClone(catalogue);
  const basic = some.mechanisms.find(({ id }) => id === 'query-basic')!;
  translate(some, { mechanisms: {}, phrases: {}, formulas: german.formulas });
  expect(basic.formula).toBe('Q, K, V \\text{ wie gegeben}');
  // Code that is taken home stays English, and so does the page once it speaks English again.
  expect(own(basic).formula).toBe('Q, K, V \\text{ as given}');
  translate(some, undefined);
  expect(basic.formula).toBe('Q, K, V \\text{ as given}');
  expect(inFormula('\\text{head}_1 \\text{if } x', { mechanisms: {}, phrases: {}, formulas: german.formulas }))
    .toBe('\\text{Kopf}_1 \\text{falls } x');
});

it('the implied map of native sparse attention is explained as the weights that it is', () => {
  const [result] = runs(['nsa']);
  const { tensors } = result!.directory;
  const implied = tensors.find(({ group, name }) => group === 'outputs' && name === 'implied')!;
  expect(implied.formula).toContain('i = j');
  expect(sameAs(implied, tensors)?.name).toBe('weights');
  const [shown, weights] = ['implied', 'weights'].map((name) => result!.find(name)!);
  expect(shown!.formula).toBe(weights!.formula);
  expect([...shown!.data]).toEqual([...weights!.data]);
  // A result that is none once more is explained by itself.
  expect(sameAs(tensors.find(({ name }) => name === 'context')!, tensors)).toBeUndefined();
});
