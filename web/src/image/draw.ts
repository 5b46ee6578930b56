// SPDX-License-Identifier: Apache-2.0
// Pictures that a seed draws: coloured shapes, or a digit written by hand. Plain arithmetic, so that every browser
// draws the same.

/** What a seed draws; or numbers that are no picture, such as the example of a mechanism has. */
export type Motif = Drawing | 'random';
type Drawing = 'shapes' | 'digit';
export type Rgb = readonly [red: number, green: number, blue: number];
/** How much of a colour lies over a point of the unit square, and which. */
type Ink = (x: number, y: number) => Rgb | undefined;
type Point = readonly [x: number, y: number];

const FINE = 3;

export const isDrawing = (motif: Motif): motif is Drawing => motif !== 'random';

/** Numbers from 0 to 1 that depend on nothing but the seed (mulberry32, public domain). */
export function dice(seed: number): () => number {
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** So many numbers with mean 0 and variance 1, to two places, as the example of a mechanism has. */
export function randomNumbers(seed: number, count: number): number[] {
  const roll = dice(seed);
  // Box and Muller 1958; 1 - x is never 0.
  return Array.from({ length: count }, () =>
    Math.round(Math.sqrt(-2 * Math.log(1 - roll())) * Math.cos(2 * Math.PI * roll()) * 100) / 100);
}

/** Colours that are told apart by the colour-blind too (Okabe and Ito 2008). */
export const COLOURS: Readonly<Record<string, Rgb>> = {
  white: [1, 1, 1], orange: [0.9, 0.62, 0], sky: [0.34, 0.71, 0.91], green: [0, 0.62, 0.45], yellow: [0.94, 0.89, 0.26],
  red: [0.84, 0.37, 0],
};

const SHAPES: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => x * x + y * y < 1,
  (x, y) => x * x + y * y < 1 && x * x + y * y > 0.42,
  (x, y) => Math.max(Math.abs(x), Math.abs(y)) < 0.86,
  (x, y) => y < 0.8 && y > Math.abs(x) * 1.8 - 0.95,
];

function shapes(roll: () => number): Ink {
  const colours = Object.values(COLOURS);
  const count = 2 + Math.floor(roll() * 2);
  // A cell of a 2 by 2 board each, so that they seldom hide one another.
  const board = [0, 1, 2, 3].map((cell) => ({ cell, order: roll() })).toSorted((a, b) => a.order - b.order);
  const all = Array.from({ length: count }, (_, k) => {
    const { cell } = board[k]!;
    const radius = 0.15 + roll() * 0.09;
    return {
      inside: SHAPES[Math.floor(roll() * SHAPES.length)]!,
      colour: colours[(Math.floor(roll() * colours.length) + k) % colours.length]!, radius,
      x: (cell % 2) * 0.5 + 0.25 + (roll() - 0.5) * 0.1, y: Math.floor(cell / 2) * 0.5 + 0.25 + (roll() - 0.5) * 0.1,
    };
  });
  return (x, y) => all.findLast((one) => one.inside((x - one.x) / one.radius, (y - one.y) / one.radius))?.colour;
}

// Each digit as lines through points of a box of 2 by 3.
const STROKES: readonly (readonly Point[])[][] = [
  [[[1, 0], [0.2, 0.5], [0, 1.5], [0.2, 2.5], [1, 3], [1.8, 2.5], [2, 1.5], [1.8, 0.5], [1, 0]]],
  [[[0.4, 0.7], [1.1, 0], [1.1, 3]]],
  [[[0.1, 0.8], [0.5, 0.1], [1.3, 0], [1.9, 0.6], [1.6, 1.4], [0, 3], [2, 3]]],
  [[[0.2, 0.3], [1, 0], [1.8, 0.5], [1.6, 1.2], [0.9, 1.4], [1.7, 1.7], [1.9, 2.4], [1, 3], [0.1, 2.7]]],
  [[[1.4, 3], [1.4, 0], [0, 2], [2, 2]]],
  [[[1.8, 0], [0.4, 0], [0.2, 1.3], [1.2, 1.1], [1.9, 1.8], [1.6, 2.7], [0.8, 3], [0.1, 2.7]]],
  [[[1.6, 0], [0.6, 0.8], [0.1, 2], [0.5, 2.9], [1.4, 2.9], [1.8, 2.2], [1.3, 1.5], [0.4, 1.7]]],
  [[[0, 0], [2, 0], [0.8, 3]]],
  [[[1, 1.4], [0.2, 0.8], [0.6, 0], [1.4, 0], [1.8, 0.8], [1, 1.4], [0.1, 2.2], [0.6, 3], [1.4, 3], [1.9, 2.2],
    [1, 1.4]]],
  [[[1.8, 0.9], [1.2, 1.5], [0.3, 1.2], [0.3, 0.4], [1, 0], [1.7, 0.4], [1.8, 1], [1.3, 3]]],
];

function apart([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** Which digit a seed writes. */
export const digitOf = (seed: number): number => Math.floor(dice(seed)() * 10);

function digit(roll: () => number): Ink {
  const strokes = STROKES[Math.floor(roll() * 10)]!;
  const [slant, size, thick] = [(roll() - 0.5) * 0.36, 0.2 + roll() * 0.05, 0.24 + roll() * 0.12];
  const [left, top] = [0.5 - size + (roll() - 0.5) * 0.1, 0.5 - 1.5 * size + (roll() - 0.5) * 0.08];
  const colour = COLOURS['white']!;
  return (x, y) => {
    const down = (y - top) / size;
    const at: Point = [(x - left) / size + slant * (down - 1.5), down];
    return strokes.some((line) => line.some((to, k) => k > 0 && apart(at, line[k - 1]!, to) < thick)) ? colour
      : undefined;
  };
}

/** Red, green and blue of every pixel, row by row, from 0 to 1; black where nothing is drawn. */
export function motifPixels(motif: Drawing, seed: number, height: number, width: number): Float32Array {
  const roll = dice(seed);
  const ink = motif === 'digit' ? digit(roll) : shapes(roll);
  const side = Math.max(height, width);
  // A square in the middle of what is wider or taller.
  const [right, down] = [(side - width) / 2, (side - height) / 2];
  const pixels = new Float32Array(height * width * 3);
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      for (let part = 0; part < FINE * FINE; part++) {
        const [a, b] = [(part % FINE) + 0.5, Math.floor(part / FINE) + 0.5];
        const colour = ink((col + right + a / FINE) / side, (row + down + b / FINE) / side);
        colour?.forEach((value, c) => (pixels[(row * width + col) * 3 + c]! += value / FINE ** 2));
      }
    }
  }
  return pixels;
}
