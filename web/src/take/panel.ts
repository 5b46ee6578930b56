// SPDX-License-Identifier: Apache-2.0
// One matrix of a figure: its caption, the words around it, its cells and its legend.
import type { Domain, Kind } from '../colour/scale.ts';
import type { Hidden } from '../compare/hidden.ts';
import { naming } from '../directory/naming.ts';
import { HEAD } from '../directory/places.ts';
import { heatOf } from '../elements/heat.ts';
import { BAR, heatShapes, legendShapes } from '../elements/heat-shapes.ts';
import { cut, lines } from '../elements/labels.ts';
import type { Shape } from '../elements/shapes.ts';
import { LABEL } from '../elements/sheet.ts';
import type { Plane, Result } from '../engine/result.ts';
import { append, maximum } from '../lists.ts';
import { strings } from '../strings/en.ts';
import { headNamed } from '../strings/heads.ts';
import { shownPiece } from '../strings/displayed-word.ts';
import { palette } from '../styles/tokens.ts';

const [CELL, SMALL] = [28, 22];
/** About the width of a letter of labels and of captions. */
const [LETTER, WIDE] = [6.4, 7.2];
/** The most letters of a name: they take the 110 units that names get. */
const NAME = 17;
/** Lower cells have no room for a name beside them. */
const NAMED = 9;

export interface Panel {
  /** From the caption down to the first row of cells. */
  top: number;
  w: number;
  h: number;
  /** The names of its rows leave the cells no room. */
  crowded: boolean;
  draw: (x: number, y: number, top: number, into: Shape[]) => void;
}

export interface PanelLook {
  theme: 'light' | 'dark';
  domain: Domain;
  /** What the reader calls it. */
  title: string | undefined;
  /** The side of a comparison, or the difference of both. */
  side: string | undefined;
  /** The cells of a difference that a side hides. */
  hidden?: Hidden | undefined;
  kind: Kind;
  /** How wide it may be. */
  room: number;
  /** How many times their usual size its cells may have, where there is room. */
  times: number;
  /** Whether its scale is drawn below it. */
  legend: boolean;
}

// What is held still, such as a head, belongs in the caption.
function held({ tensor, held: at, rowAxis, colAxis }: Plane): string {
  const parts = tensor.shape.map((size, k) => {
    if (k === rowAxis || k === colAxis || size < 2) return '';
    const axis = tensor.axes[k] ?? '';
    return tensor.places[k] === HEAD ? headNamed(tensor, at[k] ?? 0) : `${axis || strings.take.slice} ${at[k] ?? 0}`;
  });
  return parts.filter(Boolean).join(strings.comma);
}

const plain = (latex: string): string => (/^[\p{L}\d_]+$/u.test(latex) ? latex.replace('_', '') : '');

const titled = ({ tensor }: Plane): string => naming(tensor).title || tensor.name;

/** What a matrix is called where the reader says nothing else. */
export const captionOf = (shown: Plane): string =>
  [titled(shown), plain(naming(shown.tensor).symbol)].filter(Boolean).join(' ');

