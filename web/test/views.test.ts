// SPDX-License-Identifier: Apache-2.0
import { html, render } from 'lit';
import { describe, expect, it } from 'vitest';
import { inside, isLight, runningAxes, timeOf, type Typed, typed, wires } from '../src/directory/typed.ts';
import type { Plane } from '../src/engine/result.ts';
import type { AxisRole, Dimension, ModuleEntry, NumberKind } from '../src/engine/types.ts';
import { viewsFor, views } from '../src/views/all.ts';
import { better } from '../src/views/view-element.ts';
import { byDistance, groupsOf, reached } from '../src/views/square.ts';
import { planeOf, type Subject, type View } from '../src/views/view.ts';
import arabic from '../src/strings/ar.ts';
import german from '../src/strings/de.ts';
import { strings } from '../src/strings/en.ts';

const SIZE: Record<AxisRole, number> =
  { query: 3, key: 4, feature: 5, head: 2, layer: 2, time: 6, height: 3, width: 5, channel: 2, class: 7, batch: 2 };
const KINDS: NumberKind[] = ['probability', 'signed', '0/1', 'index', 'count'];
// A number, rows of words, maps, maps a head, a layer, a step, images, curves, recurrent maps.
const SHAPES: AxisRole[][] = [
  [], ['feature'], ['class'], ['key'], ['time'], ['query', 'feature'], ['query', 'key'], ['head', 'query', 'key'],
  ['layer', 'head', 'query', 'key'], ['batch', 'query', 'key'],
  ['query', 'key', 'feature'], ['head', 'query', 'feature'], ['time', 'class'], ['time', 'query', 'key'],
  ['time', 'feature'], ['height', 'width'], ['height', 'width', 'channel'],
  ['feature', 'key'], ['time', 'height', 'width'], ['head', 'query', 'height', 'width'], ['layer', 'query', 'feature'],
  ['query', 'head'],
];

function subject(roles: AxisRole[], kind: NumberKind, more: Partial<Dimension>[] = []): Subject {
  const shape = roles.map((role) => SIZE[role]);
  const dimensions = roles.map((role, k): Dimension =>
    ({ role, ...(role === 'key' ? { labels: 'x' } : {}), ...more[k] }));
  const data = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) },
    (_, k) => (kind === 'signed' ? Math.sin(k) : kind === 'probability' ? ((k * 7) % 10) / 10 : k % 2));
  const types: Typed = { module: 'm', step: 1, role: 'weights', kind, dimensions };
  return { tensor: { group: 'outputs', name: 't', shape, axes: roles, places: roles, offset: 0, data }, typed: types,
    labels: (axis) => (dimensions[axis]?.labels ? ['a', 'b', 'c', 'd'] : undefined), held: shape.map(() => 0) };
}

// A map of four tokens on themselves, and a state that grows.
function square(numbers: number[]): Subject {
  const from = subject(['query', 'key'], 'probability', [{ labels: 'x' }]);
  return { ...from, tensor: { ...from.tensor, shape: [4, 4], data: Float32Array.from(numbers) } };
}
const growing = subject(['time', 'feature'], 'signed');
const state: Subject = { ...growing, typed: { ...growing.typed, role: 'state' },
  tensor: { ...growing.tensor, data: Float32Array.from({ length: 30 }, (_, k) => Math.floor(k / 5)) } };

// Three rows without words over four tokens: the second gathers the first two, the third the last.
const landmarks: Subject = (() => {
  const from = subject(['query', 'key'], 'probability');
  return { ...from, tensor: { ...from.tensor, data: Float32Array.of(0.1, 0.1, 0.7, 0.1, 0.5, 0.4, 0.05, 0.05, 0.1, 0.2,
    0.1, 0.6) } };
})();

// A memory that is a matrix, and six queries over three blocks of keys.
const steps = subject(['time', 'feature', 'feature'], 'signed');
const remembered: Subject = { ...steps, typed: { ...steps.typed, role: 'state' } };
const overBlocks: Subject = (() => {
  const from = subject(['query', 'feature'], 'probability');
  return { ...from, tensor: { ...from.tensor, shape: [6, 3], data: new Float32Array(18).fill(0.5) } };
})();

