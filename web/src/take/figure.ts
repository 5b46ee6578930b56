// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import { printed } from '../colour/numbers.ts';
import { colourOf, type Domain, domainIn, type Kind } from '../colour/scale.ts';
import { ticks } from '../flow/legend.ts';
import { arrange, type Module, tensorsOf } from '../flow/modules.ts';
import { isMask as masks, kindOf, naming } from '../directory/naming.ts';
import { HEAD } from '../directory/places.ts';
import { type Plane, plane, type Result, type Tensor } from '../engine/result.ts';
import { strings } from '../strings/en.ts';
import { type Paper, palette } from '../styles/tokens.ts';

/** A figure as plain shapes, so that the SVG and the PNG cannot differ. */
export type Shape =
  | { kind: 'rect'; x: number; y: number; w: number; h: number; fill?: string; line?: string }
  | { kind: 'line'; x1: number; y1: number; x2: number; y2: number; line: string }
  | { kind: 'text'; x: number; y: number; text: string; size: number; fill: string; at: 'start' | 'middle' | 'end';
  bold?: boolean; turn?: number };

export interface Figure {
  title: string;
  width: number;
  height: number;
  shapes: Shape[];
}

const [EDGE, GAP, WIDEST, CELL, SMALL] = [24, 36, 1160, 28, 22];
const LETTER = 6.4;
const BAR = 96;

interface Panel {
  /** From the caption down to the first row of cells. */
  top: number;
  w: number;
  h: number;
  draw: (x: number, y: number, top: number, into: Shape[]) => void;
}

/** The tensors that a figure can hold, in the order of the computation. */
export function drawable(result: Result): Tensor[] {
  const { modules, others } = arrange(result);
  return [...result.all('inputs'), ...modules.flatMap(tensorsOf), ...others].filter((tensor) => tensor.data.length > 0);
}

/** What the colours of a tensor reach from and to: of the page's own numbers, or as a reader has pinned them. */
export type Scale = (tensor: Tensor, kind: Kind) => Domain;

const maskOf = (modules: Module[], tensor: Tensor, chosen: Record<string, number>, shown: Plane): Plane | undefined => {
  const module = modules.find((m) => m.mask && (m.scores === tensor || m.weights === tensor));
  const mask = module?.mask && plane(module.mask, chosen);
  return mask && mask.rows === shown.rows && mask.cols === shown.cols ? mask : undefined;
};

export function figure(result: Result, tensors: Tensor[], chosen: Record<string, number>, theme: 'light' | 'dark',
  title: string, scale: Scale = ({ data }, kind) => domainIn(data, kind)): Figure {
  const paper = palette[theme];
  const { modules } = arrange(result);
  const shapes: Shape[] = [];
  const rows: Panel[][] = [];
  let right = Infinity;
  for (const tensor of tensors) {
    const shown = plane(tensor, chosen);
    const panel = panelOf(result, shown, maskOf(modules, tensor, chosen, shown), theme, paper,
      scale(tensor, kindOf(tensor)));
    if (right + panel.w > WIDEST) {
      rows.push([]);
      right = EDGE;
    }
    rows.at(-1)?.push(panel);
    right += panel.w + GAP;
  }
  let [y, widest] = [EDGE, 160];
  for (const row of rows) {
    // One row of cells stands beside the other: a token is one line across the matrices.
    const top = maximum(row.map((panel) => panel.top));
    let x = EDGE;
    for (const panel of row) {
      panel.draw(x, y, top, shapes);
      x += panel.w + GAP;
    }
    widest = Math.max(widest, x - GAP + EDGE);
    y += top + maximum(row.map((panel) => panel.h)) + GAP;
  }
  const [width, height] = [Math.ceil(widest), Math.ceil(y - GAP + EDGE)];
  shapes.unshift({ kind: 'rect', x: 0, y: 0, w: width, h: height, fill: paper.background });
  return { title, width, height, shapes };
}

// What is held still, such as a head, belongs in the caption.
function held({ tensor, held: at, rowAxis, colAxis }: Plane): string {
  const parts = tensor.shape.map((size, k) => {
    if (k === rowAxis || k === colAxis || size < 2) return '';
    const axis = tensor.axes[k] ?? '';
    return tensor.places[k] === HEAD ? strings.head((at[k] ?? 0) + 1) : `${axis || strings.take.slice} ${at[k] ?? 0}`;
  });
  return parts.filter(Boolean).join(strings.comma);
}

const plain = (latex: string): string => (/^[\p{L}\d_]+$/u.test(latex) ? latex.replace('_', '') : '');