export function panelOf(result: Result, shown: Plane, mask: Plane | undefined, look: PanelLook): Panel {
  const { theme, domain, room, times, kind } = look;
  const paper = palette[theme];
  const { tensor, rows, cols } = shown;
  let known: ReturnType<typeof heatOf> | undefined;
  // Whoever only asks how wide it is waits for no colours.
  const heatNow = () => (known ??= heatOf(shown, { theme, domain, mask, kind, marks: look.hidden?.says }));
  const { role } = naming(tensor);
  const labels = (which: 'row' | 'col') => {
    const found = result.labels(shown.axis(which) ?? '');
    return found?.length === (which === 'row' ? rows : cols) ? found.map(shownPiece) : undefined;
  };
  const [down, across] = [labels('row'), labels('col')];
  const longest = (list: string[] | undefined) =>
    maximum((list ?? []).map((label) => [...label].length * LETTER), 0);
  const roomy = cols <= 20 && rows <= 32;
  const [left, lean] = [down ? Math.min(110, longest(down) + 8) : 0, across ? Math.min(110, longest(across)) : 0];
  const most = (room - left - lean * 0.72) / cols;
  const cw = Math.max(1, Math.min((roomy ? CELL : Math.max(2, 480 / cols)) * times, most));
  // Larger cells never make it taller than the figure is wide.
  const tallest = Math.max(SMALL, room / rows);
  const ch = roomy ? Math.min(SMALL * times, tallest) : Math.min(cw, Math.max(2, 480 / rows) * times, tallest);
  const [named, leaning] = [left > 0 && ch >= NAMED, lean > 0 && cw >= NAMED];
  const [beside, above] = [named ? left : 0, leaning ? lean : 0];
  const grid = beside + cols * cw + above * 0.72;
  const side = look.side === undefined ? '' : `${look.side}: `;
  // Behind the letter of a side the symbol of a matrix would be read as another side.
  const first = side + (look.title ?? (side ? titled(shown) : captionOf(shown)));
  const second = look.title === undefined ? held(shown) : '';
  const letters = Math.floor(room / WIDE);
  const together = [...first, ...second].length + 2 <= letters;
  const [caption, more] = [lines(first, letters), together ? [] : lines(second, letters)];
  // Labels lean to the right: they need room above, and beyond the last column.
  const top = 4 + 18 * (caption.length + more.length) + above * 0.72 + (above ? 10 : 0);
  const notes = look.hidden?.legend ?? [];
  const scaleHeight = () => (heatNow().kind === 'mask' || !look.legend ? 0 : 30);
  const text = maximum([...caption, ...more].map((line) => [...line].length * WIDE), 0);
  const w = Math.min(room, Math.max(grid, (together && second ? [...first, ...second].length + 3 : 0) * WIDE, text,
    beside + (look.legend ? BAR : 0), beside + maximum(notes.map((note) => [...note].length * LETTER), 0)));
  const draw: Panel['draw'] = (x, y, low, into) => {
    const heat = heatNow();
    const write = (at: Partial<Shape> & { x: number; y: number; text: string }) =>
      into.push({ kind: 'text', size: LABEL, fill: paper.ink, at: 'start', ...at } as Shape);
    caption.forEach((line, k) => write({ x, y: y + 12 + 18 * k, text: line, size: 14, bold: true,
      fill: role === 'ink' ? paper.ink : paper[role] }));
    if (together && second)
      write({ x: x + ([...first].length + 2) * WIDE, y: y + 12, text: second, fill: paper.ink2 });
    more.forEach((line, k) => write({ x, y: y + 12 + 18 * (caption.length + k), text: line, fill: paper.ink2 }));
    const [x0, y0] = [x + beside, y + low];
    if (named) down?.forEach((label, i) =>
      write({ x: x0 - 6, y: y0 + (i + 0.5) * ch + 4, text: cut(label, NAME), at: 'end', fill: paper.ink2 }));
    if (leaning) across?.forEach((label, j) =>
      write({ x: x0 + (j + 0.5) * cw, y: y0 - 7, text: cut(label, NAME), turn: -45, fill: paper.ink2 }));
    append(into, heatShapes(heat, { x: x0, y: y0, w: cols * cw, h: rows * ch },
      !roomy ? 'none' : cw >= CELL ? 'all' : 'fitting'));
    if (heat.kind !== 'mask' && look.legend)
      append(into, legendShapes({ kind: heat.kind, domain: heat.domain }, x0, y0 + rows * ch + 8, theme));
    notes.forEach((note, k) => write({ x: x0, y: y0 + rows * ch + scaleHeight() + 14 + 16 * k, text: note,
      fill: paper.ink2 }));
  };
  return { top, w, get h() { return rows * ch + scaleHeight() + 16 * notes.length; },
    crowded: most < 1 || (rows > 1 && beside > room / 2), draw };
}
