// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { inOneByte } from '../plugins/one-byte.ts';

const many = 'x'.repeat(400);
// What a script gives is what its browser would get from it.
const given = (code: string): unknown => (0, eval)(code) as unknown;

describe('scripts of one byte per letter', () => {
  it('mean the same, in strings, templates and regular expressions', () => {
    const code = `[\`“\${1 + 1}” – 𝒜\`, 'ä·×', /[“-”]/.test('”'), /^[😀]$/u.test('😀'), {名: 1}.名, '${many}']`;
    const short = inOneByte(code);
    expect(short).toMatch(/^[\u0000-\u007f]*$/);
    expect(given(short)).toEqual(given(code));
  });

  it('stay as they are where most letters would be escapes', () => {
    const code = `['الانتباه']`;
    expect(inOneByte(code)).toBe(code);
  });

  it('are refused where a template keeps its escapes', () => {
    expect(() => inOneByte(`String.raw\`\\frac“\` + '${many}'`)).toThrow('String.raw');
    expect(() => inOneByte(`String.raw\`\\frac\` + '“${many}'`)).not.toThrow();
  });
});
