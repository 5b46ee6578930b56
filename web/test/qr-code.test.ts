// SPDX-License-Identifier: Apache-2.0
import read from 'jsqr';
import { expect, it } from 'vitest';
import { codeOf, MOST_BYTES, svgOf } from '../src/share/qr-code.ts';

const SCALE = 4;

// The path's squares, drawn as a picture that another library reads.
function seen({ size, path }: { size: number; path: string }): string | undefined {
  const side = size * SCALE;
  const data = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g))
    for (let i = 0; i < SCALE; i++) for (let j = 0; j < SCALE; j++)
      data.fill(0, 4 * ((Number(y) * SCALE + i) * side + Number(x) * SCALE + j),
        4 * ((Number(y) * SCALE + i) * side + Number(x) * SCALE + j) + 3);
  return read(data, side, side)?.data;
}

it('a QR code holds the link, and a link that is too long has none', () => {
  for (const length of [40, 403, 1200]) {
    const link = `https://example.org/#d=${'aB3-_'.repeat(length)}`.slice(0, length);
    expect(seen(codeOf(link)!)).toBe(link);
  }
  expect(codeOf('x'.repeat(MOST_BYTES))).toBeDefined();
  expect(codeOf('x'.repeat(MOST_BYTES + 1))).toBeUndefined();
  expect(svgOf(codeOf('https://example.org')!)).toMatch(/^<svg xmlns[^]*<path d="M4 4h1v1h-1z/);
});
