// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { equationIn, memoryIn } from '../src/flow/memory.ts';
import { equation, naming } from '../src/directory/naming.ts';
import { Result } from '../src/engine/result.ts';
import type { Catalogue, Directory, Doc, TensorEntry } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { breakable } from '../src/card/breakable.ts';
import { formulaWriter, withoutGuards } from '../src/directory/formulas.ts';
import { formulaFromOne, moduleCalled, nameFromOne } from '../src/strings/counted.ts';
import { countedCode } from '../src/take/counted-code.ts';
import { strings } from '../src/strings/en.ts';
import { speak } from '../src/strings/language.ts';
import { shownPiece } from '../src/strings/displayed-word.ts';
import { output } from './directory.ts';

it('a result and a cell of it are called with their module in brackets, where it is not said already', () => {
  const weights = { ...output('decoder.weights', [2, 3], ['m', 'n']), group: 'outputs' as const, within: 'decoder' };
  const { title, short, one } = naming(weights as never);
  expect([title, short, one]).toEqual(['Weights (decoder)', 'Weights', 'Weight (decoder)']);
});

it('a gradient says of what it is and with respect to what', () => {
  const weights = output('decoder.weights', [2, 3], ['m', 'n']);
  const slope = { ...weights, group: 'gradients', name: 'outputs.decoder.weights', role: 'weights' };
  const named = (gradient: object | undefined) => {
    const result = new Result({ ok: true, warnings: [], measures: {}, labels: {}, document: { schema: 's', inputs: {},
      ...(gradient ? { gradient } : {}) }, tensors: [{ ...weights, within: 'decoder', offset: 0 },
      { ...output('decoder.context', [2, 3], ['m', 'd']), role: 'context', within: 'decoder', offset: 0 },
      { ...output('loss', [], []), role: 'loss', within: '', offset: 0 }, { ...slope, offset: 0 }],
    } as unknown as Directory, new Float32Array(6));
    return naming(result.all('gradients')[0]!).title;
  };
  expect(named({ of: 'decoder.context', outputs: true }))
    .toBe('Gradient of Context (decoder) with respect to Weights (decoder)');
  expect(named({ outputs: true })).toBe('Gradient of Loss with respect to Weights (decoder)');
});

it('a module is called by the words of the page’s language, if they are known, and keeps its number', async () => {
  const called = () => [naming({ ...output('decoder.weights', [2, 3], ['m', 'n']), group: 'outputs' as const,
    within: 'decoder' } as never).title, moduleCalled('block-1.attention'), moduleCalled('encoder-ffn-2')];
  expect(called()).toEqual(['Weights (decoder)', 'block 1.attention', 'encoder ffn 2']);
  await speak('de');
  expect(called()).toEqual(['Gewichte (Decoder)', 'Block 1.Attention', 'Encoder-FFN 2']);
  await speak('ar');
  expect(called()[0]).toBe('الأوزان (المفكك)');
  await speak('en');
});

it('every module of a model that somebody opens, and of the real model, has a name in each language', async () => {
  const root = join(import.meta.dirname, '../..');
  const texts = [join(root, 'tools/real/document.json'), ...readdirSync(join(root, 'architectures'))
    .map((file) => join(root, 'architectures', file))].map((file) => readFileSync(file, 'utf8'));
  // "layer-{i + 1}" and "layer-1" are the same name; modules have a type beside their name.
  const named = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { name, type } = value as { name?: unknown; type?: unknown };
    return [...(typeof name === 'string' && typeof type === 'string' ? [name] : []), ...Object.values(value)
      .flatMap(named)];
  };
  const names = new Set(texts.flatMap((text) => named(JSON.parse(text))).flatMap((name) => name.split('.'))
    .map((name) => name.replace(/-?(\{[^}]*\}|\d+)$/, '')));
  expect(names.size).toBeGreaterThan(30);
  for (const code of ['de', 'ar']) {
    await speak(code);
    expect([...names].filter((name) => !strings.moduleNames[name]), code).toEqual([]);
    expect(moduleCalled('feed-forward-norm-12').endsWith(' 12'), 'and keeps its number').toBe(true);
  }
  expect(moduleCalled('decoder-2.cross')).toBe('المفكك 2.الانتباه المتقاطع');
  await speak('en');
});

it('what a decoder gives besides is called by words, not by ids', () => {
  const titles = ['decoder.logits', 'decoder.tokens', 'class.probabilities'].map((name) => naming({
    ...output(name, [2, 3], ['m', 'v']), role: 'output', group: 'outputs' as const, within: name.split('.')[0],
  } as never).title);
  expect(titles).toEqual(['Logits (decoder)', 'Chosen words (decoder)', 'Probabilities (class)']);
});

