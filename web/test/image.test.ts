// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { axisOf, isMap, typed } from '../src/directory/typed.ts';
import { middle, shrink } from '../src/image/decode.ts';
import { digitOf, motifPixels } from '../src/image/draw.ts';
import { Grids } from '../src/image/grid.ts';
import { channelsOf, domainOf, inputOf, pictureOf, rgbOf } from '../src/image/pixels.ts';
import { cotangent } from '../src/image/depends.ts';
import { filtersIn, reaches } from '../src/image/filters.ts';
import { pointsOf, sampledIn, trailOf } from '../src/image/points.ts';
import { imagePorts, readsImage } from '../src/state/image-ports.ts';
import { centre, GridPlane, largest, lineOf, overlaysOf, sharesOf } from '../src/image/shares.ts';
import { type Tensor, valueAt } from '../src/engine/result.ts';
import { output } from './directory.ts';
import { book, catalogue, runs, systemFiles } from './runs.ts';

const readers = catalogue.mechanisms.filter(({ roles }) => roles.some(readsImage)).map(({ id }) => id);
const systems = systemFiles.filter(({ document }) => imagePorts(book, document).length > 0);
const captions: Doc = {
  schema: 'attention-playground/1', title: 't', seed: 4, mechanism: {},
  inputs: { image: { shape: [6, 4, 3], data: Array.from({ length: 72 }, (_, k) => (k % 7) / 7) },
    caption: { tokens: ['a', 'red', 'disc', '<end>'] } },
  model: [
    { name: 'regions', type: 'fm-cnn2d', inputs: { x: 'image' }, size: 3, filters: 4 },
    { name: 'decoder', type: 'om-decoder', inputs: { memory: 'regions.rows', target: 'caption' }, hidden: 4, dim: 4 },
  ],
} as unknown as Doc;
delete (captions as Record<string, unknown>)['mechanism'];
const examples = runs(readers);
const opened = runs(systems.map(({ document }) => document));

describe('images are found by the ports that read them', () => {
  it('in every module of the catalogue that reads one, and in systems', () => {
    expect(readers.length).toBeGreaterThan(12);
    for (const result of examples)
      expect(imagePorts(book, result.directory.document).length, JSON.stringify(result.directory.modules))
      .toBeGreaterThan(0);
    expect(systems.length).toBeGreaterThan(7);
    expect(imagePorts(book, captions)).toEqual([{ input: 'image', ranks: [3, 2] }]);
    expect(imagePorts(book, { ...captions, inputs: { caption: captions.inputs['caption']! } })).toEqual([]);
  });

  it('nothing else is one', () => {
    for (const shape of ['n d', 'L n d', 'm 2', 'I J d | J d', '1 dh'])
      expect(readsImage({ shape }), shape).toBe(false);
    for (const shape of ['H W', 'H W C | H W', 'Hg Wg Cg | Hg Wg']) expect(readsImage({ shape }), shape).toBe(true);
  });
});