function panelOf(result: Result, shown: Plane, mask: Plane | undefined, theme: 'light' | 'dark', paper: Paper,
  domain: Domain): Panel {
  const { tensor, rows, cols } = shown;
  const kind = kindOf(tensor);
  const { title, symbol, role } = naming(tensor);
  const labels = (which: 'row' | 'col') => {
    const found = result.labels(shown.axis(which) ?? '');
    return found?.length === (which === 'row' ? rows : cols) ? found : undefined;
  };
  const [down, across] = [labels('row'), labels('col')];
  const roomy = cols <= 20 && rows <= 32;
  const cw = roomy ? CELL : Math.max(2, 480 / cols);
  const ch = roomy ? SMALL : Math.min(cw, Math.max(2, 480 / rows));
  const longest = (list: string[] | undefined) =>
    maximum((list ?? []).map((label) => [...label].length * LETTER), 0);
  const left = down && ch >= 9 ? Math.min(110, longest(down) + 8) : 0;
  // Labels lean to the right: they need room above, and beyond the last column.
  const lean = across && cw >= 9 ? Math.min(110, longest(across)) : 0;
  const top = 22 + lean * 0.72 + (lean ? 10 : 0);
  const caption = [[title || tensor.name, plain(symbol)].filter(Boolean).join(' '), held(shown)];
  const w = Math.max(left + cols * cw + lean * 0.72, ([...caption.join(', ')].length + 1) * 7.2, left + BAR);
  const isMask = masks(tensor);
  const h = rows * ch + (isMask ? 0 : 30);
  const draw: Panel['draw'] = (x, y, low, into) => {
    const text = (at: Partial<Shape> & { x: number; y: number; text: string }) =>
      into.push({ kind: 'text', size: 12, fill: paper.ink, at: 'start', ...at } as Shape);
    text({ x, y: y + 12, text: caption[0] ?? '', size: 14, bold: true,
      fill: role === 'ink' ? paper.ink : paper[role] });
    if (caption[1]) text({ x: x + ([...(caption[0] ?? '')].length + 2) * 7.2, y: y + 12, text: caption[1],
      fill: paper.ink2 });
    const [x0, y0] = [x + left, y + low];
    if (left) down?.forEach((label, i) =>
      text({ x: x0 - 6, y: y0 + (i + 0.5) * ch + 4, text: label, at: 'end', fill: paper.ink2 }));
    if (lean) across?.forEach((label, j) =>
      text({ x: x0 + (j + 0.5) * cw, y: y0 - 7, text: label, turn: -45, fill: paper.ink2 }));
    const gap = Math.min(cw, ch) < 5 ? 0 : 1;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) {
        const box = { x: x0 + j * cw, y: y0 + i * ch, w: cw - gap, h: ch - gap };
        const value = shown.at(i, j);
        if (mask?.at(i, j) === 0 || (isMask && value === 0)) hatch(into, box, paper);
        else if (isMask) into.push({ kind: 'rect', ...box, fill: paper.line });
        else {
          const colour = colourOf(value, domain, kind, theme);
          const bare = kind === 'weights' && value === 0;
          into.push({ kind: 'rect', ...box, ...(bare ? { line: paper.line2 } : { fill: colour.fill }) });
          const number = roomy ? printed(value, kind === 'weights', domain[1]) : '';
          if (number) text({ x: box.x + box.w / 2, y: box.y + box.h / 2 + 4, text: number, size: 11, at: 'middle',
            fill: bare ? paper.ink2 : colour.ink });
        }
      }
    }
    if (isMask) return;
    const [least, most] = domain;
    const yl = y0 + rows * ch + 8;
    const steps = 48;
    for (let k = 0; k < steps; k++) {
      const { fill } = colourOf(least + ((most - least) * k) / (steps - 1), domain, kind, theme);
      into.push({ kind: 'rect', x: x0 + (k * BAR) / steps, y: yl, w: BAR / steps + 0.2, h: 6, fill });
    }
    for (const tick of ticks(domain)) {
      text({ x: x0 + tick.at * BAR, y: yl + 18, text: tick.text, size: 11, fill: paper.ink2,
        at: tick.at === 0 ? 'start' : tick.at === 1 ? 'end' : 'middle' });
    }
  };
  return { top, w, h, draw };
}

function hatch(into: Shape[], { x, y, w, h }: { x: number; y: number; w: number; h: number }, paper: Paper): void {
  const step = 6;
  // Lines of slope -1 through the box, cut at its edges.
  for (let c = step; c < w + h; c += step) {
    const [x1, y1] = c <= h ? [x, y + c] : [x + c - h, y + h];
    const [x2, y2] = c <= w ? [x + c, y] : [x + w, y + c - w];
    into.push({ kind: 'line', x1, y1, x2, y2, line: paper.hatch });
  }
}
