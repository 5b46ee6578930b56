// SPDX-License-Identifier: Apache-2.0
import { crc32 } from 'node:zlib';
import { output } from './directory.ts';
import { describe, expect, it } from 'vitest';
import { hiddenOf } from '../src/compare/hidden.ts';
import { plane, Result, type Tensor } from '../src/engine/result.ts';
import type { Directory, Doc } from '../src/engine/types.ts';
import { draw, read } from '../src/elements/thumbnail.ts';
import { tensorOf } from '../src/elements/tensor.ts';
import { naming } from '../src/directory/naming.ts';
import { calledIn } from '../src/take/chip.ts';
import { drawable, type Figure, figure, gapOf } from '../src/take/figure.ts';
import { bibtex } from '../src/take/software.ts';
import own from '../package/package.json' with { type: 'json' };
import { shortest } from '../src/colour/numbers.ts';
import { allJson, csvOf } from '../src/take/numbers.ts';
import { plainNames } from '../src/take/plain-names.ts';
import { textOf } from './pieces.ts';
import { described, printed } from '../src/elements/png-chunks.ts';
import { pixelsOf, pointsOf } from '../src/elements/sheet.ts';
import { fileName } from '../src/state/save.ts';
import type { Drawing } from '../src/elements/shapes.ts';
import { svgOf } from '../src/elements/svg.ts';

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
const data = Float32Array.from([0.25, 0.75, 0, 0.1, 0.001, 0.899, 1, 1, 1, 1, 1, 0]);
const result = new Result(directory, data);

describe('numbers to take home', () => {
  it('have the fewest digits, at least six, that read back as the same single precision', () => {
    const defined = (value: number): number =>
      [6, 7, 8, 9].map((digits) => Number(value.toPrecision(digits))).find((one) => Math.fround(one) === value) ?? NaN;
    const view = new DataView(new ArrayBuffer(4));
    const near = (value: number): number[] => Array.from({ length: 80 }, (_, k) => {
      view.setFloat32(0, value);
      view.setUint32(0, view.getUint32(0) + k - 40);
      return view.getFloat32(0);
    });
    let state = 1;
    const drawn = Array.from({ length: 50_000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      view.setUint32(0, state);
      return view.getFloat32(0);
    });
    const edges = Array.from({ length: 60 }, (_, k) => [...near(10 ** (k - 30)), ...near(2 ** (k - 30))]).flat();
    const halves = Array.from({ length: 20_000 }, (_, k) => Math.fround(k / 1024));
    for (const value of [...drawn, ...edges, ...edges.map((one) => -one), ...halves])
      if (!Object.is(shortest(value), defined(value))) expect(shortest(value)).toBe(defined(value));
  });
  it('are CSV with labels around, in the shortest form that reads back', () => {
    expect(textOf(csvOf(result.tensors[0]!, result)))
      .toBe(',<x>,&,\r\n"a ""b""",0.25,0.75,0\r\n"c,d",0.1,0.001,0.899\r\n');
    expect(textOf(csvOf(result.tensors[2]!, result)).split('\r\n').slice(0, 3))
      .toEqual(['axis0,m,n,value', '0,"a ""b""",<x>,0.25', '0,"a ""b""",&,0.75']);
    expect(textOf(csvOf(result.tensors[3]!, result))).toBe('0\r\n');
    // Files have the tokens themselves, and the page what can be seen of them.
    const spaced = new Result({ ...directory, labels: { m: [' a', 'b\tc'], n: ['x', 'y', 'z'] } }, data);
    expect(textOf(csvOf(spaced.tensors[0]!, spaced))).toMatch(/^,x,y,z\r\n" a",.*\r\nb\tc,/);
    expect(spaced.labels(spaced.tensors[0]!.places[0]!)).toEqual(['␣a', 'b\\tc']);
  });

  it('are JSON as the command line prints it', () => {
    const all = JSON.parse(textOf(allJson(result)));
    expect(all.outputs.weights).toEqual({ shape: [2, 3], axes: ['m', 'n'], data: [0.25, 0.75, 0, 0.1, 0.001, 0.899] });
    expect(all.steps).toHaveLength(2);
  });

  it('get names of their own', () => {
    expect([...plainNames(result).values()])
      .toEqual(['outputs.weights', 'outputs.mask', 'steps.01.E_over_T', 'steps.02.E_over_T']);
    expect(fileName(directory.document, 'csv', 'x')).toBe('uber-all-more-x.csv');
    expect(fileName({ ...directory.document, title: '' }, 'svg')).toBe('attention-experiment.svg');
    const { title: _title, ...untitled } = directory.document;
    expect(fileName(untitled as Doc, 'csv', 'weights', 'causal')).toBe('causal-weights.csv');
    expect(fileName(directory.document, 'csv', '', 'causal')).toBe('uber-all-more.csv');
  });
});