describe('maps are laid over images', () => {
  it('every map of pairs of places is, with as many places as it has rows and columns', () => {
    let maps = 0;
    for (const result of [...examples, ...opened]) {
      for (const overlay of overlaysOf(book, result)) {
        const { tensor, query, key } = overlay;
        const types = typed(tensor);
        if (query) expect(query.rows * query.cols + query.extra, tensor.name)
          .toBe(tensor.shape[axisOf(types, 'query')]);
        if (key) expect(key.rows * key.cols + key.extra, tensor.name).toBe(tensor.shape[axisOf(types, 'key')]);
        const shares = sharesOf(overlay, key || overlay.areas ? 'row' : 'column', undefined, {},
          result.directory.document.inputs[overlay.input]!['shape'] as number[]);
        expect(shares, tensor.name).toBeDefined();
        expect(Number.isFinite(largest(shares!).value), tensor.name).toBe(true);
        if (isMap(tensor)) maps++;
      }
    }
    expect(maps).toBeGreaterThan(6);
  });

  it('a row that is laid out holds the map’s own numbers, and each place leads back to its cell', () => {
    const k = readers.indexOf('sagan');
    const [overlay] = overlaysOf(book, examples[k]!);
    expect([overlay!.query, overlay!.key])
      .toEqual([{ input: 'image', rows: 4, cols: 3, extra: 0 }, { input: 'image', rows: 4, cols: 3, extra: 0 }]);
    for (const side of ['row', 'column'] as const) {
      const line = lineOf(overlay!, side, 5, {})!;
      expect(line).toBeInstanceOf(GridPlane);
      for (let row = 0; row < 4; row++) {
        for (let col = 0; col < 3; col++) {
          const place = row * 3 + col;
          expect(line.index(row, col)).toEqual(side === 'row' ? [5, place] : [place, 5]);
          expect(line.cell(line.index(row, col))).toEqual([row, col]);
          expect(line.at(row, col)).toBe(valueAt(overlay!.tensor, line.index(row, col)));
        }
      }
    }
  });

  it('patches and the token in front of them are followed through a model', () => {
    const vit = opened[systems.findIndex(({ id }) => id === 'vit')]!;
    const overlay = overlaysOf(book, vit).find(({ query, key }) => query && key)!;
    expect(overlay.key).toEqual({ input: 'image', rows: 4, cols: 4, extra: 1 });
    const row = sharesOf(overlay, 'row', 0, {}, [16, 16])!;
    const sum = Array.from({ length: 16 }, (_, at) => row.at(Math.floor(at / 4), at % 4)).reduce((a, b) => a + b, 0);
    expect(sum + valueAt(overlay.tensor, [0, 0, 0])).toBeCloseTo(1, 5);
  });

  it('words that look at regions: the words’ side stays words', () => {
    const [result] = runs([captions]);
    const [overlay] = overlaysOf(book, result!);
    expect(overlay!.key).toEqual({ input: 'image', rows: 6, cols: 4, extra: 0 });
    expect(overlay!.query).toBeUndefined();
    expect(new Grids(book, result!).along(overlay!.tensor, 0)).toBeUndefined();
  });

  it('frame after frame each row lies over the frame that it looks at, and over no other', () => {
    const at = systems.findIndex(({ document }) => Object.keys(document.inputs).length === 4);
    const overlays = overlaysOf(book, opened[at]!).filter(({ tensor }) => isMap(tensor));
    expect(overlays.map(({ input, row }) => [input, row]))
      .toEqual([0, 1, 2, 3].map((row) => [`frame-${row + 1}`, row]));
    for (const overlay of overlays) {
      const shares = sharesOf(overlay, 'row', overlay.row, {}, [10, 10, 3])!;
      expect(shares.at(2, 3)).toBe(valueAt(overlay.tensor, [overlay.row!, 2 * shares.cols + 3]));
    }
    expect(overlays[0]!.tensor.data.slice(0, 25)).not.toEqual(overlays[0]!.tensor.data.slice(25, 50));
  });

  it('the middle of the weight is where the weight is', () => {
    const at = (weights: number[][]) => centre({ rows: 2, cols: 2, at: (i, j) => weights[i]![j]! });
    expect(at([[0, 0], [0, 1]])).toEqual({ x: 0.75, y: 0.75 });
    expect(at([[1, 1], [1, 1]])).toEqual({ x: 0.5, y: 0.5 });
    expect(at([[0, 0], [0, 0]])).toBeUndefined();
  });
});