it('pieces of words are drawn without the mark of a space, and a space alone as one', () => {
  expect(['▁The', 'ent', '▁', '', '<s>'].map(shownPiece)).toEqual(['The', 'ent', '␣', '', '<s>']);
});

describe('steps, which the engine counts from 0', () => {
  const step = (name: string, within: string) => naming({ ...output(name, [1, 3], ['m', 'n']), role: 'weights', within,
    group: 'outputs' as const } as never).title;

  it('are counted from 1 where a person reads their names', () => {
    expect(step('hops.weights.0', 'hops')).toBe('Weights 1 (hops)');
    expect(step('hops.weights.1', 'hops')).toBe('Weights 2 (hops)');
    expect(step('rotation.tl-hop0.weights', 'rotation.tl-hop0')).toBe('Weights (rotation.tl hop1)');
    expect(nameFromOne('hops.hop9')).toBe('hops.hop10');
  });

  it('and in formulas, but not the positions of their letters', () => {
    expect(formulaFromOne('A^{\\text{hop }0} = \\mathrm{softmax}(E^{\\text{hop }0}_{0})'))
      .toBe('A^{\\text{hop }1} = \\mathrm{softmax}(E^{\\text{hop }1}_{0})');
    expect(formulaFromOne('h^{\\text{pass }9}_{t-1}')).toBe('h^{\\text{pass }10}_{t-1}');
    expect(formulaFromOne('E\\;(\\text{tl-hop0}) + b\\;(\\text{first1})^{\\text{step }1}'))
      .toBe('E\\;(\\text{tl-hop1}) + b\\;(\\text{first2})^{\\text{step }2}');
    // A document that names its modules counts them itself.
    expect(formulaFromOne('E\\;(\\text{hop-1})')).toBe('E\\;(\\text{hop-1})');
  });

  it('while the numbers of a document\'s own names stay', () => {
    expect(step('layer-1.attention.weights', 'layer-1.attention')).toBe('Weights (layer 1.attention)');
    expect(step('hop-1.weights', 'hop-1')).toBe('Weights (hop 1)');
    expect(['hop1', 'weights1', 'layer-10', 'block-2.attention', 'W1'].map(nameFromOne))
      .toEqual(['hop1', 'weights1', 'layer-10', 'block-2.attention', 'W1']);
  });
});

describe('exported code', () => {
  it('counts as the page does in LaTeX, its names included, and says so', () => {
    const latex = '% Hops\n\\begin{align*}\n  p^{\\text{hop }0} &= x && \\text{hops.weights.0} \\\\\n\\end{align*}\n';
    const lines = countedCode(latex, 'latex').split('\n');
    expect(lines[1]).toContain('counted from 1');
    expect(lines[3]).toBe('  p^{\\text{hop }1} &= x && \\text{hops.weights.1} \\\\');
    expect(countedCode('% Attention\nA = \\text{softmax}', 'latex')).toBe('% Attention\nA = \\text{softmax}');
  });

  it('keeps its names in Python, and says what is hop 1', () => {
    const script = '# Hops\nimport torch\np_hop_0 = softmax(e_hop_0)\np_hop_1 = softmax(e_hop_1)\n';
    expect(countedCode(script, 'pytorch').split('\n').slice(0, 3)).toEqual(
      ['# Hops', '# Names count from 0, as documents do: "hop_0" in a name is hop 1 on the page.', 'import torch']);
    expect(countedCode('E_tl_minus_hop0 = x', 'numpy')).toMatch(/"hop0" in a name is hop 1/);
    expect(countedCode('hop1_W = x\np_10 = y\n', 'pytorch')).toBe('hop1_W = x\np_10 = y\n');
  });
});

