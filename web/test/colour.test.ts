// SPDX-License-Identifier: Apache-2.0
import { rgb } from 'd3-color';
import { interpolateRgb, piecewise } from 'd3-interpolate';
import { describe, expect, it } from 'vitest';
import { acton, berlin, vik } from '../src/colour/crameri.ts';
import { exact, full, inCell, onLegend, printed } from '../src/colour/numbers.ts';
import { colourOf, contrast, domainOf, luminance, onKnots } from '../src/colour/scale.ts';
import { ticks } from '../src/elements/scale.ts';
import { laidOut } from '../src/flow/legend.ts';
import { palette } from '../src/styles/tokens.ts';

describe('colours', () => {
  it('let every text be read on background and panel', () => {
    for (const theme of ['light', 'dark'] as const) {
      const paper = palette[theme];
      for (const name of ['ink', 'ink2', 'ink3', 'query', 'key', 'value', 'score', 'weight', 'context',
        'error'] as const) {
        for (const ground of ['background', 'panel'] as const) {
          expect(contrast(paper[name], paper[ground]), `${theme} ${name} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it('let every number be read in its cell', () => {
    for (const theme of ['light', 'dark'] as const) {
      for (const kind of ['weights', 'signed'] as const) {
        for (let value = -1; value <= 1; value += 1 / 128) {
          const { fill, ink } = colourOf(value, [-1, 1], kind, theme);
          expect(contrast(fill, ink), `${theme} ${kind} ${value}`).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  it('are those that d3 finds between the same knots', () => {
    const scales = [['light', 'dark', ['#000000', '#ffffff']],
      ['weights', 'light', [...acton].reverse()], ['weights', 'dark', acton], ['signed', 'light', vik],
      ['signed', 'dark', berlin]] as const;
    for (const [kind, theme, knots] of scales) {
      const at = piecewise(interpolateRgb, [...knots]);
      for (let k = 0; k < 256; k++) expect(colourOf(k, [0, 255], kind, theme).fill, `${kind} ${theme} ${k}`)
        .toBe(rgb(at(onKnots(k / 255, kind, theme))).formatHex());
    }
  });

  it('tell small weights from nothing and from each other', () => {
    for (const theme of ['light', 'dark'] as const) {
      const seen = [0.02, 0.05, 0.1, 0.2].map((weight) => colourOf(weight, [0, 1], 'weights', theme).fill);
      const grounds = [palette[theme].background, ...seen];
      for (const [k, fill] of seen.entries())
        expect(contrast(fill, grounds[k]!), `${theme} ${fill} beside ${grounds[k]}`).toBeGreaterThanOrEqual(1.05);
      expect(contrast(seen[0]!, palette[theme].background), theme).toBeGreaterThanOrEqual(1.2);
    }
    const all = Array.from({ length: 256 }, (_, k) => luminance(colourOf(k, [0, 255], 'weights', 'dark').fill));
    expect(all.every((one, k) => k === 0 || one >= all[k - 1]!), 'never darker for more').toBe(true);
  });

  it('have zero in the middle of a signed scale, and none for weights below it', () => {
    expect(domainOf([-2, 1, NaN], 'signed')).toEqual([-2, 2]);
    expect(domainOf([0, 0], 'signed')).toEqual([-1, 1]);
    expect(domainOf([0.2, 0.8], 'weights')).toEqual([0, 1]);
    expect(domainOf([0.2, 1.7], 'weights')).toEqual([0, 1.7]);
  });
});

describe('legends', () => {
  it('write both ends, and zero where it lies', () => {
    expect(ticks([-3, 1]).map(({ text }) => text)).toEqual(['−3.0', '0', '1.0']);
    expect(ticks([-3, 1])[1]!.at).toBeCloseTo(0.75);
    expect(ticks([0, 1]).map(({ text }) => text)).toEqual(['0', '1.00']);
  });

  it('have a bar as wide as the numbers at its ends, and zero under its own colour or not at all', () => {
    expect(laidOut(ticks([-3, 1]), 120)).toEqual({ wide: 120, shown: ticks([-3, 1]) });
    const narrow = laidOut(ticks([-0.0005, 0.0005]), 40);
    expect(narrow.shown.map(({ at }) => at)).toEqual([0, 1]);
    expect(narrow.wide).toBeGreaterThan(6 * narrow.shown.reduce((sum, { text }) => sum + text.length, 0));
    expect(laidOut(ticks([-30, 1]), 120).shown.map(({ text }) => text)).not.toContain('0');
  });
});

describe('numbers', () => {
  it('tell masked, zero and nearly zero apart', () => {
    expect(inCell(0, true)).toBe('0');
    expect(inCell(0.0003, true)).toBe('<.01');
    expect(inCell(-0.0003, true)).toBe('−.00');
    expect(inCell(0.365, true)).toBe('.36');
    // On a small scale two places would say the same of most.
    expect(printed(0.0432, true, 0.05)).toBe('.043');
    expect(printed(0.0004, true, 0.003)).toBe('');
    expect(printed(0.0432, true, 0.3)).toBe('.04');
    // Whatever else is large beside it, a weight with a digit to show is written.
    expect([printed(0.0432, true, 1), printed(0.0049, true, 1)]).toEqual(['.04', '']);
    expect(inCell(1, true)).toBe('1.00');
    // One place would be a zero with a sign.
    expect([-0.04, 0.04, -0.003, 0.003, 0.05, -0.049, 0.094, 0.096].map((value) => inCell(value, false)))
      .toEqual(['−.04', '.04', '−.00', '<.01', '.05', '−.05', '.09', '0.1']);
    expect([inCell(0, false), inCell(-0, false), printed(0.04, false, 0.5)]).toEqual(['0', '0', '.04']);
    // One place would say the same of all numbers on a small scale.
    expect([printed(0.018, false, 0.02), printed(-0.0004, false, 0.02)]).toEqual(['.018', '−.000']);
    expect(inCell(-1.26, false)).toBe('−1.3');
  });

  it('read back from the table as they are', () => {
    for (const value of [0.1, 1 / 3, 12345.678, -7e-9].map(Math.fround))
      expect(Math.fround(Number(exact(value)))).toBe(value);
    expect(full(0.36466)).toBe('0.365');
    expect(full(0)).toBe('0');
    expect(onLegend(-0.25)).toBe('−0.25');
  });
});