describe('the figure', () => {
  const wanted = drawable(result).map((tensor) => ({ result, tensor }));
  const made = figure(wanted, { chosen: {}, theme: 'light', title: 'a < b' });
  it('writes the numbers that are not masked nor small on their scale', () => {
    const texts = made.shapes.filter((shape) => shape.kind === 'text').map((shape) => shape.text);
    expect(texts.filter((text) => /^(\.\d\d|~?0)$/.test(text))).toEqual(['.25', '.75', '0', '.10', '0']);
    expect(made.shapes.filter((shape) => shape.kind === 'line').length).toBeGreaterThan(3);
  });

  it('leaves out the marks of spaces in front of the pieces of words', () => {
    const pieces = new Result({ ...directory, labels: { m: ['▁the', 'se'], n: ['▁', '&', ''] } } as Directory,
      Float32Array.from({ length: 12 }, (_, k) => k / 12));
    const texts = figure([{ result: pieces, tensor: pieces.tensors[0]! }], { chosen: {}, theme: 'light', title: 'a' })
      .shapes.filter((shape) => shape.kind === 'text').map((shape) => shape.text);
    expect(texts).toEqual(expect.arrayContaining(['the', 'se', '␣', '&', '']));
    expect(texts.filter((text) => text.includes('▁'))).toEqual([]);
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

describe('text of a figure elsewhere', () => {
  const text = (value: string, more: object = {}) => ({ kind: 'text', x: 10, y: 20, text: value, size: 10,
    fill: '#000', at: 'end', ...more } as const);
  const widthOf = (value: string, size: number, bold: boolean) => [...value].length * size * (bold ? 0.7 : 0.5);
  const drawing = (...shapes: Drawing['shapes']) => ({ title: 't', width: 100, height: 100, shapes });

  it('takes the room that it has in the font of the page', () => {
    const svg = svgOf(drawing(text('abc'), text('de', { bold: true }), text(' ')), { widthOf });
    expect(svg).toContain('text-anchor="end" textLength="15" lengthAdjust="spacingAndGlyphs">abc<');
    expect(svg).toContain('textLength="14" lengthAdjust="spacingAndGlyphs" font-weight="600">de<');
    expect(svg).toContain('> </text>');
    expect(svgOf(drawing(text('abc')))).not.toContain('textLength');
  });

  it('is outlines where all its letters have one, each at its place, and says what it is', () => {
    const outlines = { 400: { a: 'M0,0', '<': 'M1,1', ' ': '' }, 600: {} };
    const svg = svgOf(drawing(text('a <', { turn: -45 }), text('a', { at: 'start' }), text('ab'),
      text('a', { bold: true })), { widthOf, outlines });
    expect(svg).toContain('<defs><path id="g4-61" d="M0,0"/><path id="g4-3c" d="M1,1"/></defs>');
    expect(svg).toContain('<g role="img" aria-label="a &lt;" fill="#000" transform="translate(10 20) rotate(-45) '
      + 'scale(0.01)"><use xlink:href="#g4-61" x="-1500"/><use xlink:href="#g4-3c" x="-500"/></g>');
    expect(svg).toContain('<use xlink:href="#g4-61" x="0"/>');
    expect([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, said]) => said)).toEqual(['ab', 'a']);
  });

  it('sets pairs of letters as close as the font does', () => {
    const kerned = (value: string, size: number) => ([...value].length * 0.5 - (value.includes('To') ? 0.1 : 0)) * size;
    const outlines = { 400: { T: 'M0,0', o: 'M1,1', p: 'M2,2' }, 600: {} };
    const svg = svgOf(drawing(text('Top', { at: 'start' })), { widthOf: kerned, outlines });
    expect([...svg.matchAll(/<use [^>]*x="(-?\d+)"/g)].map(([, x]) => Number(x))).toEqual([0, 400, 900]);
  });
});

describe('a figure of a paper', () => {
  const wanted = drawable(result).map((tensor) => ({ result, tensor }));
  const look = { chosen: {}, theme: 'light', title: 'a < b' } as const;
  const sheet = { centimetres: 8.5, points: 8 };
  const texts = ({ shapes }: Figure) => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []));

  it('is so wide in centimetres, with text in points', () => {
    const made = figure(wanted, { ...look, sheet });
    expect(svgOf(made)).toMatch(/ viewBox="0 0 361\.42 \d+" width="8\.5cm" height="[\d.]+cm" /);
    const label = texts(made).find(({ text }) => text === '<x>')!;
    expect(pointsOf(label.size, made.width, sheet)).toBeCloseTo(8, 3);
    expect(pointsOf(made.smallest, made.width, sheet)).toBeCloseTo((8 * 11) / 12, 3);
    for (const shape of made.shapes)
      if (shape.kind === 'rect') expect(shape.x + shape.w).toBeLessThanOrEqual(made.width + 0.01);
    expect(figure(wanted, { ...look, sheet: { centimetres: 17, points: 8 } }).width).toBeCloseTo(2 * made.width, 1);
    expect(pixelsOf(sheet)).toBe(1004);
  });

  it('is filled by its matrices, whose rows stay together and are no taller than the figure is wide', () => {
    const cells = ({ shapes }: Figure) => shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape] : [])).slice(1);
    for (const centimetres of [8.5, 12, 30]) {
      const one = figure(wanted.slice(0, 1), { ...look, sheet: { centimetres, points: 8 } });
      const right = Math.max(...cells(one).map(({ x, w }) => x + w));
      // What is left beside the cells is for the names that lean over the last column.
      expect(right, `${centimetres} cm`).toBeGreaterThan(0.8 * one.width);
      expect(Math.max(...cells(one).map(({ h }) => h))).toBeLessThanOrEqual(one.width);
    }
    const two = [...wanted.slice(0, 1), ...wanted.slice(0, 1)];
    const usual = figure(two, { ...look, sheet: { centimetres: 17, points: 8 } });
    expect(new Set(texts(usual).filter(({ text }) => text === '<x>').map(({ y }) => y)).size).toBe(1);
  });

  it('says where its names leave the cells no room', () => {
    expect(figure(wanted, { ...look, sheet }).crowded).toBe(false);
    expect(figure(wanted, { ...look, sheet: { centimetres: 3, points: 24 } }).crowded).toBe(true);
  });

  it('has the titles that the reader gives it', () => {
    const made = figure(wanted.map((one) => ({ ...one, title: 'Own <title>', side: 'A' })),
      { ...look, heading: 'What the model learned' });
    expect(texts(made)[0]).toMatchObject({ text: 'What the model learned', bold: true });
    expect(texts(made).filter(({ text }) => text === 'A: Own <title>')).toHaveLength(wanted.length);
    expect(svgOf(made)).toContain('<title>What the model learned</title>');
  });

  it('has one scale and one legend for all panels of one kind', () => {
    const two = new Result(structuredClone(directory), Float32Array.from([-3, 2, 0, 1, 0, 0, 1, 1, 1, 1, 1, 0]));
    const signed = two.tensors[0]!;
    const one = { result, tensor: result.tensors[0]! };
    const scale = (tensor: Tensor) => (tensor === signed ? [-3, 3] as const : [-1, 1] as const);
    const half = new Result({ ...structuredClone(directory), tensors: [{ ...directory.tensors[0]!, kind: 'signed',
      role: 'scores' }] } as unknown as Directory, Float32Array.from([-1, 1, 0, 0.5, 0, 0]));
    const pair = [{ result: two, tensor: signed }, { result: half, tensor: half.tensors[0]! }];
    const apart = figure(pair, { ...look, scale });
    const together = figure(pair, { ...look, scale, oneScale: true });
    const ends = (made: Figure) => texts(made).map(({ text }) => text).filter((text) => /^−?[13]\.0$/.test(text));
    const count = (made: Figure, text: string) => ends(made).filter((own) => own === text).length;
    expect(count(apart, '−3.0')).toBeGreaterThan(0);
    // Each number of the legends stands there once; the cells' own numbers besides.
    expect(together.shapes.filter((shape) => shape.kind === 'rect' && shape.h === 6)).toHaveLength(48);
    expect(apart.shapes.filter((shape) => shape.kind === 'rect' && shape.h === 6)).toHaveLength(96);
    expect(figure([...pair, one], { ...look, scale, oneScale: true }).shapes
      .filter((shape) => shape.kind === 'rect' && shape.h === 6)).toHaveLength(96);
    // The same number has the same colour in both; the first one has a masked cell, which has none.
    const fills = (made: Figure) => made.shapes.flatMap((shape) =>
      (shape.kind === 'rect' && shape.h === 21 ? [shape.fill] : []));
    expect(fills(together)[3]).toBe(fills(together)[6]);
    expect(fills(apart)[3]).not.toBe(fills(apart)[6]);
  });

  it('is a PNG that says how many pixels it has to the metre', () => {
    const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD'
      + 'hgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));
    const made = Buffer.from(printed(png));
    expect(made.length).toBe(png.length + 21);
    const at = made.indexOf('pHYs');
    expect(at).toBe(37);
    expect([made.readUInt32BE(at + 4), made.readUInt32BE(at + 8), made[at + 12]]).toEqual([11811, 11811, 1]);
    expect(made.readUInt32BE(at + 13)).toBe(crc32(made.subarray(at, at + 13)));
    // A resolution that is there already gives way.
    expect(Buffer.from(printed(printed(png), 5000)).readUInt32BE(at + 4)).toBe(5000);
    expect(printed(printed(png))).toHaveLength(made.length);
  });
});

