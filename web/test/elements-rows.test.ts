// SPDX-License-Identifier: Apache-2.0
// Every element that draws marks, alone: compared pictures, in both themes, of usual and of unusual rows.
import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import type { Theme } from '../src/colour/scale.ts';
import { bars, barsDrawing } from '../src/elements/bars.ts';
import { lines, linesDrawing } from '../src/elements/lines.ts';
import { reach, within } from '../src/elements/axis-range.ts';
import type { Drawing } from '../src/elements/shapes.ts';
import { svgOf } from '../src/elements/svg.ts';
import { matrixOf } from '../src/elements/tensor.ts';
import type { Plane } from '../src/engine/result.ts';

const { NaN: none, POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
const rows: Record<string, number[]> = {
  usual: [0.2, -0.4, 1, 0], one: [1], 'no-numbers': [none, none, none], constant: [0.5, 0.5, 0.5, 0.5],
  infinite: [most, least, 1, -0, none], zeros: [0, -0, 0],
};
const plane = (values: number[]) => matrixOf(Float32Array.from(values), 1, values.length);
const planes = { ...Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, plane(values)])),
  'two-rows': matrixOf(Float32Array.of(0.2, -0.4, 1, 0, 0.5, none, 0.25, -1), 2, 4) };
const look = { width: 280, height: 140, name: (at: number) => `a word ${at}`, written: String, names: 'each' as const };

type Draws = (plane: Plane, given: typeof look, title: string, theme: Theme) => Drawing;
const files = import.meta.glob<Record<string, unknown>>('../src/elements/*.ts', { eager: true });
const exported = (ending: string): [name: string, value: unknown][] => Object.values(files).flatMap((file) =>
  Object.entries(file).filter(([name]) => name.endsWith(ending)).map(([name, value]) =>
    [name.slice(0, -ending.length), value] as [string, unknown]));
// Every element that exports NAMEDrawing.
const elements = exported('Drawing') as [string, Draws][];

describe.each(elements)('%s', (name, draws) => {
  for (const [of, drawn] of Object.entries(planes))
    for (const theme of ['light', 'dark'] as const)
      it(`is the compared picture: ${of}, ${theme}`, async () => {
        await expect(svgOf(draws(drawn, look, name, theme))).toMatchFileSnapshot(`pictures/${name}-${of}-${theme}.svg`);
      });

  it('draws nothing that is no number, whatever there is to draw', () => {
    const long = Array.from({ length: 512 }, (_, k) => (k % 7 ? Math.sin(k) : none));
    for (const drawn of [...Object.values(planes), plane(long), matrixOf(new Float32Array(0), 0, 0)])
      expect(svgOf(draws(drawn, look, '', 'light'))).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('bars and lines', () => {
  it('are found with every other element that draws marks, so that each has compared pictures', () => {
    const names = elements.map(([name]) => name);
    expect(names.toSorted()).toEqual(expect.arrayContaining(['bars', 'lines']));
    const marks = exported('Marks').map(([name]) => name.replace(/s$/, ''));
    expect(marks.filter((mark) => !names.some((name) => name.startsWith(mark)))).toEqual([]);
  });

  it('name bars where names have room: in 360 pixels forty have none, and long names are cut', () => {
    const texts = (count: number, names: 'each' | 'ends') => barsDrawing(plane(Array(count).fill(1)),
      { ...look, width: 264, names }, '', 'light').shapes.flatMap((one) => (one.kind === 'text' ? [one.text] : []));
    expect([texts(40, 'each'), texts(40, 'ends').length]).toEqual([[], 3]);
    expect(texts(6, 'each')[0]).toBe('a word…');
  });

  it('end a line where there is no number, and go on behind it', () => {
    const drawing = linesDrawing(plane([1, 2, none, 3, 4]), look, '', 'light');
    expect(drawing.shapes.filter(({ kind }) => kind === 'path')).toHaveLength(2);
  });

  it('on the page are what the file holds, with classes for the page’s own colours', () => {
    const host = document.createElement('div');
    render([bars(plane(rows['usual']!), look, 'a label'), lines(plane(rows['usual']!), look, 'another')], host);
    const [first, second] = host.querySelectorAll('svg');
    expect([first!.getAttribute('aria-label'), second!.getAttribute('aria-label')]).toEqual(['a label', 'another']);
    const inFile = [...svgOf(barsDrawing(plane(rows['usual']!), look, '', 'light')).matchAll(/<rect x="([^"]*)"/g)];
    expect([...first!.querySelectorAll('.bar')].map((one) => Number(one.getAttribute('x')).toFixed(2)))
      .toEqual(inFile.map(([, x]) => Number(x).toFixed(2)));
    expect(first!.querySelector('.bar title')!.textContent).toMatch(/^a word 0: 0\.2/);
  });

  it('hold zero on their axis', () => {
    expect([reach([1, 2]), reach([-1, none]), reach([most, 3]), reach([])]).toEqual([[0, 2], [-1, 0], [0, 3], [0, 1]]);
    expect([within(most, 0, 1), within(least, 0, 1), within(none, 0, 1)]).toEqual([1, 0, 0]);
  });
});
