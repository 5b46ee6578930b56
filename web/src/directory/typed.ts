// SPDX-License-Identifier: Apache-2.0
// What the engine says of every tensor: nothing about a tensor's meaning is read from its name.

import type { AxisRole, Dimension, ModuleEntry, NumberKind, TensorRole } from '../engine/types.ts';

/** A tensor's entry in the typed directory. */
export interface Typed {
  module: string;
  step: number;
  role: TensorRole;
  kind: NumberKind;
  dimensions: readonly Dimension[];
}

type Said = { readonly [K in keyof Typed]?: Typed[K] | undefined };

/** What is said of a tensor. An axis of which nobody says what it is, as in parameters, is the width of something. */
export function typed({ module = '', step = 0, role = 'output', kind = 'signed', dimensions, shape }: Said & {
  shape: readonly number[] }): Typed {
  const said = dimensions?.length === shape.length ? dimensions : shape.map((): Dimension => ({ role: 'feature' }));
  return { module, step, role, kind, dimensions: said };
}

// Who looks: words, or classes that each look in their own way.
const ASKS: ReadonlySet<AxisRole> = new Set<AxisRole>(['query', 'key', 'class']);

/**
 * Whether it goes from who looks to what is looked at: from queries to keys, from keys to keys, from classes to keys.
 */
export const isMap = ({ dimensions = [] }: { dimensions?: readonly Dimension[] | undefined }): boolean => {
  const asking = dimensions.filter(({ role }) => ASKS.has(role));
  return asking.length > 1 && asking.some(({ role }) => role !== 'class');
};

/** The axis of this role, or -1. */
export const axisOf = ({ dimensions }: Pick<Typed, 'dimensions'>, role: AxisRole): number =>
  dimensions.findIndex((one) => one.role === role);

/** Whether it is a picture: of every place of an image how light it is, between 0 and 1. */
export const isLight = ({ role = 'output', kind, dimensions = [] }: Partial<Typed>): boolean =>
  role === 'output' && kind === 'probability' && axisOf({ dimensions }, 'height') >= 0
    && axisOf({ dimensions }, 'width') >= 0;

/** The axis that runs over time, or -1. */
export const timeOf = ({ dimensions }: Pick<Typed, 'dimensions'>): number =>
  dimensions.findIndex(({ role, time }) => time === true || role === 'time');

// Axes of which a picture of rows and columns shows one place at a time.
const HELD: ReadonlySet<AxisRole> = new Set<AxisRole>(['head', 'layer', 'batch', 'channel']);
const PAIRS: readonly (readonly [AxisRole, AxisRole])[] = [['query', 'key'], ['height', 'width']];

/** The axes that run down and across a picture; -1: none. */
export function runningAxes(typed: Pick<Typed, 'dimensions'>,
  shape: readonly number[] = []): [down: number, across: number] {
  for (const pair of PAIRS) {
    const [down, across] = pair.map((role) => axisOf(typed, role));
    // A single query with a weight a feature: what there is to see runs over keys and features.
    if (down! >= 0 && across! >= 0 && !(shape[down!] === 1 && shape.length > 2 && across! < shape.length - 1))
      return [down!, across!];
  }
  const all = typed.dimensions.map((_, k) => k);
  const shown = all.filter((k) => !HELD.has(typed.dimensions[k]!.role));
  // Channels wait behind height and width; beside one axis alone they are its columns or its rows.
  const free = shown.length > 1 ? shown
    : all.filter((k) => shown.includes(k) || typed.dimensions[k]!.role === 'channel');
  // A steps' axis in front waits where there are two others.
  const running = free.length > 2 ? free.filter((k) => typed.dimensions[k]!.role !== 'time') : free;
  const axes = running.length > 0 ? running : all;
  return [axes.at(-2) ?? -1, axes.at(-1) ?? -1];
}

/** The modules that stand directly inside this one; empty: those that stand inside none. */
export const inside = (modules: readonly ModuleEntry[], parent: string): ModuleEntry[] =>
  modules.filter((one) => one.parent === parent);

/** Wires from module to module, by port. */
export function wires(modules: readonly ModuleEntry[]): { from: string; to: string; port: string }[] {
  const names = new Set(modules.map(({ name }) => name));
  // `decoder.attention.context` comes from the longest beginning that is a module.
  const source = (text: string): string => {
    for (let at = text.length; at > 0; at = text.lastIndexOf('.', at - 1))
      if (names.has(text.slice(0, at))) return text.slice(0, at);
    return text;
  };
  return modules.flatMap(({ name, inputs }) =>
    Object.entries(inputs).map(([port, from]) => ({ from: source(from), to: name, port })));
}