describe('the list of matrices', () => {
  const one = (name: string, within: string, shape: number[]) => ({ ...tensorOf({ name, shape,
    data: new Float32Array(1) }), within });

  it('tells those of one title apart: by their shapes, and of one shape by their names', () => {
    const losses = [one('loss', '', []), one('loss.loss', 'loss', [])];
    expect(losses.map((loss) => naming(loss).title)).toEqual(['Loss', 'Loss'].map(() => naming(losses[0]!).title));
    expect(losses.map((loss) => calledIn(losses, loss)).map((name) => name.replace(/^\w+ /, '')))
      .toEqual(['(loss)', '(loss.loss)']);
    const shapes = [one('loss', '', [2]), one('loss.loss', 'loss', [3])];
    expect(shapes.map((loss) => calledIn(shapes, loss)).map((name) => name.replace(/^\w+ /, ''))).toEqual(['2', '3']);
    expect(calledIn([losses[0]!], losses[0]!)).toBe(naming(losses[0]!).title);
  });
});

describe('a loss', () => {
  const loss = (name: string, within: string, at: number) =>
    ({ ...output(name, [], []), role: 'loss', within, offset: at });
  const drawn = (numbers: number[], ...list: unknown[]) => drawable(new Result({ ...structuredClone(directory),
    tensors: list } as unknown as Directory, Float32Array.from(numbers))).map(({ name }) => name);

  it('of the only module is offered once, as the module\'s; others stay', () => {
    const [own, whole] = [loss('loss.loss', 'loss', 0), loss('loss', '', 1)];
    expect(drawn([2, 2], own, whole)).toEqual(['loss.loss']);
    expect(drawn([2, 3], own, whole).toSorted()).toEqual(['loss', 'loss.loss']);
    expect(drawn([2, 2, 4], own, { ...whole, offset: 2 }, loss('other.loss', 'other', 1)).length).toBe(3);
  });
});

