// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../src/directory/naming.ts';
import { formulaFromOne, nameFromOne } from '../src/strings/counted.ts';
import { countedCode } from '../src/take/counted-code.ts';
import { shownPiece } from '../src/strings/shown.ts';
import { output } from './directory.ts';

it('a result and a cell of it are called with their module in brackets, where it is not said already', () => {
  const weights = { ...output('decoder.weights', [2, 3], ['m', 'n']), group: 'outputs' as const, within: 'decoder' };
  const { title, short, one } = naming(weights as never);
  expect([title, short, one]).toEqual(['Weights (decoder)', 'Weights', 'Weight (decoder)']);
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
    expect(step('rotation.tl-hop0.weights', 'rotation.tl-hop0')).toBe('Weights (rotation.tl-hop1)');
    expect(nameFromOne('hops.hop9')).toBe('hops.hop10');
  });

  it('and in formulas, but not the positions of their letters', () => {
    expect(formulaFromOne('A^{\\text{hop }0} = \\mathrm{softmax}(E^{\\text{hop }0}_{0})'))
      .toBe('A^{\\text{hop }1} = \\mathrm{softmax}(E^{\\text{hop }1}_{0})');
    expect(formulaFromOne('h^{\\text{pass }9}_{t-1}')).toBe('h^{\\text{pass }10}_{t-1}');
  });

  it('while the numbers of a document\'s own names stay', () => {
    expect(step('layer-1.attention.weights', 'layer-1.attention')).toBe('Weights (layer-1.attention)');
    expect(step('hop-1.weights', 'hop-1')).toBe('Weights (hop-1)');
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
