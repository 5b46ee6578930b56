// SPDX-License-Identifier: Apache-2.0
import { effect, signal } from '@preact/signals-core';
import { html } from 'lit';
import { expect, it, vi } from 'vitest';
import { partAt, partsOf } from '../src/card/fraction.ts';
import { derived } from '../src/state/derived.ts';
import { answering, pointed, working } from '../src/performance-marks.ts';
import type { Store } from '../src/state/store.ts';
import { Watching } from '../src/signal-element.ts';

// Work takes as long as it says, however busy the machine is.
let clock = 0;
const spend = (milliseconds: number): void => void (clock += milliseconds);
const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const hover = (): number | undefined => performance.getEntriesByName('hover').at(-1)?.duration;

it('what is derived from the state wakes its readers only when it is something else', () => {
  const length = signal(3);
  const store = { view: { get many() { return length.value; } } } as unknown as Store;
  const isLong = derived(({ view }) => (view.many ?? 0) > 10);
  const seen: boolean[] = [];
  const stop = effect(() => void seen.push(isLong(store)));
  for (const next of [4, 5, 11, 12, 2]) length.value = next;
  stop();
  expect(seen).toEqual([false, true, false]);
});

it('a movement of the pointer is measured until its answer was handed on, or until the next one', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  performance.clearMeasures('hover');
  let answered = (): void => undefined;
  pointed(() => {
    spend(2);
    answered = answering();
  });
  await rest(20);
  expect(hover()).toBeUndefined();
  working(() => spend(4));
  answered();
  await rest(20);
  expect(hover()).toBe(6);
  // What nobody is asked about ends with the event; what is worked afterwards is no part of it.
  pointed(() => spend(1));
  await rest(20);
  working(() => spend(4));
  await rest(20);
  expect(hover()).toBe(1);
  vi.restoreAllMocks();
});

it('the parts of a fraction fill its row in order, and are found by their place', () => {
  const terms = [3, 0, 1, 4].map((value, k) => ({ label: `w${k}`, value, chosen: k === 2, cell: k }));
  const { parts, total } = partsOf(terms);
  expect(total).toBe(8);
  expect(parts.map(({ left, width }) => [left, width])).toEqual([[0, 37.5], [37.5, 0], [37.5, 12.5], [50, 50]]);
  expect([0, 37.4, 37.5, 50, 99.9].map((percent) => partAt(parts, percent)?.term.cell)).toEqual([0, 0, 2, 3, 3]);
  expect(partAt(parts, 101)).toBeUndefined();
  expect(partsOf([{ label: '', value: -1, chosen: true, cell: 0 }]).total).toBe(0);
});

it('what has left the page is drawn no more, though it was to be drawn when it left, and anew when it comes back',
  async () => {
    const number = signal(0);
    let drawn = 0;
    customElements.define('test-shown', class extends Watching {
      override render(): unknown {
        drawn++;
        return html`${number.value}`;
      }
    });
    const one = document.createElement('test-shown') as Watching;
    document.body.append(one);
    await one.updateComplete;
    expect(one.renderRoot.textContent).toBe('0');
    number.value = 1;
    one.remove();
    await rest(5);
    const before = drawn;
    for (const next of [2, 3, 4]) {
      number.value = next;
      await rest(5);
    }
    expect(drawn).toBe(before);
    document.body.append(one);
    await rest(5);
    expect(one.renderRoot.textContent).toBe('4');
    number.value = 5;
    await rest(5);
    expect(one.renderRoot.textContent).toBe('5');
    one.remove();
  });
