// SPDX-License-Identifier: Apache-2.0
// The sentences and the marks beside curves of costs.
import { ContextProvider } from '@lit/context';
import { afterEach, expect, it, vi } from 'vitest';
import '../src/strings/en-later.ts';
import { GrowthElement } from '../src/efficient/curves.ts';
import { nothingYet } from '../src/efficient/growth.ts';
import { page } from '../src/part.ts';
import { speak } from '../src/strings/language.ts';

// Nothing is computed here, so no engine is loaded.
vi.mock('../src/engine/own-engine.ts', () => ({ OwnEngine: class { runs = false; } }));
afterEach(() => speak('en'));

const SIZES = [64, 128, 256];
const side = (letter: 'A' | 'B', numbers: number[], ms: number[], left = ['weights', 'encoder.own']) =>
  ({ letter, name: () => letter === 'A' ? 'Causal, Window' : 'Causal', document: {}, grown: { ...nothingYet(SIZES),
    times: SIZES.map((n, k) => ({ n, ms: ms[k]!, runs: 1, numbers: numbers[k]!, ...(k === 2 ? { left } : {}) })) } });

async function shown(sides: object[], tongue = 'en'): Promise<(selector: string) => string[]> {
  await speak(tongue);
  const host = document.createElement('div');
  const store = { view: { theme: 'light', words: 0, tongue }, sessions: {}, book: { whole: false },
    comparison: {}, documents: { document: {} } };
  new ContextProvider(host as never, { context: page, initialValue: store as never });
  document.body.append(host);
  const element = Object.assign(new GrowthElement(), { sides });
  host.append(element);
  await element.updateComplete;
  return (selector) => [...element.renderRoot.querySelectorAll(selector)].map((one) =>
    one.textContent!.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ').trim());
}

it('what is true of both sides is said once, with the titles of results', async () => {
  const [a, b] = [side('A', [9, 99, 50], [1, 2, 3]), side('B', [9, 99, 50], [3, 2, 1])];
  const both = await shown([a, b], 'de');
  expect(both('[data-part="left"]')).toHaveLength(1);
  expect(both('[data-part="left"]')[0]).toMatch(/^A, B: .*: Gewichte und own \(Encoder\)\. /);
  expect((await shown([a, side('B', [9, 99, 50], [3, 2, 1], ['scores'])]))('[data-part="left"]')
    .map((text) => text.slice(0, 2))).toEqual(['A:', 'B:']);
  const arabic = await shown([a, b], 'ar');
  expect(arabic('[data-part="sides"]')).toEqual(['A Causal, Window؛ B Causal']);
  expect(arabic('figcaption .note').every((text) => text.includes('؛') && !text.includes(';'))).toBe(true);
});

it('a mark names its side, and noise has none', async () => {
  const marks = async (ms: number[]) =>
    (await shown([side('A', [9, 99, 50], [2, 2, 2]), side('B', [9, 99, 50], ms)]))('[data-part="times"] .said');
  expect(await marks([4, 3, 1])).toEqual([expect.stringMatching(/^B: faster with \d+ words or more$/)]);
  expect(await marks([1, 3, 1])).toEqual([]);
});

it('the numbers of a chart can be saved', async () => {
  const blobs: Blob[] = [];
  const url = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => (blobs.push(blob as Blob), 'blob:x'));
  const names: string[] = [];
  const press = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function named(this: unknown) {
    names.push((this as HTMLAnchorElement).download);
  });
  await shown([side('A', [9, 99, 50], [1, 2, 3]), side('B', [9, 99, 50], [3, 2, 1])]);
  const [element] = [...document.querySelectorAll('ap-growth')].slice(-1);
  element!.shadowRoot!.querySelector<HTMLElement>('[data-part="memory"] [data-part="csv"]')!.click();
  expect(names).toEqual(['attention-experiment-memory.csv']);
  expect(await blobs[0]!.text()).toBe('n,"A Causal, Window",B Causal\r\n64,36,36\r\n128,396,396\r\n256,200,200\r\n');
  element!.shadowRoot!.querySelector<HTMLElement>('[data-part="times"] [data-part="csv"]')!.click();
  expect((await blobs[1]!.text()).split('\r\n')[3]).toMatch(/^256,3,1,/);
  url.mockRestore();
  press.mockRestore();
});
