// SPDX-License-Identifier: Apache-2.0
// What a comparison says while its numbers are computed, and that it compares two results once.
import { ContextProvider } from '@lit/context';
import { signal } from '@preact/signals-core';
import { expect, it, vi } from 'vitest';
import '../src/strings/en-later.ts';
import { firstDifferent } from '../src/compare/compare.ts';
import { CompareWordsElement } from '../src/compare/both-next.ts';
import type { Result, Tensor } from '../src/engine/result.ts';
import { page } from '../src/part.ts';

type Answer = object | undefined;
const beside = vi.hoisted(() => vi.fn<(model: object, document: { seed: number }) => Promise<Answer>>());
vi.mock('../src/engine/own-engine.ts', () => ({ OwnEngine: class { runs = false; } }));
vi.mock('../src/models/writing.ts', () => ({ writing: () => ({ beside }) }));

const next = (probability: number) => ({ next: [{ id: 3, token: 'we', probability }], also: [] });

it('tells that next words are being computed, and shows no numbers of earlier documents beside an error', async () => {
  const b = signal(1);
  const documentOf = (side: string) => ({ inputs: { text: { shape: [1, 1], data: [1] } },
    seed: side === 'A' ? 0 : b.value });
  const host = document.createElement('div');
  const store = { view: { theme: 'light', words: 0 }, sessions: {}, book: {}, documents: {},
    comparison: { documentOf } };
  new ContextProvider(host as never, { context: page, initialValue: store as never });
  document.body.append(host);
  const answers: ((answer: Answer) => void)[] = [];
  beside.mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  const element = Object.assign(new CompareWordsElement(), { model: { writes: { input: 'text' } } });
  host.append(element);
  const within = (selector: string) => element.renderRoot.querySelector(selector);
  const says = () => within('[data-part="words-now"]')!.textContent!.trim();
  const answer = async (said: Answer): Promise<void> => {
    await vi.waitFor(() => expect(answers.length).toBe(1));
    answers.shift()!(said);
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
  };
  await vi.waitFor(() => expect(says()).toBe('Computing …'));
  const status = within('[role="status"]');
  await answer(next(0.5));
  await answer(next(0.25));
  expect(says()).toBe('');
  expect(within('tbody')!.textContent).toContain('0.250');
  expect(within('[aria-busy]')!.getAttribute('aria-busy')).toBe('false');

  b.value = 2;
  await vi.waitFor(() => expect(says()).toBe('Computing …'));
  expect(within('[aria-busy]')!.getAttribute('aria-busy')).toBe('true');
  await answer(next(0.5));
  await answer({ error: { path: '', message: 'no such head' } });
  expect(says()).toBe('no such head');
  expect(within('table')).toBeNull();

  // A line that is always there is heard when it changes.
  b.value = 3;
  await answer(next(0.5));
  await answer(next(0.125));
  expect(says()).toBe('');
  expect(within('tbody')!.textContent).toContain('0.125');
  expect(within('[role="status"]')).toBe(status);
});

it('compares the maps of two results once', () => {
  let reads = 0;
  const result = (...maps: Float32Array[]) => {
    const tensors = maps.map((data, k) => ({ name: `m${k}`, group: 'outputs', role: 'weights', shape: [2, 2],
      places: ['q', 'k'], dimensions: [{ role: 'query' }, { role: 'key' }], data }) as unknown as Tensor);
    return { all: () => (reads++, tensors), whole: (name: string) => tensors.find((one) => one.name === name),
    } as unknown as Result;
  };
  const same = Float32Array.of(1, 0, 0, 1);
  const [a, b, c] = [result(same, same), result(same, Float32Array.of(1, 0, 1, 0)), result(same, same.slice())];
  for (let k = 0; k < 3; k++) expect(firstDifferent(a, b)?.name).toBe('m1');
  expect(reads).toBe(1);
  for (let k = 0; k < 3; k++) expect(firstDifferent(a, c)).toBeUndefined();
  expect(reads).toBe(2);
});