describe('the memory of a core', () => {
  const GATED = "S' = \\alpha_t S_{t-1},\\quad S_t = S' + \\beta_t k_t^{\\top}(v_t - k_t S'),\\quad o_t = q_t S_t;"
    + '\\qquad \\text{token: } x';
  const core = (formula: string) => new Book({ schema: 's', mechanisms: [{ id: 'c', kind: 'core', formula, slots: [],
    knobs: [], aliases: [] }, { id: 'a', kind: 'structure', slots: [{ name: 'core', kind: 'core' }], knobs: [],
    aliases: [] }] } as unknown as Catalogue);
  const document = { schema: 's', inputs: {}, mechanism: { type: 'a', core: { type: 'c' } } } as unknown as Doc;
  const state = (formula: string) => ({ ...output('state', [2, 3], ['p', 'dv']), role: 'state', formula }) as never;

  it('is written in the letters of the record where the engine has letters of its own', () => {
    const engine = '{\\alpha_t}^{\\top} S_{t-1} + k_t^{\\top} (v_t - f_t {\\alpha_t}^{\\top} S_{t-1})';
    expect(memoryIn(GATED)).toBe("S' = \\alpha_t S_{t-1},\\quad S_t = S' + \\beta_t k_t^{\\top}(v_t - k_t S')");
    expect(equationIn(core(GATED), document, state(engine))).toBe(memoryIn(GATED));
    // Without such letters, and without a record that tells of it, the engine's formula stands.
    expect(equationIn(core('S_t = S_{t-1} + k_t v_t'), document, state('S_{t-1} + k_t v_t')))
      .toBe('S_{t-1} + k_t v_t');
    expect(equationIn(core('A = q k'), document, state('f_t S_{t-1}'))).toBe('f_t S_{t-1}');
  });

  it('read as a map has the identity for values, and says so', () => {
    const map = { ...output('weights', [5, 5], ['m', 'n']), kind: 'signed', formula: 'q_t S_t' } as never;
    expect(equation(map)).toBe('A = q_t S_t,\\; V = I');
    expect(equation({ ...output('context', [5, 3], ['m', 'dv']), formula: 'q_t S_t' } as never)).toBe('C = q_t S_t');
    expect(equation({ ...output('weights', [5, 5], ['m', 'n']), formula: 'A_t S_{[0]}' } as never))
      .toBe('A = A_t S_{[0]}');
  });
});

describe('formulas of the engine', () => {
  it('call values V, whatever the module that made them calls them, and leave the same letter elsewhere', () => {
    const entry = (name: string, more: Partial<TensorEntry>): TensorEntry =>
      ({ name, group: 'outputs', shape: [1], axes: [], offset: 0, ...more }) as TensorEntry;
    const all = [entry('words', { group: 'inputs', offset: 1 }), entry('other', { group: 'inputs', offset: 2 }),
      entry('decoder.value', { role: 'value', within: 'decoder', offset: 9, formula: '[F; H]' }),
      entry('decoder.context', { role: 'context', within: 'decoder', step: 5, formula: 'A\\, F' }),
      entry('decoder.states', { role: 'state', within: 'decoder', step: 6, formula: 'F + F_1' }),
      entry('F', { group: 'steps', step: 1, within: 'embedding', offset: 3 }),
      entry('F\\;(2)', { group: 'steps', step: 2, within: 'memory', offset: 9 }),
      entry('C', { group: 'steps', step: 4, within: 'decoder', offset: 12, formula: 'A\\, F' })];
    const write = formulaWriter(all);
    expect(all.map((one) => one.formula && write(one))).toEqual([undefined, undefined, '[F; H]', 'A\\, V', 'F + F_1',
      undefined, undefined, 'A\\, V']);
    // Where another module's step has the letter, nothing is called V.
    const [apart] = [all.map((one) => (one.name === 'F\\;(2)' ? { ...one, offset: 8 } : one))];
    expect(formulaWriter(apart)(all[3]!)).toBe('A\\, F');
  });

  const guarded = (x: string) =>
    `\\begin{cases}1 & \\text{if } [\\,${x} = 0\\,]\\\\ ${x} & \\text{otherwise}\\end{cases}`;

  it('divide by a sum without what keeps them from 0 / 0, one inside another too', () => {
    expect(withoutGuards(`\\frac{a}{${guarded(`\\sum \\frac{q}{${guarded('\\max q')}}`)}}`))
      .toBe('\\frac{a}{\\sum \\frac{q}{\\max q}}');
    const other = '\\begin{cases}x + 1 & \\text{if } [\\,x > 0\\,]\\\\ e^x & \\text{otherwise}\\end{cases}';
    expect(withoutGuards(other)).toBe(other);
  });

  it('that are wider than the card are quotients, which can be broken', () => {
    const sum = Array.from({ length: 9 }, (_, k) => `1.2${k} \\cdot 0.5`).join(' + ');
    expect(breakable(`\\frac{${sum}}{\\frac{1}{2}}`)).toBe(`(${sum}) \\,/\\, (\\tfrac{1}{2})`);
    for (const short of ['\\frac{1.92}{2.23}', `\\frac{${sum}}{2} + 1`, '0.5']) expect(breakable(short)).toBe(short);
  });
});
