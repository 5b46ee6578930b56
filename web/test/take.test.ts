// SPDX-License-Identifier: Apache-2.0
import { output } from './directory.ts';
import { describe, expect, it } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Directory } from '../src/engine/types.ts';
import { draw, read } from '../src/gallery/thumbnail.ts';
import { drawable, figure } from '../src/take/figure.ts';
import { allJson, csvOf, plainNames } from '../src/take/numbers.ts';
import { fileName } from '../src/take/save.ts';
import { svgOf } from '../src/take/svg.ts';

const directory = {
  ok: true, warnings: [], measures: {}, labels: { m: ['a "b"', 'c,d'], n: ['<x>', '&', ''] },
  document: { schema: 's', title: 'Über <all> & more', inputs: {}, mechanism: {} },
  tensors: [
    { ...output('weights', [2, 3], ['m', 'n']), offset: 0 },
    { ...output('mask', [2, 3], ['m', 'n']), offset: 6 },
    { ...output('E/T', [1, 2, 3], ['', 'm', 'n']), group: 'steps', offset: 0 },
    { group: 'steps', name: 'E/T', shape: [], axes: [], offset: 2 },
  ],
} as unknown as Directory;
const result = new Result(directory, Float32Array.from([0.25, 0.75, 0, 0.1, 0.001, 0.899, 1, 1, 1, 1, 1, 0]));

describe('numbers to take home', () => {
  it('are CSV with labels around, in the shortest form that reads back', () => {
    expect(csvOf(result.tensors[0]!, result)).toBe(',<x>,&,\r\n"a ""b""",0.25,0.75,0\r\n"c,d",0.1,0.001,0.899\r\n');
    expect(csvOf(result.tensors[2]!, result).split('\r\n').slice(0, 3))
      .toEqual(['axis0,m,n,value', '0,"a ""b""",<x>,0.25', '0,"a ""b""",&,0.75']);
    expect(csvOf(result.tensors[3]!, result)).toBe('0\r\n');
  });

  it('are JSON as the command line prints it', () => {
    const all = JSON.parse(allJson(result));
    expect(all.outputs.weights).toEqual({ shape: [2, 3], axes: ['m', 'n'], data: [0.25, 0.75, 0, 0.1, 0.001, 0.899] });
    expect(all.steps).toHaveLength(2);
  });

  it('get names of their own', () => {
    expect([...plainNames(result).values()])
      .toEqual(['outputs.weights', 'outputs.mask', 'steps.01_E_T', 'steps.02_E_T']);
    expect(fileName(directory.document, 'csv', 'x')).toBe('u-ber-all-more-x.csv');
    expect(fileName({ ...directory.document, title: '' }, 'svg')).toBe('experiment.svg');
  });
});

describe('the figure', () => {
  const made = figure(result, drawable(result), {}, 'light', 'a < b');
  it('writes the numbers that are not masked nor small on their scale', () => {
    const texts = made.shapes.filter((shape) => shape.kind === 'text').map((shape) => shape.text);
    expect(texts.filter((text) => /^(\.\d\d|~?0)$/.test(text))).toEqual(['.25', '.75', '0', '.10', '0']);
    expect(made.shapes.filter((shape) => shape.kind === 'line').length).toBeGreaterThan(3);
  });

  it('stays within its edges', () => {
    for (const shape of made.shapes) {
      if (shape.kind !== 'rect') continue;
      expect(shape.x >= 0 && shape.y >= 0 && shape.x + shape.w <= made.width && shape.y + shape.h <= made.height)
        .toBe(true);
    }
  });

  it('is SVG in which text cannot become markup', () => {
    const svg = svgOf({ ...made, shapes:
      [{ kind: 'text', x: 0, y: 0, text: '</text><script>&"\u0000\ud800', size: 12, fill: '#000', at: 'start' }] });
    expect(svg).toContain('>&lt;/text&gt;&lt;script&gt;&amp;&quot;\ufffd\ufffd</text>');
    expect(svg).toContain('<title>a &lt; b</title>');
  });
});

describe('thumbnails', () => {
  it('hold the weights to a level, keep exact zeros and what is masked', () => {
    const picture = draw(result)!;
    const { at, masked } = read(picture);
    expect([picture.rows, picture.cols, masked(1, 2), masked(0, 2)]).toEqual([2, 3, true, false]);
    expect([at(0, 2), at(1, 1) > 0]).toEqual([0, true]);
    expect(at(0, 1)).toBeCloseTo(0.75, 2);
  });
});
