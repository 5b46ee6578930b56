// SPDX-License-Identifier: Apache-2.0
// What is taken home as LaTeX: formulas that say what they use, and tables.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { Result, type Tensor } from '../src/engine/result.ts';
import type { Directory, Doc } from '../src/engine/types.ts';
import { withPlaces } from '../src/directory/formulas.ts';
import { clearerLatex } from '../src/take/latex-formula.ts';
import { latexTable } from '../src/take/latex-table.ts';
import { output } from './directory.ts';
import { runs, systemFiles } from './runs.ts';

const masked = (mask: unknown[], more: object = {}): Doc => ({ schema: 'attention-playground/1', seed: 1,
  inputs: { x: { tokens: ['a', 'b', 'c'], features: { type: 'embedding', dim: 4 } } },
  mechanism: { type: 'attention', query: 'self-attention', score: 'scaled-dot', mask, ...more } }) as unknown as Doc;
const exported = (documents: readonly Doc[]): string[] =>
  (JSON.parse(execFileSync(process.execPath, [join(import.meta.dirname, 'exports.mjs')],
    { input: JSON.stringify(documents), encoding: 'utf8', maxBuffer: 1 << 27 })) as { code?: string; error?: object }[])
    .map(({ code, error }) => code ?? JSON.stringify(error));
const formulas = (code: string): string[] => code.split('\n').filter((line) => line.includes('&='));

describe('formulas as LaTeX', () => {
  const causal = exported([masked(['mask-causal'], { position: ['pos-sinusoidal'] })])[0]!;

  it('leave out what says nothing, and say what a mask and its softmax are', () => {
    expect(causal).toContain('i + 1 > j');
    const lines = formulas(clearerLatex(causal));
    expect(lines.some((line) => /^ *Q K\^\{\\top\} &=/.test(line))).toBe(false);
    expect(lines.find((line) => line.trim().startsWith('M &='))).toContain('M &= [\\,j \\le i\\,] && ');
    for (const defined of ['\\operatorname{softmax}_{M}(E)_{ij} &=', '[\\,P\\,] &=',
      '\\operatorname{PE}(j,\\,b)_{2c} &='])
      expect(lines.filter((line) => line.trim().startsWith(defined)), defined).toHaveLength(1);
    // What is not used is not defined.
    const plain = clearerLatex(exported([masked([])])[0]!);
    expect(plain).not.toMatch(/softmax\}_|PE|\[\\,/);
    expect(plain.trim().endsWith('\\end{align*}')).toBe(true);
    expect(plain).not.toMatch(/\\\\\n\\end/);
  });

  it('are inequalities of positions only where positions are compared', () => {
    expect(withPlaces('[\\,i + 1 > j\\,] [\\,i - j > -0.5\\,] [\\,j - i > -1\\,]'))
      .toBe('[\\,j \\le i\\,] [\\,j \\le i\\,] [\\,i \\le j\\,]');
    for (const other of ['[\\,i > j\\,]', '[\\,p + 1 > j\\,]', '[\\,i + 2 > j\\,]', '[\\,|j - p| > 2\\,]'])
      expect(withPlaces(other)).toBe(other);
  });

  it('define the softmax under a mask as it is computed', () => {
    const [result] = runs([masked(['mask-causal'])]);
    const [weights, scores, mask] = ['weights', 'scores', 'mask'].map((name) => result!.find(name)!.data);
    for (let i = 0; i < 3; i++) {
      const terms = [0, 1, 2].map((j) => mask![3 * i + j]! * Math.exp(scores![3 * i + j]!));
      const sum = terms.reduce((a, b) => a + b);
      for (let j = 0; j < 3; j++) expect(weights![3 * i + j]).toBeCloseTo(terms[j]! / sum, 5);
    }
  });

  it('compile alone, for every tenth system', () => {
    const documents = systemFiles.filter((_, k) => k % 10 === 0).map(({ document }) => document);
    const all = exported(documents).filter((code) => code.includes('\\begin{align*}'));
    expect(all.length).toBeGreaterThan(8);
    for (const code of [causal, ...all]) {
      const text = clearerLatex(code).split('\n').filter((line) => !line.startsWith('%')).join('\n');
      expect(() => katex.renderToString(text, { displayMode: true, throwOnError: true, strict: false, maxExpand: 1e5 }),
        text.slice(0, 300)).not.toThrow();
    }
  });
});

describe('a matrix as a table of LaTeX', () => {
  const directory = { ok: true, warnings: [], measures: {}, labels: { m: ['50 %', '[CLS]'], n: ['<x>', 'a_b', '{'] },
    document: { schema: 's', title: 't', inputs: {}, mechanism: {} },
    tensors: [{ ...output('weights', [2, 3], ['m', 'n']), offset: 0 },
      { ...output('heads', [2, 1, 3], ['', 'm1', 'n']), offset: 0 }] } as unknown as Directory;
  const result = new Result(directory, Float32Array.from([0.25, 0.75, 0, -0.0001, -0.5, Infinity]));
  const table = (tensor: Tensor) => latexTable(tensor, result, 'Weights').split('\n');

  it('has the rules of booktabs, its labels escaped, and numbers of three decimals', () => {
    expect(table(result.tensors[0]!)).toEqual(['% Weights; rounded to 3 decimals', '% needs booktabs',
      '\\begin{tabular}{lrrr}', '  \\toprule', '   & \\textless{}x\\textgreater{} & a\\_b & \\{ \\\\', '  \\midrule',
      '  50 \\% & 0.250 & 0.750 & 0.000 \\\\', '  {[}CLS] & 0.000 & $-$0.500 & $\\infty$ \\\\', '  \\bottomrule',
      '\\end{tabular}', '']);
  });

  it('of several heads is one table for each, named', () => {
    const lines = table(result.tensors[1]!);
    expect(lines.filter((line) => line.startsWith('\\begin{tabular}'))).toHaveLength(2);
    expect(lines.filter((line) => /^% \S+ [12]$/.test(line))).toHaveLength(2);
  });
});
