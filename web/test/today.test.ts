// SPDX-License-Identifier: Apache-2.0
// What the attention of today needs of the page: signed maps, memories row by row, blocks of keys.
import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { inCell, printed } from '../src/colour/numbers.ts';
import { kindOf, naming } from '../src/directory/naming.ts';
import { typed } from '../src/directory/typed.ts';
import { plane, type Result, type Tensor } from '../src/engine/result.ts';
import { arrange } from '../src/directory/modules.ts';
import { courseMaps } from '../src/directory/steps-in-time.ts';
import { viewsFor, views } from '../src/views/all.ts';
import { blocks, blockSize, overKeys } from '../src/views/blocks.ts';
import { changeAt, memory, rowShown } from '../src/views/memory.ts';
import { planeOf, type Subject } from '../src/views/view.ts';
import { runs } from './runs.ts';

const wanted = ['retention', 'gated-deltanet', 'kda', 'hgrn2', 'based', 'hedgehog', 'moba', 'quest', 'nsa',
    'differential',
  'log-linear', 'linear-mixer'] as const;
const results = Object.fromEntries(runs([...wanted]).map((result, k) => [wanted[k]!, result])) as
  Record<(typeof wanted)[number], Result>;

const subject = (result: Result, tensor: Tensor, at?: number): Subject => ({
  tensor, typed: typed(tensor), held: tensor.shape.map(() => 0),
  labels: (axis) => result.labels(tensor.places[axis] ?? ''), at: () => at,
});
const statesOf = (result: Result): Tensor =>
  result.all('outputs').find((one) => one.role === 'state' && one.dimensions?.some(({ time }) => time))!;
const mapOf = (result: Result): Tensor => arrange(result).modules[0]!.weights!;
const html = (drawn: unknown): HTMLElement => {
  const host = document.createElement('div');
  render(drawn, host);
  return host;
};

describe('maps of today', () => {
  it('a map with negative weights is on the signed scale, one without on that of weights', () => {
    for (const id of ['gated-deltanet', 'kda', 'retention', 'differential'] as const)
      expect(kindOf(mapOf(results[id])), id).toBe('signed');
    for (const id of ['hgrn2', 'based', 'hedgehog', 'moba', 'nsa'] as const)
      expect(kindOf(mapOf(results[id])), id).toBe('weights');
  });

  it('the map of a core is shown once, and shares rather than the same numbers without that promise', () => {
    for (const id of ['based', 'hedgehog', 'moba', 'quest', 'nsa'] as const) {
      const { modules, others } = arrange(results[id]);
      const shown = [modules[0]!.weights!, ...others].filter(({ role, shape }) =>
        role === 'weights' && shape.join() === modules[0]!.weights!.shape.join());
      expect(shown.length, id).toBe(1);
    }
    for (const id of ['hedgehog', 'moba', 'quest'] as const) expect(mapOf(results[id]).kind, id).toBe('probability');
  });

  it('two maps side by side and their difference are no hops', () => {
    expect(courseMaps(results.differential)).toEqual([]);
  });

  it('a signed weight is written as weights are, and nothing where it is small', () => {
    expect([inCell(-0.234, true), printed(-0.234, true, 0.3), printed(-0.004, true, 0.3)])
      .toEqual(['−.23', '−.23', '']);
  });

  it('what a mechanism of today outputs has a name that can be read', () => {
    for (const id of wanted) for (const tensor of results[id].all('outputs'))
      expect(naming(tensor).title, `${id} ${tensor.name}`).toMatch(/^[A-Z]/);
  });
});

describe('a memory row by row', () => {
  it('draws every recurrent state, heads and levels too', () => {
    for (const id of ['retention', 'gated-deltanet', 'log-linear', 'linear-mixer'] as const) {
      const states = statesOf(results[id]);
      expect(viewsFor(typed(states), states.shape)[0]!.id, id).toBe('memory');
    }
  });

  it('follows the row that is pointed at, and the last one until then', () => {
    const states = statesOf(results['gated-deltanet']);
    const count = states.shape[0]!;
    expect(rowShown(subject(results['gated-deltanet'], states))).toBe(count - 1);
    const host = html(memory.draw(subject(results['gated-deltanet'], states, 1), { width: 280, height: 140 }));
    expect(host.querySelector('[data-row]')!.getAttribute('data-row')).toBe('1');
    expect(host.querySelectorAll('.strip-of li').length).toBe(count);
    expect(host.querySelector('[aria-current]')!.textContent).toContain('2');
  });

  it('what a row changed is its state minus the one before', () => {
    const states = statesOf(results.retention);
    const one = subject(results.retention, states, 2);
    const change = changeAt(one, 2);
    const at = (row: number) => planeOf({ ...one, held: one.held.with(0, row) });
    for (let i = 0; i < change.rows; i++) for (let j = 0; j < change.cols; j++)
      expect(change.at(i, j)).toBeCloseTo(at(2).at(i, j) - at(1).at(i, j), 5);
    expect(changeAt(one, 0).at(0, 0)).toBe(at(0).at(0, 0));
  });

  it('leaves states that are no matrix to the other views', () => {
    const growing = views.find(({ id }) => id === 'states')!;
    const types = { ...typed({ role: 'state', dimensions: [{ role: 'time' }, { role: 'feature' }], shape: [3, 4] }) };
    expect([memory.accepts(types, [3, 4]), growing.accepts(types, [3, 4])]).toEqual([false, true]);
  });
});

describe('blocks of keys', () => {
  it('are drawn for what chooses blocks or scores them, and for no map of keys', () => {
    const drawn = (id: 'moba' | 'quest' | 'nsa') => results[id].all('outputs')
      .filter((one) => viewsFor(typed(one), one.shape)[0]!.id === 'blocks').map(({ name }) => name);
    expect([drawn('moba'), drawn('quest'), drawn('nsa')])
      .toEqual([['chosen'], ['index', 'chosen'], ['compressed', 'chosen']]);
  });

  it('are as wide as their keys, where their count says how many these are', () => {
    expect([blockSize(6, 3), blockSize(7, 4), blockSize(16, 3), blockSize(5, 5)]).toEqual([2, 2, undefined, 1]);
    const chosen = results.quest.find('chosen', 'outputs')!;
    const own = plane(chosen, {});
    const wide = overKeys(own, 6, 2);
    for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++)
      expect(wide.at(i, j)).toBe(own.at(i, Math.floor(j / 2)));
    const host = html(blocks.draw(subject(results.quest, chosen), { width: 280, height: 140 }));
    expect([...host.querySelectorAll('.block-names li')].map((one) => one.textContent!.trim()))
      .toEqual(['1 – 2', '3 – 4', '5 – 6']);
  });
});