const drawn = (view: View, from: Subject): HTMLElement => {
  const host = document.createElement('div');
  render(view.draw(from, { width: 240, height: 120 }), host);
  return host;
};

describe('pictures', () => {
  const canvases = (role: Typed['role']): Subject => {
    const from = subject(['time', 'height', 'width'], 'probability');
    return { ...from, typed: { ...from.typed, role } };
  };
  const ids = ({ typed: types, tensor }: Subject) => viewsFor(types, tensor.shape).map(({ id }) => id);

  it('that a module draws are light on black, in square pixels; where it looks is a share, which fades', () => {
    const drew = canvases('output');
    expect([isLight(drew.typed), ids(drew)[0], ids(drew).includes('picture')]).toEqual([true, 'timeline', false]);
    const [first, ...more] = drawn(views.find(({ id }) => id === 'timeline')!, drew).querySelectorAll('ap-matrix');
    const { kind, domain, w, h } = first as unknown as { kind: string; domain: number[]; w: number; h: number };
    expect([kind, domain, more.length]).toEqual(['light', [0, 1], SIZE.time - 1]);
    expect(w / SIZE.width).toBeCloseTo(h / SIZE.height);
    const looks = canvases('weights');
    expect([isLight(looks.typed), ids(looks)[0]]).toEqual([false, 'picture']);
  });
});

describe('landmarks', () => {
  const gathers = views.find(({ id }) => id === 'gathers')!;

  it('stand on the tokens that each gathers, coloured as classes are', () => {
    const { typed: types, tensor } = landmarks;
    expect(viewsFor(types, tensor.shape)[0]).toBe(gathers);
    const chips = [...drawn(gathers, landmarks).querySelectorAll('li')];
    expect(chips.map((chip) => chip.dataset['class'])).toEqual(['1', '1', '0', '2']);
    expect(gathers.says(landmarks)).toContain('3 of 3');
  });

  it('are no words themselves, are fewer than the tokens, and weigh them', () => {
    const tensor = landmarks.tensor.shape;
    const { typed: types } = landmarks;
    const asked = { ...types, dimensions: [{ ...types.dimensions[0]!, labels: 'y' }, types.dimensions[1]!] };
    const steps = { ...types, dimensions: [{ ...types.dimensions[0]!, time: true as const }, types.dimensions[1]!] };
    expect([gathers.accepts(types, tensor), gathers.accepts(asked, tensor), gathers.accepts(steps, tensor),
      gathers.accepts(types, [4, 4]), gathers.accepts({ ...types, role: 'scores' }, tensor)])
      .toEqual([true, false, false, false, false]);
  });
});

