// SPDX-License-Identifier: Apache-2.0

/** What English and the page's signs need. */
export const BASIC = 'U+0020-007E, U+00A0, U+00B7, U+00D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+2212';

/** What is set in italics at first: names of tokens, and the marks between them. */
export const SLANTED = 'U+0020-0021, U+0027, U+002C-002E, U+003F, U+0041-005A, U+0061-007A, U+2019';

/** What the whole face is for. */
export const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, '
    + 'U+2212';

/** The code points of a list of ranges. */
export function pointsOf(ranges: string): number[] {
  return ranges.split(', ').flatMap((range) => {
    const [low, high = low] = range.slice(2).split('-').map((hex) => Number.parseInt(hex, 16)) as [number, number?];
    return Array.from({ length: high! - low + 1 }, (_, k) => low + k);
  });
}

const written = (point: number): string => point.toString(16).toUpperCase().padStart(4, '0');

function rangesOf(points: number[]): string {
  const runs: [number, number][] = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last?.[1] === point - 1) last[1] = point;
    else runs.push([point, point]);
  }
  return runs.map(([low, high]) => `U+${written(low)}${high > low ? `-${written(high)}` : ''}`).join(', ');
}

/** The rest of what the whole face holds. */
export function others(than: string): string {
  const basic = new Set(pointsOf(than));
  return rangesOf(pointsOf(LATIN).filter((point) => !basic.has(point)));
}
