// SPDX-License-Identifier: Apache-2.0
import type { Domain, Kind } from '../colour/scale.ts';
import type { Plane } from '../engine/result.ts';
import { maximum } from '../lists.ts';
import type { RoleColour } from '../styles/tokens.ts';
import type { Marks } from '../train/marks.ts';
import type { Link } from '../train/messages.ts';

/** One picture of a lecture, ready to be drawn. */
export interface Scene {
  /** What the map is called. */
  title: string;
  role: RoleColour;
  /** What else is looked at: a head, a module, a step. */
  notes: readonly string[];
  rows: readonly string[];
  columns: readonly string[];
  cells: Plane;
  /** Zero where a cell is masked. */
  mask: Plane | undefined;
  kind: Kind;
  /** Negative numbers may be weights all the same. */
  shares: boolean;
  domain: Domain;
  /** What the model wrote beside each row, and whether it is right. */
  written: readonly { text: string; right: boolean }[] | undefined;
  /** The known alignment: cells to outline, and what each kind of them means. */
  links: readonly Link[];
  marks?: Marks;
}

export const isMasked = ({ mask }: Pick<Scene, 'mask'>, row: number, column: number): boolean =>
  mask !== undefined && mask.at(row, column) === 0;

/** Each row's largest weight, for whoever hears the picture: of each row its index, its column and that number. */
export function strongest(scene: Scene): { row: number; column: number; value: number }[] {
  return scene.rows.map((_, row) => {
    let found = { row, column: -1, value: -Infinity };
    scene.columns.forEach((_, column) => {
      const value = isMasked(scene, row, column) ? Number.NaN : scene.cells.at(row, column);
      if (value > found.value) found = { row, column, value };
    });
    return found;
  }).filter(({ column }) => column >= 0);
}

/** What pictures of like size have room for, so that none of them moves when another comes; and one scale for all. */
export interface Common {
  rows: number;
  columns: number;
  /** The words of all pictures: the longest of them decides how much room they get. */
  rowNames: readonly string[];
  columnNames: readonly string[];
  written: readonly string[];
  /** One scale for each kind of numbers. */
  domains: Partial<Record<Kind, Domain>>;
}

/** A map of 12 words would fill a quarter of the room that one of 24 needs, so only maps of one class share theirs. */
const sizeOf = ({ rows, columns }: Scene): string =>
  [rows, columns].map(({ length }) => Math.ceil(Math.log2(Math.max(1, length)))).join(' ');

/** What these pictures share: the scale of all, and the room of those that are about as large as the one shown. */
export function commonOf(scenes: readonly Scene[], shown?: Scene): Common {
  const alike = shown === undefined ? scenes
    : [...new Set([...scenes, shown])].filter((one) => sizeOf(one) === sizeOf(shown));
  const all = (words: (scene: Scene) => readonly string[]): string[] => [...new Set(alike.flatMap(words))];
  const domains: Partial<Record<Kind, Domain>> = {};
  for (const { kind, domain } of scenes) {
    const [low, high] = domains[kind] ?? domain;
    domains[kind] = [Math.min(low, domain[0]), Math.max(high, domain[1])];
  }
  return {
    rows: maximum(alike.map(({ rows }) => rows.length), 0),
    columns: maximum(alike.map(({ columns }) => columns.length), 0),
    rowNames: all(({ rows }) => rows), columnNames: all(({ columns }) => columns),
    written: all(({ written }) => written?.map(({ text }) => text) ?? []), domains,
  };
}
