// SPDX-License-Identifier: Apache-2.0
// Knobs that change nothing at the chosen setting are not offered.
import { describe, expect, it } from 'vitest';
import { idleKnobs } from '../src/controls/idle.ts';
import found from '../src/controls/idle-knobs.json';
import type { Doc } from '../src/engine/types.ts';
import { refit } from '../src/state/roles.ts';
import { book, catalogue, runs } from './runs.ts';

const of = (id: string) => catalogue.mechanisms.find((one) => one.id === id)!;

describe('knobs that change nothing', () => {
  it('are knobs of the catalogue, at values that their choice has', () => {
    for (const [id, choices] of Object.entries(found as Record<string, Record<string, Record<string, string[]>>>)) {
      const { knobs } = of(id);
      for (const [name, values] of Object.entries(choices)) {
        const choice = knobs.find((one) => one.name === name)!;
        for (const [value, idle] of Object.entries(values)) {
          expect(choice.type === 'boolean' ? ['true', 'false'] : choice.choices, `${id} ${name}`).toContain(value);
          for (const one of idle) expect(knobs.map((knob) => knob.name), id).toContain(one);
        }
      }
    }
  });

  it('are those of other ways to scale rotary positions; without a choice the default counts', () => {
    const at = (scaling?: string) => idleKnobs(of('pos-rope'), (name) => (name === 'scaling' ? scaling : undefined));
    expect(at()).toEqual(['factor', 'length', 'fast', 'slow', 'truncate', 'low', 'high']);
    expect(at('none')).toEqual(at());
    expect(at('yarn')).toEqual(['low', 'high']);
    expect(idleKnobs(of('pos-alibi'), () => undefined)).toEqual([]);
  });

  it('change nothing indeed, and something elsewhere', () => {
    const document = (scaling: string, factor: number) => ({ schema: 'attention-playground/1',
      inputs: { x: { tokens: ['a', 'b', 'c', 'd'], features: { type: 'embedding', dim: 4 } } },
      mechanism: { type: 'attention', query: 'self-attention', position: { type: 'pos-rope', scaling, factor } } });
    const scores = runs([document('none', 1), document('none', 8), document('linear', 1), document('linear', 8)] as
      unknown as Doc[]).map((result) => [...result.find('scores')!.data].join());
    expect(scores[0]).toBe(scores[1]);
    expect(scores[2]).not.toBe(scores[3]);
  });
});

describe('matrices of knobs', () => {
  const words = { x: { tokens: ['a', 'b', 'c'], features: { type: 'embedding', dim: 8 } } };
  const chosen = (position: object | string, masks: object | string = []) => ({ schema: 'attention-playground/1',
    inputs: words, mechanism: { type: 'attention', query: 'self-attention', heads: { type: 'multi-head', count: 4 },
      position, mask: masks } }) as unknown as Doc;

  it('that may be left out, such as the slopes of ALiBi, are not filled as maps of pairs are', () => {
    const draft = chosen('pos-alibi', 'mask-explicit');
    refit(book, draft);
    expect(draft.mechanism['position']).toBe('pos-alibi');
    expect(draft.mechanism['mask']).toMatchObject({ allowed: [[1, 1, 1], [1, 1, 1], [1, 1, 1]] });
    expect(() => runs([draft])).not.toThrow();
    // Those that somebody gave stay, whatever the number of words.
    const given = chosen({ type: 'pos-alibi', slopes: [[1, 0.5, 0.25, 0.125]] });
    refit(book, given);
    expect(given.mechanism['position']).toEqual({ type: 'pos-alibi', slopes: [[1, 0.5, 0.25, 0.125]] });
  });
});
