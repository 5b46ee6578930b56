// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { flat, type Result } from '../engine/result.ts';
import type { Doc, Json } from '../engine/types.ts';
import { type Book, typeOf } from '../state/catalogue.ts';
import { get } from '../engine/pointer.ts';
import { isRight } from './answer.ts';
import { measure } from './measure.ts';
import type { Lengths, Trained } from '../state/trained.ts';
import type { Condition, Holds, Measure, Sign } from './types.ts';

/** What a condition looks at: the page now, and as it was when the step began. */
export interface Scene {
  book: Book;
  now: { document: Doc; result: Result };
  then: { document: Doc; result: Result };
  held: string | undefined;
  cell: number[] | undefined;
  view: string;
  head: [module: string | undefined, head: number];
  stage: string | undefined;
  table: string | undefined;
  undone: boolean;
  /** What was trained since the lesson began, the newest last. */
  trained: readonly Trained[];
  tried: number;
  asked: number;
  /** What the reader answered in this step. */
  given: string | number | undefined;
  lengths: readonly Lengths[];
}

const compare: Record<Sign, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
  '=': (a, b) => Math.abs(a - b) <= 1e-6, '!=': (a, b) => Math.abs(a - b) > 1e-6,
};

// Defaults that the engine filled in count as what stands there.
const read = (scene: Scene, path: string): Json | undefined =>
  get(scene.now.result.directory.document, path) ?? get(scene.now.document, path);

const isA = (book: Book, value: Json | undefined, id: string): boolean => {
  const given = typeOf(value);
  if (given === undefined) return false;
  return given === id || book.catalogue.mechanisms.some((m) => m.id === id && m.aliases.includes(given));
};

function tokens(document: Doc, input: string | undefined): string[] {
  const found = document.inputs[input ?? Object.keys(document.inputs)[0] ?? '']?.['tokens'];
  return Array.isArray(found) ? found.map(String) : [];
}

const mean = (list: number[]): number => list.reduce((sum, x) => sum + x, 0) / list.length;

// What runs that hold something get right at the greatest length that was measured and is close to those in training:
// far beyond these, no model gets much right.
function longest({ book, lengths }: Scene, { path, type }: Holds): number[] {
  const most = maximum(lengths.flatMap(({ points, near = Infinity }) =>
    points.map(({ length }) => length).filter((length) => length <= near)));
  return lengths.filter(({ document }) => isA(book, get(document, path), type))
    .flatMap(({ points }) => points.filter(({ length }) => length === most).map(({ accuracy }) => accuracy));
}

// The number in the cell that is held.
function heldNumber({ held, cell, now: { result } }: Scene): number | undefined {
  const tensor = held === undefined ? undefined : result.find(held, 'outputs');
  return tensor && cell ? tensor.data[flat(tensor.shape, cell)] : undefined;
}

/** The measures that a condition reads. */
export function measuresIn(condition: Condition): Measure[] {
  if ('all' in condition) return condition.all.flatMap(measuresIn);
  if ('any' in condition) return condition.any.flatMap(measuresIn);
  if ('not' in condition) return measuresIn(condition.not);
  if ('typed' in condition) return typeof condition.typed === 'number' ? [] : [condition.typed];
  if (!('measure' in condition)) return [];
  return [condition.measure, ...(typeof condition.than === 'number' ? [] : [condition.than])];
}

/** Whether the reader has done it. */
export function met(condition: Condition, scene: Scene): boolean {
  if ('all' in condition) return condition.all.every((part) => met(part, scene));
  if ('any' in condition) return condition.any.some((part) => met(part, scene));
  if ('not' in condition) return !met(condition.not, scene);
  const { now, then } = scene;
  const value = (m: Measure) => measure(m, now.result, then.result);
  if ('chosen' in condition || 'typed' in condition || 'word' in condition)
    return scene.given !== undefined && isRight(condition, scene.given, value);
  if ('measure' in condition) {
    return compare[condition.is](value(condition.measure),
      typeof condition.than === 'number' ? condition.than : value(condition.than));
  }
  if ('trained' in condition) {
    const came = (where: Holds | undefined) =>
      scene.trained.findLast(({ document }) =>
      where === undefined || isA(scene.book, get(document, where.path), where.type))?.[condition.trained] ?? Number.NaN;
    const { than } = condition;
    return compare[condition.is](came(condition.where), typeof than === 'number' ? than : came(than) + than.plus);
  }
  if ('byLength' in condition) {
    const { byLength, over, plus, runs } = condition;
    const [one, other] = [longest(scene, byLength), longest(scene, over)];
    return Math.min(one.length, other.length) >= runs && mean(one) - mean(other) >= plus;
  }
  if ('asked' in condition) return scene.asked >= condition.asked;
  if ('tried' in condition) return scene.tried >= condition.tried;
  if ('path' in condition) {
    const value = read(scene, condition.path);
    if ('type' in condition) return isA(scene.book, value, condition.type);
    if ('equals' in condition) return value === condition.equals;
    return typeof value === 'number' && compare[condition.is](value, condition.than);
  }
  if ('list' in condition) {
    const value = read(scene, condition.list);
    return (Array.isArray(value) ? value : [value]).some((item) => isA(scene.book, item, condition.holds));
  }
  if ('tokens' in condition) {
    const [now, then] = [tokens(scene.now.document, condition.input), tokens(scene.then.document, condition.input)];
    if (typeof condition.tokens === 'object') return now.join('\n') === condition.tokens.join('\n');
    const same = now.join('\n') === then.join('\n');
    if (condition.tokens === 'same') return same;
    if (condition.tokens === 'other') return !same;
    return !same && [...now].sort().join('\n') === [...then].sort().join('\n');
  }
  if ('held' in condition) {
    // Axes in front, of heads, do not matter.
    const cell = scene.cell?.slice(-(condition.cell?.length ?? 0));
    if (condition.cell && condition.cell.join() !== cell?.join()) return false;
    if (condition.value !== undefined && condition.value !== heldNumber(scene)) return false;
    return scene.held === condition.held || (condition.held === '*' && scene.held !== undefined);
  }
  if ('view' in condition) return scene.view === condition.view;
  if ('head' in condition) return scene.head[0] === condition.head[0] && scene.head[1] === condition.head[1];
  if ('stage' in condition) return scene.stage === condition.stage
    || (condition.stage === '*' && scene.stage !== undefined);
  if ('table' in condition) return scene.table === condition.table
    || (condition.table === '*' && scene.table !== undefined);
  if ('changed' in condition) return JSON.stringify(get(scene.now.document, condition.changed))
    !== JSON.stringify(get(scene.then.document, condition.changed));
  return scene.undone;
}

// Where the reader looks: it says nothing of what is computed.
const LOOKS = ['held', 'view', 'head', 'stage', 'table', 'undone'] as const;
const isLook = (condition: Condition): boolean => LOOKS.some((name) => name in condition);

/** Whether a condition is about nothing but where the reader looks. */
export function onlyLooks(condition: Condition): boolean {
  if ('all' in condition) return condition.all.every(onlyLooks);
  if ('any' in condition) return condition.any.every(onlyLooks);
  return 'not' in condition ? onlyLooks(condition.not) : isLook(condition);
}

/** Whether the page still is as a condition asked for, wherever the reader looks by now. */
export function lasts(condition: Condition, scene: Scene): boolean {
  if ('all' in condition) return condition.all.every((part) => lasts(part, scene));
  if ('any' in condition) return condition.any.some((part) => lasts(part, scene));
  if ('not' in condition) return onlyLooks(condition.not) || !met(condition.not, scene);
  return isLook(condition) || met(condition, scene);
}