describe('every view', () => {
  for (const view of views) {
    it(`${view.id}: draws, tells and saves every shape and kind that it accepts`, () => {
      let accepted = 0;
      const given = [...SHAPES.flatMap((roles) => KINDS.map((kind) => subject(roles, kind))),
        square(Array(16).fill(0.25)), state, landmarks, remembered, overBlocks];
      for (const from of given) {
        const { kind } = from.typed;
        const roles = from.typed.dimensions.map(({ role }) => role);
        if (!view.accepts(from.typed, from.tensor.shape)) continue;
        accepted++;
        const where = `${view.id} of ${kind} over ${roles.join(' ')}`;
        const host = drawn(view, from);
        expect(host.firstElementChild, where).not.toBeNull();
        expect(host.innerHTML, where).not.toMatch(/NaN|undefined|Infinity/);
        for (const told of [view.says(from), view.exports(from).text]) {
          expect(told.length, where).toBeGreaterThan(0);
          expect(told, where).not.toMatch(/NaN|undefined|Infinity/);
        }
      }
      expect(accepted).toBeGreaterThan(0);
      expect(strings.pictures.names[view.id]).toBeTruthy();
    });
  }

  const seen = new Set<string>();

  // One case for each kind: on a busy machine all of them together take longer than a case may.
  it.each(KINDS)('draws, tells and saves of %s what is empty, single, long, of many axes, or no number', (kind) => {
    const AXES = ['query', 'key', 'feature', 'head', 'layer', 'time', 'height', 'width', 'batch'] as const;
    const given: [AxisRole[], number[]][] = [
      ...AXES.flatMap((role) => [0, 1, 64, 512].map((size): [AxisRole[], number[]] => [[role], [size]])),
      ...AXES.flatMap((one) => AXES.filter((role) => role !== one).flatMap((other) =>
        [[1, 1], [0, 3], [3, 0], [4, 4]].map((shape): [AxisRole[], number[]] => [[one, other], shape]))),
      [['query', 'key'], [1, 512]], [['query', 'key'], [512, 1]],
      [['query', 'feature'], [4, 2]], [['head', 'query', 'key'], [2, 0, 3]],
      [['head', 'query', 'key'], [0, 2, 3]], [['time', 'height', 'width', 'channel'], [2, 2, 3, 3]],
      [['layer', 'head', 'query', 'key'], [1, 1, 1, 1]], [['batch', 'layer', 'head', 'query', 'key'], [2, 2, 2, 3, 3]],
      [['time', 'layer', 'head', 'height', 'width'], [2, 1, 2, 3, 3]],
      [['feature', 'feature', 'feature', 'feature', 'feature'], [2, 1, 2, 1, 2]],
    ];
    const odd = { number: 0.5, none: NaN, above: Infinity, below: -Infinity, least: 1e-45, largest: 3.4e38 };
    for (const [roles, shape] of given) for (const [what, value] of Object.entries(odd)) {
      const size = shape.reduce((a, b) => a * b, 1);
      const from = subject(roles, kind);
      const one: Subject = { ...from, typed: { ...from.typed, role: roles.includes('time') ? 'state' : 'weights' },
        tensor: { ...from.tensor, shape, data: Float32Array.from({ length: size }, (_, k) => (k % 3 ? 0.25 : value)) },
        labels: () => undefined };
      const ways = viewsFor(one.typed, shape);
      expect(ways.length).toBeGreaterThan(0);
      for (const view of ways) {
        const where = `${view.id} of ${kind} over ${roles.join(' ')}, ${shape.join(' x ')}, ${what}`;
        seen.add(view.id);
        const host = drawn(view, one);
        expect(host.firstElementChild, where).not.toBeNull();
        for (const mark of host.querySelectorAll('svg *, li'))
          for (const { name, value: text } of mark.attributes)
            if (name !== 'data-class') expect(text, `${where}: ${name}`).not.toMatch(/NaN|undefined|Infinity/);
        const [told, saved] = [view.says(one), view.exports(one).text];
        expect(told.length, where).toBeGreaterThan(0);
        expect(told, where).not.toMatch(what === 'none' ? /undefined|Infinity/ : /NaN|undefined|Infinity/);
        if (!['none', 'above', 'below'].includes(what) || size === 0)
          expect(saved, where).not.toMatch(/NaN|undefined|Infinity/);
      }
    }
  });

  it('was drawn of something odd, but for landmarks, which need weights of their own', () => {
    expect([...seen].toSorted()).toEqual(views.map(({ id }) => id).filter((id) => id !== 'gathers').toSorted());
  });

  it('stands in a file of its own in its folder, and has its place among the others and its name in each language',
    () => {
      const ranks = views.map(({ rank }) => rank);
      expect(views.filter(({ rank }, k) => ranks.indexOf(rank) !== k).map(({ id, rank }) => `${id}: ${rank}`),
        'views whose rank is taken').toEqual([]);
      for (const { id } of views) for (const words of [strings, german, arabic])
        expect((words.pictures as { names: Record<string, string> }).names[id], `pictures.names.${id}`).toBeTruthy();
    });

  it('of every shape and kind there is a way to draw it', () => {
    for (const roles of SHAPES) for (const kind of KINDS)
      expect(viewsFor(subject(roles, kind).typed, subject(roles, kind).tensor.shape).length).toBeGreaterThan(0);
  });

  it('a tensor is drawn first in the way that suits it', () => {
    const first = (roles: AxisRole[], kind: NumberKind = 'signed', more: Partial<Dimension>[] = []) =>
      viewsFor(subject(roles, kind, more).typed, subject(roles, kind).tensor.shape)[0]!.id;
    expect([first(['time']), first(['height', 'width'], 'probability'), first(['time', 'query', 'key']),
      first(['class'], 'probability'), first(['query', 'key'], 'probability', [{ labels: 'y' }])])
      .toEqual(['line-chart', 'picture', 'timeline', 'bars', 'matrix']);
    expect([first(['feature', 'key'], 'index'), first(['key'], 'index'), first(['key', 'feature'], 'index')])
      .toEqual(['classes', 'classes', 'matrix']);
  });

  it('numbers that stand for words are shown as these words, in no colour', () => {
    const from = subject(['query'], 'index', [{ time: true }]);
    const words = ['le', 'la', 'il'];
    const told = { ...from, tensor: { ...from.tensor, shape: [3], data: Float32Array.of(2, 0, 7) },
      word: (value: number) => words[value] };
    const view = views.find(({ id }) => id === 'chosen')!;
    const chips = [...drawn(view, told).querySelectorAll('li')];
    expect(chips.map((chip) => chip.textContent!.trim())).toEqual(['il2', 'le0', '7']);
    expect([view.says(told), chips.some((chip) => chip.hasAttribute('style'))]).toEqual(['il, le, 7', false]);
  });

  it('lines, text and pictures ask for what they need', () => {
    const can = (roles: AxisRole[], kind: NumberKind, more: Partial<Dimension>[] = []) =>
      viewsFor(subject(roles, kind, more).typed, subject(roles, kind).tensor.shape).map(({ id }) => id);
    const own = (ids: string[]) => ids.filter((id) => ['matrix', 'lines', 'text', 'picture', 'table'].includes(id));
    expect(own(can(['query', 'key'], 'probability', [{ labels: 'y' }]))).toEqual(['matrix', 'lines', 'text', 'table']);
    expect(own(can(['query', 'key'], 'signed'))).toEqual(['matrix', 'table']);
    expect(can(['layer', 'head', 'query', 'key'], 'probability')).toContain('grid');
  });

  it('is in the menu of a tensor, around the page’s own matrix where nothing suits the tensor better', () => {
    const menu = (roles: AxisRole[], kind: NumberKind, more: Partial<Dimension>[] = []) => {
      const { tensor, typed: { dimensions } } = subject(roles, kind, more);
      const host = document.createElement('div');
      render(better({ ...tensor, module: 'm', step: 1, role: 'weights', kind, dimensions: [...dimensions] },
        html`<i class="own"></i>`), host);
      const found = host.querySelector('ap-view');
      return [found !== null, host.querySelector('.own')?.parentElement === (found ?? host)];
    };
    expect(menu(['query', 'key'], 'probability', [{ labels: 'y' }])).toEqual([true, true]);
    expect(menu(['query', 'key'], 'signed')).toEqual([false, true]);
    expect(menu(['time'], 'signed')).toEqual([true, false]);
  });

  it('a file holds the numbers under their names', () => {
    const from = subject(['query', 'key'], 'count');
    expect(viewsFor(from.typed, from.tensor.shape).find(({ id }) => id === 'table')!.exports(from).text.split('\r\n')
      .slice(0, 2)).toEqual([',a,b,c,d', '1,0,1,0,1']);
  });
});

