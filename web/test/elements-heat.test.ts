// SPDX-License-Identifier: Apache-2.0
// Heat maps alone: compared pictures of what files hold, and of what is drawn on a canvas.
import { ContextProvider } from '@lit/context';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Theme } from '../src/colour/scale.ts';
import { planeCsv } from '../src/elements/csv.ts';
import { cellLook, cellText, heatOf, isWritten, scaleOf } from '../src/elements/heat.ts';
import { drawHeat } from '../src/elements/heat-canvas.ts';
import { heatShapes, legendShapes } from '../src/elements/heat-shapes.ts';
import { HeatElement } from '../src/elements/heat-element.ts';
import { cut, namesWithRoom } from '../src/elements/labels.ts';
import { keyed, movedBy } from '../src/elements/pointing.ts';
import { scaleFor } from '../src/elements/scale.ts';
import { svgOf } from '../src/elements/svg.ts';
import { mapOf, matrixOf } from '../src/elements/tensor.ts';
import type { Plane } from '../src/engine/result.ts';
import { page } from '../src/part.ts';
import { speak } from '../src/strings/language.ts';
import { recordedCanvas, stubCanvases } from './recorded.ts';

afterEach(() => vi.unstubAllGlobals());

const { NaN: none, POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
const planes: Record<string, Plane> = {
  weights: mapOf(Float32Array.of(0.7, 0.25, 0.05, 0, -0, 1), 2, 3),
  signed: matrixOf(Float32Array.of(-1.5, 0, 0.75, 12, -0.004, -0), 2, 3),
  'below-zero': mapOf(Float32Array.of(0.9, 0.2, -0.1, 0.5, 0.25, 0.25), 2, 3),
  one: mapOf(Float32Array.of(1), 1, 1),
  'no-numbers': matrixOf(new Float32Array(6).fill(none), 2, 3),
  constant: matrixOf(new Float32Array(6).fill(0.5), 2, 3),
  infinite: matrixOf(Float32Array.of(most, least, none, 1, -1, 0), 2, 3),
};

const drawing = (plane: Plane, theme: Theme, mask?: Plane): string => {
  const heat = heatOf(plane, { theme, mask });
  const box = { x: 0, y: 0, w: 44 * plane.cols, h: 26 * plane.rows };
  return svgOf({ title: 'a map', width: 140, height: 90, shapes: [...heatShapes(heat, box, 'all'),
    ...(heat.kind === 'mask' ? [] : legendShapes({ kind: heat.kind, domain: heat.domain }, 4, 60, theme))] });
};

describe('a heat map in a file', () => {
  for (const [name, plane] of Object.entries(planes))
    for (const theme of ['light', 'dark'] as const)
      it(`is the compared picture: ${name}, ${theme}`, async () => {
        const mask = name === 'weights' ? matrixOf(Float32Array.of(1, 1, 0), 1, 3) : undefined;
        await expect(drawing(plane, theme, mask)).toMatchFileSnapshot(`pictures/heat-${name}-${theme}.svg`);
      });
});

it('a difference that rounds to 0 is written as its bound on its side, and only 0 as 0', () => {
  const heat = heatOf(matrixOf(Float32Array.of(-0.004, 0.001, 0, -0.25), 2, 2), { theme: 'light', fine: true });
  expect([0, 1, 2, 3].map((k) => cellText(heat, Math.floor(k / 2), k % 2))).toEqual(['−.00', '<.01', '0', '−.25']);
});

function commandsOf(plane: Plane, w: number, h: number, theme: Theme, mask?: Plane): string[] {
  const commands: string[] = [];
  stubCanvases(commands);
  drawHeat(recordedCanvas(commands), w, h, heatOf(plane, { theme, mask }));
  return commands;
}

describe('a heat map on a canvas', () => {
  it('has the colours and the numbers of the file', () => {
    for (const [name, plane] of Object.entries(planes)) {
      const commands = commandsOf(plane, 60 * plane.cols, 40 * plane.rows, 'light');
      const file = drawing(plane, 'light');
      const texts = commands.filter((one) => one.startsWith('fillText')).map((one) => one.split(' ')[1]);
      expect(texts, name).toEqual([...file.matchAll(/font-size="11"[^>]*text-anchor="middle">([^<]*)</g)]
        .map(([, text]) => text!.replaceAll('&lt;', '<').replaceAll('&gt;', '>')).slice(0, texts.length));
      for (const command of commands.filter((one) => one.startsWith('fillRect')))
        expect(file, `${name}: ${command}`).toContain(command.split(' ').at(-1));
    }
  });

  it('of 512 by 512 cells is one image of as many points, the same each time', async () => {
    const data = Float32Array.from({ length: 512 * 512 }, (_, k) => Math.sin(k) / 2);
    data[5] = none;
    data[6] = most;
    const [once, again] = [0, 1].map(() => commandsOf(matrixOf(data, 512, 512), 512, 512, 'light'));
    expect(once).toEqual(again);
    await expect(once!.join('\n')).toMatchFileSnapshot('pictures/heat-512.txt');
    expect(commandsOf(matrixOf(data, 512, 512), 512, 512, 'dark')).not.toEqual(once);
  });

  it('of more than a million pixels has a point for each cell, which the browser scales, and hatches behind', () => {
    const commands: string[] = [];
    stubCanvases(commands);
    const canvas = recordedCanvas(commands);
    const plane = matrixOf(Float32Array.from({ length: 512 * 512 }, (_, k) => Math.sin(k)), 512, 512);
    const mask = matrixOf(Float32Array.from({ length: 512 * 512 }, (_, k) => k % 2), 512, 512);
    const draw = (side: number, over?: Plane) =>
      drawHeat(canvas, side, side, heatOf(plane, { theme: 'light', mask: over }));
    const look = () => [canvas.width, canvas.style.imageRendering ?? '', (canvas.style.background ?? '') !== ''];
    draw(1024, mask);
    expect(look()).toEqual([1024, '', false]);
    commands.length = 0;
    draw(3584, mask);
    expect(look()).toEqual([512, 'pixelated', true]);
    expect(commands.map((one) => one.split(':')[0])).toEqual(['putImageData 512 × 512']);
    draw(3584);
    expect(look()).toEqual([512, 'pixelated', false]);
    draw(600, mask);
    expect(look()).toEqual([600, '', false]);
  });

  it('at 360 pixels, with sixteen names of words, writes no number that has no room', () => {
    const wide = matrixOf(Float32Array.from({ length: 256 }, (_, k) => k - 128), 16, 16);
    expect(commandsOf(wide, 264, 264, 'light').some((one) => one.startsWith('fillText'))).toBe(false);
    expect(isWritten(heatOf(wide, { theme: 'light' }), 60, 20)).toBe(true);
  });
});

describe('the rule of scales', () => {
  it('holds no number below zero on a sequential scale, and is symmetric where signed', () => {
    expect(scaleFor('weights', [-0.25, 1])).toEqual({ kind: 'signed', domain: [-1, 1] });
    expect(scaleFor('weights', [-1e-9, 1])).toEqual({ kind: 'weights', domain: [0, 1] });
    expect(scaleFor('signed', [-3, 1])).toEqual({ kind: 'signed', domain: [-3, 3] });
    expect(scaleOf(planes['below-zero']!, { kind: 'weights', domain: [0, 1] })).toEqual({ kind: 'signed',
      domain: [expect.closeTo(-1), 1] });
    expect(scaleOf(planes['weights']!, {})).toEqual({ kind: 'weights', domain: [0, 1] });
  });

  it('gives what is infinite the end, and what is no number no colour of the scale', () => {
    const heat = heatOf(planes['infinite']!, { theme: 'light' });
    const [first, second, third, high, low] = [0, 1, 2, 3, 4].map((k) => cellLook(heat, Math.floor(k / 3), k % 3));
    expect([first, second]).toEqual([high, low]);
    expect([high, low]).not.toContainEqual(third);
    expect(cellLook(heatOf(planes['weights']!, { theme: 'light' }), 1, 1).is, '−0 is an exact zero').toBe('edged');
    expect(cellText(heatOf(planes['weights']!, { theme: 'light' }), 1, 1)).toBe('0');
  });
});

it('a table of it is safe for spreadsheets: names like formulas stay text, numbers stay numbers', () => {
  const table = planeCsv(matrixOf(Float32Array.of(-1.5, 0.5, none, least), 2, 2), (row) => ['=1+1', '@x'][row]!,
    (col) => ['-cmd', '-2'][col]!);
  expect(table).toBe(",'-cmd,-2\r\n'=1+1,-1.5,0.5\r\n'@x,NaN,-Infinity\r\n");
});

it('names are thinned and cut by one rule', () => {
  expect(namesWithRoom(8, 4, undefined)).toEqual([0, 4]);
  expect(namesWithRoom(8, 4, 3, 11)).toEqual([0, 3, 6]);
  expect([cut('attention', 5), cut('attend', 6), cut('कखगघङ', 3)]).toEqual(['atte…', 'attend', 'कख…']);
});

it('keys move, keep and let go; others are left to the page', () => {
  const did: unknown[] = [];
  const press = (key: string, more: object = {}) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more });
    return [keyed(event, { rows: 40, cols: 3, at: [1, 2], point: (cell) => did.push(cell),
      hold: (cell) => did.push(['hold', ...cell]), release: () => did.push('release') }), event.defaultPrevented];
  };
  expect(['ArrowUp', 'ArrowRight', 'PageDown', 'Home', 'Enter', ' ', 'Escape'].map((key) => press(key)))
    .toEqual(Array(7).fill([true, true]));
  expect(did).toEqual([[0, 2], [1, 2], [33, 2], [1, 0], ['hold', 1, 2], ['hold', 1, 2], 'release']);
  expect([press('t'), press('ArrowUp', { ctrlKey: true })]).toEqual([[false, false], [false, false]]);
  expect(movedBy('PageDown', [0, 3], { rows: 1, cols: 100 })).toEqual([0, 35]);
});

