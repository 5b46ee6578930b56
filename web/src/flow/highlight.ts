// SPDX-License-Identifier: Apache-2.0
import { append, maximum, minimum } from '../lists.ts';
import type { Plane } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import type { Paper } from '../styles/tokens.ts';
import { strings } from '../strings/en.ts';
import { headInside } from '../strings/heads.ts';
import { numberedAt, roleOf } from '../directory/places.ts';
import { naming } from '../directory/naming.ts';
import { windowOf } from './window.ts';
import { shownPiece } from '../strings/displayed-word.ts';

/** A frame around cells of a matrix, which are counted from 0. */
export interface Outline {
  row: number;
  col: number;
  rows: number;
  cols: number;
  colour: string;
  width: number;
  /** A gap of paper inside the line: what is locked or focused. */
  gap?: boolean;
}

const isHere = (plane: Plane, target: Target | undefined): [number, number] | undefined =>
  target && target.tensor === plane.tensor.name && target.group === plane.tensor.group
    ? plane.cell(target.index)
    : undefined;

/** What is lit in a matrix: what feeds the chosen cell, the cell itself, and the one pointed at. */
export function outlines(store: Store, plane: Plane, paper: Paper): Outline[] {
  const lines: Outline[] = [];
  const { role } = naming(plane.tensor);
  const fed = store.explanations.lit.find(
    (feed) => feed.tensor === plane.tensor.name && feed.group === plane.tensor.group,
  );
  const cells = (fed?.cells ?? []).map((index) => plane.cell(index)).filter((c) => c !== undefined);
  if (cells.length > 0) {
    const rows = cells.map(([i]) => i);
    const cols = cells.map(([, j]) => j);
    const [top, left] = [minimum(rows), minimum(cols)];
    lines.push({
      row: top,
      col: left,
      rows: maximum(rows) - top + 1,
      cols: maximum(cols) - left + 1,
      colour: role === 'ink' ? paper.ink2 : paper[role],
      width: store.selection.role === role && role !== 'ink' ? 3.5 : 2,
    });
  }
  append(lines, bands(store, plane, paper));
  const locked = isHere(plane, store.selection.lock);
  if (locked) lines.push({ row: locked[0], col: locked[1], rows: 1, cols: 1, colour: paper.ink, width: 2.4,
    gap: true });
  const hovered = isHere(plane, store.selection.hover);
  if (hovered) lines.push({ row: hovered[0], col: hovered[1], rows: 1, cols: 1, colour: paper.ink, width: 1.5 });
  return lines;
}

/** The row and the column of the cell that is pointed at, or else locked, and what a lens shows around it. */
export function crossing({ selection }: Store, plane: Plane, paper: Paper, lens: boolean): Outline[] {
  const seen = windowOf(selection, plane);
  if (!seen) return [];
  const [row, col] = seen.cell;
  const frame = { row: seen.rows[0]!, col: seen.cols[0]!, rows: seen.rows.length, cols: seen.cols.length,
    colour: paper.ink2, width: 1 };
  return [
    { row, col: 0, rows: 1, cols: plane.cols, colour: paper.query, width: 1.5 },
    { row: 0, col, rows: plane.rows, cols: 1, colour: paper.key, width: 1.5 },
    ...(lens ? [frame] : []),
  ];
}

// A word that is pointed at: its row and its column in every matrix that has one.
function bands(store: Store, plane: Plane, paper: Paper): Outline[] {
  const { word } = store.selection;
  const { result } = store.sessions;
  if (!word) return [];
  const mine = (axis: string | undefined) => {
    const labels = result?.labels(axis ?? '');
    return labels?.length === word.labels.length && labels.every((label, k) => label === word.labels[k]);
  };
  const lines: Outline[] = [];
  if (mine(plane.axis('row'))) lines.push(
    { row: word.at, col: 0, rows: 1, cols: plane.cols, colour: paper.query, width: 1.5 });
  if (mine(plane.axis('col'))) lines.push(
    { row: 0, col: word.at, rows: plane.rows, cols: 1, colour: paper.key, width: 1.5 });
  return lines;
}

/** "query it, key animal, weights 0.365": a cell in words. */
export function inWords(store: Store, target: Target): string {
  const tensor = store.sessions.result?.find(target.tensor, target.group);
  if (!tensor) return '';
  const words = target.index.map((at, k) => {
    const place = tensor.places[k] ?? '';
    const role = roleOf(place);
    // Where words are not known, positions stand for them.
    const token = store.sessions.result?.labels(place)?.map(shownPiece)[at] ?? at + 1;
    if (role === 'query') return tensor.shape[k] === 1 && token === at ? '' : strings.cell.query(String(token));
    if (role === 'key') return strings.cell.key(String(token));
    // Where no list names it, it is called so already.
    if (role === 'class' && token !== at) return numberedAt(place) ? String(token) : strings.cell.class(String(token));
    if (role === 'head' && token === at) return headInside(tensor, at);
    return `${role === 'feature' ? strings.cell.feature : tensor.axes[k] || strings.cell.index} ${token}`;
  });
  return words.filter(Boolean).join(strings.comma);
}