describe('patterns', () => {
  const view = (id: string) => views.find((one) => one.id === id)!;
  const band = [1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0.5];

  it('a window reaches further in two steps, and a full map has nothing to tell', () => {
    const window = square(band);
    expect([...reached(planeOf(window))]).toEqual([1, 0, 0, 0, 1, 1, 0, 0, 2, 1, 1, 0, 0, 2, 1, 1]);
    expect(view('reach').says(window)).toBe(strings.pictures.reach('44%', '56%'));
    expect([view('reach').tells!(window), view('reach').tells!(square(Array(16).fill(0.25)))]).toEqual([true, false]);
    expect(view('reach').exports(window).text.split('\r\n')[3]).toBe('c,2,1,1,0');
  });

  it('weight by distance is the mean of a diagonal', () => {
    expect(byDistance(planeOf(square(band))).map(({ weight }) => weight)).toEqual([0, 0, 0.5, 0.625, 0, 0, 0]);
    expect(view('distance').says(square(band))).toBe(strings.pictures.span(0));
  });

  it('tokens with one row between them are one group', () => {
    const rows = [0.5, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25];
    expect([groupsOf(planeOf(square(rows))), view('alike').tells!(square(rows)), view('alike').tells!(square(band))])
      .toEqual([[0, 1, 0, 1], true, false]);
    expect([...drawn(view('alike'), square(rows)).querySelectorAll('li')].map((one) =>
      (one as HTMLElement).dataset['class'])).toEqual(['0', '1', '0', '1']);
  });

  it('maps of other tokens on these have no such pattern, whatever their size', () => {
    const other = square(band);
    const types = { ...other.typed,
      dimensions: [{ role: 'query' as const, labels: 'y' }, { role: 'key' as const, labels: 'x' }] };
    const none = viewsFor(types, [4, 4]).map(({ id }) => id);
    expect(['reach', 'distance', 'alike'].filter((id) => none.includes(id))).toEqual([]);
  });

  it('a state grows by the length of its rows', () => {
    expect(view('states').says(state)).toBe(strings.pictures.grows('0', '11.2', 6));
  });
});