describe('the element', () => {
  const shown = async (more: Partial<HeatElement>, theme: Theme = 'light') => {
    const host = document.createElement('div');
    const store = { view: { theme, words: 0, tongue: 'en' }, sessions: {} };
    new ContextProvider(host as never, { context: page, initialValue: store as never });
    document.body.append(host);
    const element = Object.assign(new HeatElement(), { plane: planes['weights'], w: 120, h: 60, ...more });
    host.append(element);
    await element.updateComplete;
    return element;
  };

  it('is hidden without a label, a picture with one, and a tab stop where it is active', async () => {
    const [still, told, active] = await Promise.all([shown({}), shown({ label: 'Weights' }),
      shown({ label: 'Weights', active: true })]);
    expect(still.renderRoot.querySelector('canvas')!.getAttribute('aria-hidden')).toBe('true');
    expect(told.renderRoot.querySelector('canvas')!.getAttribute('aria-label')).toBe('Weights');
    expect(told.renderRoot.querySelector('[tabindex]')).toBeNull();
    expect(active.renderRoot.querySelector('.stop')!.getAttribute('aria-label')).toBe('Weights, 2 × 3');
  });

  it('is drawn again in another language, and on another canvas', async () => {
    const commands: string[] = [];
    const context = vi.spyOn(HTMLCanvasElement.prototype, 'getContext')
      .mockImplementation((() => recordedCanvas(commands).getContext('2d')) as never);
    try {
      const element = await shown({ type: 10 });
      const numbers = () => commands.splice(0).filter((one) => one.startsWith('fillText')).join();
      expect(numbers()).toContain('.25');
      element.requestUpdate();
      await element.updateComplete;
      expect(commands).toEqual([]);
      await speak('de');
      Object.assign(element.store.view, { tongue: 'de' });
      element.requestUpdate();
      await element.updateComplete;
      expect(numbers()).toContain('0,25');
      element.active = true;
      await element.updateComplete;
      expect(numbers()).toContain('0,25');
    } finally {
      context.mockRestore();
      await speak('en');
    }
  });

  it('tells what is pointed at and kept, and says it', async () => {
    const element = await shown({ active: true, says: (i, j) => `cell ${i} ${j}` });
    const told: unknown[] = [];
    for (const name of ['cell-point', 'cell-hold', 'cell-release'])
      element.addEventListener(name, (event) => told.push([name, (event as CustomEvent).detail]));
    const stop = element.renderRoot.querySelector<HTMLElement>('.stop')!;
    for (const key of ['ArrowRight', 'ArrowDown', 'Enter', 'Escape'])
      stop.dispatchEvent(new KeyboardEvent('keydown', { key }));
    expect(told).toEqual([['cell-point', [0, 1]], ['cell-point', [1, 1]], ['cell-hold', [1, 1]],
      ['cell-release', undefined]].map(([name, at]) => [name, at ?? null]));
    await element.updateComplete;
    expect(element.renderRoot.querySelector('[role="status"]')!.textContent).toBe('cell 1 1');
  });

  it('stands from left to right on a page from right to left, and thins names at 360 pixels', async () => {
    document.documentElement.dir = 'rtl';
    const names = Array.from({ length: 40 }, (_, k) => `كلمة ${k}`);
    const element = await shown({ plane: mapOf(new Float32Array(1600), 40, 40), w: 264, h: 264,
      names: { down: names, across: names }, frames: [{ cell: [7, 9], is: 'locked' }] });
    expect(String(HeatElement.styles)).toContain('direction: ltr');
    const texts = (which: string) =>
      [...element.renderRoot.querySelectorAll(`${which} span`)].map((one) => one.textContent);
    expect(texts('.across')).toHaveLength(namesWithRoom(40, 6.6, 9).length);
    expect([texts('.down').includes('كلمة 7'), texts('.across').includes('كلمة 9')]).toEqual([true, true]);
    document.documentElement.dir = '';
  });
});
