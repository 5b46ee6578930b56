// SPDX-License-Identifier: Apache-2.0
import { ends } from '../lists.ts';
import { acton, berlin, vik } from './crameri.ts';

export type Theme = 'light' | 'dark';
/** Weights run from nothing to all, signed numbers both ways from zero, light from black to white. */
export type Kind = 'weights' | 'signed' | 'light';
export type Domain = readonly [number, number];

export interface Colour {
  fill: string;
  ink: '#000000' | '#ffffff';
}

const STEPS = 256;
const LIGHT = ['#000000', '#ffffff'] as const;
const scales = new Map<string, Colour[]>();

/**
 * Where on the knots a share of the scale lies. The dark end of the dark weights is nearly the page's own ground: they
 * begin a little above it and rise fast at first, so that small weights differ from nothing and from each other. So do
 * the dark signed numbers on both sides of zero.
 */
export function onKnots(share: number, kind: Kind, theme: Theme): number {
  if (theme === 'light' || kind === 'light') return share;
  if (kind === 'weights') return 0.06 + 0.94 * share ** 0.8;
  const way = 2 * share - 1;
  return 0.5 + 0.5 * Math.sign(way) * Math.abs(way) ** 0.6;
}

let last: { kind: Kind; theme: Theme; colours: Colour[] } | undefined;

// Asked for once a cell: the one that was asked for last is at hand.
function table(kind: Kind, theme: Theme): Colour[] {
  if (last?.kind !== kind || last.theme !== theme) last = { kind, theme, colours: build(kind, theme) };
  return last.colours;
}

function build(kind: Kind, theme: Theme): Colour[] {
  const key = `${kind} ${theme}`;
  let colours = scales.get(key);
  if (!colours) {
    const knots =
      kind === 'light' ? LIGHT : kind === 'weights'
        ? theme === 'light'
          ? [...acton].reverse()
          : acton
        : theme === 'light'
          ? vik
          : berlin;
    colours = Array.from({ length: STEPS }, (_, k) => {
      const fill = between(knots, onKnots(k / (STEPS - 1), kind, theme));
      return { fill, ink: inkOn(fill) };
    });
    scales.set(key, colours);
  }
  return colours;
}

const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

// A colour on the way from knot to knot: six digits, straight lines.
function between(knots: readonly string[], share: number): string {
  const at = Math.min(knots.length - 2, Math.floor(share * (knots.length - 1)));
  const [from, to] = [channels(knots[at]!), channels(knots[at + 1]!)];
  const way = share * (knots.length - 1) - at;
  return `#${from.map((c, k) => Math.round(c + (to[k]! - c) * way).toString(16).padStart(2, '0')).join('')}`;
}

const packed = new Map<string, Uint32Array>();

/** The same scale as bytes of an image, alpha last, for pictures of very many cells. */
export function bytesOf(kind: Kind, theme: Theme): Uint32Array {
  const key = `${kind} ${theme}`;
  let bytes = packed.get(key);
  if (!bytes) {
    bytes = Uint32Array.from(table(kind, theme), ({ fill }) => asBytes(fill));
    packed.set(key, bytes);
  }
  return bytes;
}

/** A colour of six digits as bytes of an image. */
export function asBytes(colour: string): number {
  const [r, g, b] = channels(colour) as [number, number, number];
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** Which of the scale's colours a share from 0 to 1 gets; what lies beyond, infinite or not, gets the end's. */
export const stepOf = (share: number): number =>
  Math.round(Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share)) * (STEPS - 1));

export function colourOf(value: number, domain: Domain, kind: Kind, theme: Theme): Colour {
  const [low, high] = domain;
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return table(kind, theme)[stepOf(share)]!;
}

export function luminance(colour: string): number {
  const [x, y, z] = channels(colour).map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

export function inkOn(fill: string): Colour['ink'] {
  return contrast(fill, '#ffffff') > contrast(fill, '#000000') ? '#ffffff' : '#000000';
}

const known: Record<Kind, WeakMap<Float32Array, Domain>> = { weights: new WeakMap(), signed: new WeakMap(),
  light: new WeakMap() };

/** The domain of a tensor's numbers, found once. */
export function domainIn(data: Float32Array, kind: Kind): Domain {
  let domain = known[kind].get(data);
  if (!domain) {
    domain = domainOf(data, kind);
    known[kind].set(data, domain);
  }
  return domain;
}

const signs = new WeakMap<Float32Array, boolean>();

// What single precision leaves of a zero, as a part of the largest number.
const ROUNDING = 1e-6;

/** Whether numbers of which these are the ends lie on both sides of zero, by more than rounding. */
export const goesBelow = (least: number, most: number): boolean => least < -ROUNDING * Math.max(most, -least);

/** Whether some number is below zero: then only a scale that goes both ways from zero says what a colour means. */
export function hasNegative(data: Float32Array): boolean {
  let found = signs.get(data);
  if (found === undefined) signs.set(data, found = goesBelow(...ends(data, 0, 0)));
  return found;
}

/** The scale's ends as the legend and the cells share them. */
export function domainOf(values: Iterable<number>, kind: Kind): Domain {
  let most = 0;
  let least = 0;
  const all = values instanceof Float32Array ? values : Float64Array.from(values);
  for (let k = 0; k < all.length; k++) {
    const value = all[k]!;
    if (!Number.isFinite(value)) continue;
    if (value > most) most = value;
    if (value < least) least = value;
  }
  if (kind !== 'signed') return [Math.min(0, least), Math.max(1, most)];
  const reach = Math.max(most, -least);
  return reach > 0 ? [-reach, reach] : [-1, 1];
}
