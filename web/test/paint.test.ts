// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, it, vi } from 'vitest';
import { type Heat, heatOf } from '../src/elements/heat.ts';
import { drawHeat } from '../src/elements/heat-canvas.ts';
import { mapOf } from '../src/elements/tensor.ts';

afterEach(() => vi.unstubAllGlobals());

function canvasOf(written: string[]): HTMLCanvasElement {
  const to = new Proxy({} as Record<string, unknown>, {
    get: (held, name: string) => held[name] ?? ((...given: unknown[]) => {
      if (name === 'fillText') written.push(String(given[0]));
      return { addColorStop: () => undefined };
    }),
    set: (held, name: string, value) => ((held[name] = value), true),
  });
  return { width: 0, height: 0, getContext: () => to } as unknown as HTMLCanvasElement;
}

const picture = (value: number): Heat => heatOf(mapOf(Float32Array.of(value), 1, 1), { theme: 'light' });

it('numbers are drawn again when the page’s letters come, and only those that still stand there', async () => {
  let come: () => void = () => undefined;
  const load = new Promise<void>((resolve) => (come = resolve));
  vi.stubGlobal('document', { fonts: { check: () => false, load: () => load } });
  const [first, second]: [string[], string[]] = [[], []];
  const [one, other] = [canvasOf(first), canvasOf(second)];
  drawHeat(one, 60, 40, picture(0.25));
  drawHeat(other, 60, 40, picture(0.25));
  drawHeat(other, 60, 40, picture(0.5));
  expect([first, second]).toEqual([['.25'], ['.25', '.50']]);
  come();
  await load;
  await Promise.resolve();
  expect([first, second]).toEqual([['.25', '.25'], ['.25', '.50', '.50']]);
  drawHeat(one, 60, 40, picture(0.75));
  await Promise.resolve();
  expect(first, 'once they are there nothing is drawn twice').toEqual(['.25', '.25', '.75']);
});