describe('the typed directory', () => {
  it('says what the engine says, and nothing where it says nothing', () => {
    const entry = { shape: [2, 3], module: 'm', step: 1, role: 'weights' as const, kind: 'probability' as const,
      dimensions: [{ role: 'query' as const }, { role: 'key' as const }] };
    expect(typed(entry).role).toBe('weights');
    expect(typed({ shape: [2, 3] }))
      .toEqual({ module: '', step: 0, role: 'output', kind: 'signed',
      dimensions: [{ role: 'feature' }, { role: 'feature' }] });
    expect(typed({ ...entry, shape: [2, 3, 4] }).dimensions.map(({ role }) => role))
      .toEqual(['feature', 'feature', 'feature']);
  });

  it('finds rows and columns by the axes\' roles, wherever they stand', () => {
    const axes = (...roles: AxisRole[]) => runningAxes({ dimensions: roles.map((role) => ({ role })) });
    expect([axes('head', 'query', 'key'), axes('query', 'key', 'feature'), axes('head', 'query', 'feature'),
      axes('time', 'height', 'width'), axes('feature'), axes(), axes('time', 'class')])
      .toEqual([[1, 2], [0, 1], [1, 2], [1, 2], [-1, 0], [-1, -1], [0, 1]]);
    // Channels are held where a picture has rows and columns without them.
    expect([axes('height', 'width', 'channel'), axes('query', 'channel'), axes('channel', 'feature'),
      axes('feature', 'channel'), axes('channel'), axes('head', 'query', 'channel'), axes('head', 'query')])
      .toEqual([[0, 1], [0, 1], [0, 1], [0, 1], [-1, 0], [1, 2], [-1, 1]]);
    expect(timeOf({ dimensions: [{ role: 'query', time: true }, { role: 'key' }] })).toBe(0);
  });

  it('a plane holds the chosen head', () => {
    const from = { ...subject(['head', 'query', 'key'], 'count'), held: [1, 0, 0] };
    const plane: Plane = planeOf(from);
    expect([plane.rows, plane.cols, plane.index(2, 3)]).toEqual([3, 4, [1, 2, 3]]);
  });

  it('finds the modules inside one another, and the wires between them', () => {
    const modules: ModuleEntry[] = [
      { name: 'encoder', type: 'fm-rnn', parent: '', inputs: { x: 'x' } },
      { name: 'decoder', type: 'om-decoder', parent: '', inputs: { memory: 'encoder.output', target: 'y' } },
      { name: 'decoder.attention', type: 'attention', parent: 'decoder', inputs: { key: 'encoder' } },
    ];
    expect(inside(modules, 'decoder').map(({ name }) => name)).toEqual(['decoder.attention']);
    expect(wires(modules)).toEqual([
      { from: 'x', to: 'encoder', port: 'x' }, { from: 'encoder', to: 'decoder', port: 'memory' },
      { from: 'y', to: 'decoder', port: 'target' }, { from: 'encoder', to: 'decoder.attention', port: 'key' },
    ]);
  });
});