describe('thumbnails', () => {
  it('hold the weights to a level, keep exact zeros and what is masked', () => {
    const picture = draw(result)!;
    const { plane, mask } = read(picture);
    expect([picture.rows, picture.cols, mask.at(1, 2), mask.at(0, 2)]).toEqual([2, 3, 0, 1]);
    expect([plane.at(0, 2), plane.at(1, 1) > 0]).toEqual([0, true]);
    expect(plane.at(0, 1)).toBeCloseTo(0.75, 2);
  });

  it('says in the file what made it and from which document', () => {
    const about = { description: 'Berechnet <so>. 7 α', software: 'Playground 1.0.0',
      source: 'https://a.example/#1.x' };
    const svg = svgOf({ title: 'a & b', width: 10, height: 10, shapes: [], about });
    expect(svg).toContain('<title>a &amp; b</title>\n<desc>Berechnet &lt;so&gt;. 7 α</desc>');
    expect(svg).toContain('<dc:creator>Playground 1.0.0</dc:creator><dc:source>https://a.example/#1.x</dc:source>');
    const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD'
      + 'hgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));
    const made = Buffer.from(described(printed(png), 'a & b', about));
    const texts: Record<string, string> = {};
    for (let at = 8; at < made.length;) {
      const size = made.readUInt32BE(at);
      expect(made.readUInt32BE(at + 8 + size)).toBe(crc32(made.subarray(at + 4, at + 8 + size)));
      const data = made.subarray(at + 8, at + 8 + size);
      if (made.subarray(at + 4, at + 8).toString() === 'iTXt')
        texts[data.subarray(0, data.indexOf(0)).toString()] = data.subarray(data.indexOf(0) + 5).toString();
      at += 12 + size;
    }
    expect(texts).toEqual({ Title: 'a & b', Description: about.description, Software: about.software,
      Source: about.source });
    expect(made.indexOf('pHYs')).toBeGreaterThan(0);
  });

  it('has the difference of two sides on a scale of its own, and titles in which a letter has one meaning', () => {
    const [weights] = result.tensors;
    const other = { ...weights!, data: weights!.data.map((value, k) => value + (k === 1 ? -0.5 : 0)) };
    const gap = gapOf(weights!, other)!;
    expect([...gap.data]).toEqual([0, -0.5, 0, 0, 0, 0]);
    expect(gapOf(weights!, { ...other, shape: [3, 2] })).toBeUndefined();
    const { shapes } = figure([{ result, tensor: weights!, side: 'A, Causal' }, { result, tensor: gap, side: 'B − A',
      gap: { a: { result, tensor: weights! }, b: { result, tensor: other } } }],
    { chosen: {}, theme: 'light', title: 't' });
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []));
    expect(texts).toEqual(expect.arrayContaining(['A, Causal: Weights', 'B − A: Weights', '−.50']));
  });

  it('hatches what a side hides in a difference, and counts those cells', () => {
    // B hides one cell more, in which A has a weight of .25; all other weights are the same.
    const second = new Result(directory, Float32Array.from([0, 0.75, 0, 0.1, 0.001, 0.899, 0, 1, 1, 1, 1, 0]));
    const [a, b] = [{ result, tensor: result.tensors[0]! }, { result: second, tensor: second.tensors[0]! }];
    const drawn = (oneScale: boolean) => figure([{ ...a, tensor: gapOf(a.tensor, b.tensor)!, gap: { a, b } }],
      { chosen: {}, theme: 'light', title: 't', oneScale });
    for (const oneScale of [false, true]) {
      const { shapes, height } = drawn(oneScale);
      const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []));
      expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['B', 'AB', 'B: hidden in B, 1 cell',
        'AB: hidden in both, 1 cell']));
      expect(texts.filter(({ text }) => text === '−.25' || text === 'A')).toEqual([]);
      for (const { y } of texts) expect(y).toBeLessThan(height);
      expect(new Set(texts.filter(({ text }) => text.includes('hidden')).map(({ y }) => y)).size).toBe(2);
    }
    const unmasked = new Result({ ...directory, tensors: [directory.tensors[0]!] }, new Float32Array(6));
    const shown = plane(unmasked.tensors[0]!, {});
    expect(hiddenOf(shown, undefined, undefined)).toBeUndefined();
    const hides = (...data: number[]) => plane({ ...unmasked.tensors[0]!, data: Float32Array.from(data) }, {});
    const { says, legend, mask } = hiddenOf(shown, hides(0, 1, 1, 1, 1, 0), hides(1, 0, 1, 0, 1, 0))!;
    expect([says(0, 0), says(0, 1), says(0, 2), says(1, 2)]).toEqual(['A', 'B', '', 'AB']);
    expect([...mask.tensor.data]).toEqual([0, 0, 1, 0, 1, 0]);
    expect(legend).toEqual(['A: hidden in A, 1 cell', 'B: hidden in B, 2 cells', 'AB: hidden in both, 1 cell']);
  });

  it('is cited with the version of the package and the day on which it was read', () => {
    expect(bibtex('https://a.example/', new Date(Date.UTC(2026, 10, 30)))).toBe('@software{attention-playground, '
      + `title = {Attention Playground}, version = {${own.version}}, url = {https://a.example/}, `
      + `urldate = {2026-11-30}, note = {Licence: ${own.license}}}`);
  });
});