describe('pictures', () => {
  it('a seed draws the same again, another something else, and something is there', () => {
    for (const motif of ['shapes', 'digit'] as const) {
      const all = Array.from({ length: 30 }, (_, seed) => motifPixels(motif, seed, 12, 12));
      expect(motifPixels(motif, 7, 12, 12)).toEqual(all[7]);
      expect(new Set(all.map((pixels) => pixels.join())).size).toBe(30);
      for (const pixels of all) {
        expect(Math.max(...pixels)).toBeGreaterThan(0.5);
        expect(Math.max(...pixels)).toBeLessThanOrEqual(1.0001);
        expect(pixels.filter((value) => value === 0).length).toBeGreaterThan(100);
      }
    }
    expect(new Set(Array.from({ length: 60 }, (_, seed) => digitOf(seed))).size).toBe(10);
  });

  it('become the channels that the input has, and come back', () => {
    const pixels = motifPixels('shapes', 3, 8, 6);
    for (const channels of [undefined, 1, 2, 3, 4, 6, 9]) {
      const input = inputOf(pixels, { height: 8, width: 6, channels });
      expect(input['shape']).toEqual(channels === undefined ? [8, 6] : [8, 6, channels]);
      expect((input['data'] as number[]).length).toBe(48 * (channels ?? 1));
    }
    expect(channelsOf(4)).toEqual(['red', 'green', 'blue', 'brightness']);
    const back = pictureOf(inputOf(pixels, { height: 8, width: 6, channels: 3 })['data'] as number[],
      { height: 8, width: 6, channels: 3 });
    back.forEach((value, k) => expect(Math.abs(value - pixels[k]!)).toBeLessThan(0.01));
  });

  it('black and white lie where the numbers say', () => {
    expect(domainOf([0, 0.5])).toEqual([0, 1]);
    expect(domainOf([-0.5, 0.5])).toEqual([-1, 1]);
    expect(domainOf([-3, 5])).toEqual([-3, 5]);
    expect(domainOf([7, 7])).toEqual([6, 8]);
    expect([...rgbOf([0, 1], { height: 1, width: 2, channels: undefined })])
      .toEqual([0, 0, 0, 255, 255, 255, 255, 255]);
  });

  it('files are cut in the middle and shrunk by means, transparent parts as black', () => {
    expect(middle(400, 300, 1)).toEqual({ x: 50, y: 0, w: 300, h: 300 });
    expect(middle(300, 400, 2)).toEqual({ x: 0, y: 125, w: 300, h: 150 });
    const grey = shrink([255, 255, 255, 255, 0, 0, 0, 255], { w: 2, h: 1 }, 1, 1);
    expect([...grey.pixels, grey.alpha, grey.grey]).toEqual([0.5, 0.5, 0.5, false, true]);
    const clear = shrink([255, 0, 0, 0, 255, 0, 0, 255], { w: 2, h: 1 }, 1, 2);
    expect([...clear.pixels, clear.alpha, clear.grey]).toEqual([0, 0, 0, 1, 0, 0, true, false]);
    // One pixel fills all that is wanted of it.
    expect([...shrink([255, 255, 255, 255], { w: 1, h: 1 }, 2, 2).pixels]).toEqual(Array(12).fill(1));
  });
});

describe('what a result depends on', () => {
  const asked = (kind: 'probability' | 'signed', shape: number[], data: number[], index?: number[]) =>
    cotangent({ kind, shape, data: Float32Array.from(data) }, index);

  it('of chances it is the largest of each row that is followed, for all of them are 1 whatever is looked at', () => {
    expect(asked('signed', [2, 2], [1, 2, 3, 4])).toEqual([1, 1, 1, 1]);
    expect(asked('probability', [2, 3], [0.2, 0.5, 0.3, 0.6, 0.3, 0.1])).toEqual([0, 1, 0, 1, 0, 0]);
    expect(asked('probability', [2, 3], [0.2, 0.5, 0.3, 0.6, 0.3, 0.1], [1, 2])).toEqual([0, 0, 0, 0, 0, 1]);
  });
});

describe('points between pixels', () => {
  it('are found where a module is given points of an image, and nowhere else', () => {
    const found = examples.filter((result) => imagePorts(book, result.directory.document)
      .some(({ input }) => sampledIn(book, result, input) !== undefined));
    expect(found.flatMap(({ directory }) => (directory.modules ?? []).map(({ type }) => type)))
      .toEqual(['deformable', 'fm-ram']);
  });

  it('of an eye are a trail: stop after stop in the middles of its pixels', () => {
    const result = examples[readers.indexOf('fm-ram')]!;
    const sampled = sampledIn(book, result, 'image')!;
    const [rows, cols] = result.whole('image', 'inputs')!.shape as [number, number];
    const trail = trailOf(sampled, { height: rows, width: cols, channels: undefined })!;
    expect(trail.length).toBe(sampled.places.shape[0]);
    expect(trail.length).toBeGreaterThan(2);
    trail.forEach(({ x, y }, k) => {
      const [row, col] = sampled.places.data.slice(2 * k, 2 * k + 2) as unknown as [number, number];
      expect(Number.isInteger(row) && Number.isInteger(col)).toBe(true);
      expect([y, x].map((share) => share > 0 && share < 1)).toEqual([true, true]);
      expect(y * rows).toBeCloseTo(row + 0.5, 5);
      expect(x * cols).toBeCloseTo(col + 0.5, 5);
    });
    const free = sampledIn(book, examples[readers.indexOf('deformable')]!, 'image')!;
    expect(trailOf(free, { height: 4, width: 4, channels: undefined }))
      .toBeUndefined();
  });

  it('lie at the given points plus offsets, a query after the other, with weights that sum to 1 in each head', () => {
    const result = examples[readers.indexOf('deformable')]!;
    const sampled = sampledIn(book, result, 'image')!;
    const points = pointsOf(sampled);
    const given = result.whole('points', 'inputs')!;
    const offsets = result.all('parameters').find(({ shape }) => shape.length === 4)!;
    const [m, h, K] = offsets.shape as [number, number, number];
    expect(points.length).toBe(m * h * K);
    points.forEach(({ row, col, query }, k) => {
      expect(query).toBe(Math.floor(k / (h * K)));
      expect(row).toBeCloseTo(given.data[2 * query]! + offsets.data[2 * k]!, 5);
      expect(col).toBeCloseTo(given.data[2 * query + 1]! + offsets.data[2 * k + 1]!, 5);
    });
    for (let k = 0; k < m * h; k++)
      expect(points.slice(k * K, (k + 1) * K).reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 5);
  });
});

describe('filters over an image', () => {
  it('are found by the axes of what a module gives, and nowhere else', () => {
    const found = examples.filter((result) => imagePorts(book, result.directory.document)
      .some(({ input }) => filtersIn(book, result, input) !== undefined));
    expect(found.flatMap(({ directory }) => (directory.modules ?? []).map(({ type }) => type)))
      .toEqual(['selective-gaussian-grid']);
    const { across, down } = filtersIn(book, found[0]!, 'image')!;
    expect([across.shape, down.shape].map((shape) => shape[0])).toEqual([across.shape[0], across.shape[0]]);
    // Gaussians in a row: each stands behind the one before, all as far apart.
    const middles = reaches(across, 0).map(({ middle }) => middle);
    expect(middles).toEqual(middles.toSorted((a, b) => a - b));
  });

  it('have the middle and the spread of their numbers, at the step that is looked at', () => {
    const list = (shape: number[], data: number[]) =>
      ({ ...output('f', shape, ['t', 'N', 'W'].slice(-shape.length)), data: Float32Array.from(data) }) as Tensor;
    expect(reaches(list([2, 4], [0, 1, 0, 0, 0.5, 0, 0.5, 0]), 0)).toEqual([{ middle: 1, spread: 0 },
      { middle: 1, spread: 1 }]);
    expect(reaches(list([2, 1, 3], [1, 0, 0, 0, 0, 1]), 1)).toEqual([{ middle: 2, spread: 0 }]);
    expect(reaches(list([1, 3], [0, 0, 0]), 0), 'beside the image').toEqual([]);
  });
});
