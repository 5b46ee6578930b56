// SPDX-License-Identifier: Apache-2.0
import { type Hidden, hiddenOf } from '../compare/hidden.ts';
import { type Domain, domainIn, type Kind } from '../colour/scale.ts';
import { isMask, kindOf } from '../directory/naming.ts';
import { secondLoss } from '../directory/second-loss.ts';
import { type Plane, plane, type Result, type Tensor } from '../engine/result.ts';
import { BAR, legendShapes } from '../elements/heat-shapes.ts';
import { lines } from '../elements/labels.ts';
import type { About, Drawing, Shape } from '../elements/shapes.ts';
import { type Sheet, unitsOf } from '../elements/sheet.ts';
import { arrange, tensorsOf } from '../directory/modules.ts';
import { append, maximum, minimum } from '../lists.ts';
import { strings } from '../strings/en.ts';
import { palette } from '../styles/tokens.ts';
import { captionOf, type Panel, panelOf } from './panel.ts';

export interface Figure extends Drawing {
  /** The size of its smallest text. */
  smallest: number;
  /** The names of some matrix leave its cells no room. */
  crowded: boolean;
}

/** What a figure is to show: a matrix of a result, with the reader's title, and the side of a comparison. */
export interface Wanted {
  result: Result;
  tensor: Tensor;
  title?: string | undefined;
  side?: string | undefined;
  /** It is the difference of these two: its numbers are no weights and have a scale of their own. */
  gap?: Readonly<Record<'a' | 'b', Pick<Wanted, 'result' | 'tensor'>>>;
  /** How a place of the page shows it; a matrix that only this place computes has no other description. */
  shown?: { kind: Kind; domain: Domain; mask: Plane | undefined };
}

const kindIn = ({ tensor, gap, shown }: Wanted): Kind => shown?.kind ?? (gap ? 'signed' : kindOf(tensor));

/** What the tensor of the second side has more than that of the first; undefined if their shapes differ. */
export function gapOf(one: Tensor, other: Tensor): Tensor | undefined {
  return one.shape.join() === other.shape.join()
    ? { ...one, data: one.data.map((value, k) => other.data[k]! - value) } : undefined;
}

/** What the colours of a tensor reach from and to: of the page's own numbers, or as a reader has pinned them. */
export type Scale = (tensor: Tensor, kind: Kind) => Domain;

export interface Look {
  chosen: Record<string, number>;
  theme: 'light' | 'dark';
  /** What the file is called. */
  title: string;
  /** What is written above all matrices. */
  heading?: string | undefined;
  scale?: Scale;
  sheet?: Sheet | undefined;
  /** All matrices of one kind of numbers have the same colours, and one legend. */
  oneScale?: boolean;
  about?: About | undefined;
}

const [EDGE, GAP, WIDEST] = [24, 36, 1160];
/** On paper the room around a figure is the paper's. */
const [NEAR, BESIDE] = [2, 20];
const [HEADING, LETTER] = [16, 8.2];

/** The tensors that a figure can hold, in the order of the computation; a loss that is there twice comes once. */
export function drawable(result: Result): Tensor[] {
  const { modules, others } = arrange(result);
  const all = [...result.all('inputs'), ...modules.flatMap(tensorsOf), ...others];
  const twice = secondLoss(all);
  return all.filter((tensor) => tensor.data.length > 0 && tensor !== twice);
}

function maskOf(result: Result, tensor: Tensor, chosen: Record<string, number>, shown: Plane): Plane | undefined {
  const module = arrange(result).modules.find((m) => m.mask && (m.scores === tensor || m.weights === tensor));
  const mask = module?.mask && plane(module.mask, chosen);
  return mask && mask.rows === shown.rows && mask.cols === shown.cols ? mask : undefined;
}

// Of a difference, what either side hides.
function hiddenIn({ gap }: Wanted, chosen: Record<string, number>, shown: Plane): Hidden | undefined {
  return gap && hiddenOf(shown, maskOf(gap.a.result, gap.a.tensor, chosen, shown),
    maskOf(gap.b.result, gap.b.tensor, chosen, shown));
}

/** One domain for each kind of numbers. */
function shared(wanted: readonly Wanted[], scaleIn: (one: Wanted) => Domain): Map<Kind, Domain> {
  const found = new Map<Kind, Domain>();
  for (const one of wanted) {
    const { tensor } = one;
    if (isMask(tensor)) continue;
    const kind = kindIn(one);
    const [low, high] = scaleIn(one);
    const [least, most] = found.get(kind) ?? [low, high];
    found.set(kind, [Math.min(least, low), Math.max(most, high)]);
  }
  return found;
}

// Cells are never larger than this many times their usual size, and the size is found to this part of it.
const [LARGEST, FINE] = [24, 0.02];

/** The matrices in their rows with cells so large that the widest row takes the width of the paper. */
function filling(arranged: (times: number) => Panel[][]): Panel[][] {
  const form = (rows: Panel[][]): string => rows.map(({ length }) => length).join();
  let rows = arranged(1);
  const usual = form(rows);
  let [low, high] = [1, LARGEST];
  while (high - low > FINE * low) {
    const times = (low + high) / 2;
    const larger = arranged(times);
    // Larger cells push no matrix into the next row.
    if (form(larger) === usual)
      [low, rows] = [times, larger];
    else high = times;
  }
  return rows;
}

export function figure(wanted: readonly Wanted[], look: Look): Figure {
  const { theme, chosen, sheet, scale = ({ data }, kind) => domainIn(data, kind) } = look;
  const paper = palette[theme];
  const scaleIn = (one: Wanted): Domain => one.shown?.domain ?? (one.gap ? domainIn(one.tensor.data, 'signed')
    : scale(one.tensor, kindIn(one)));
  const [edge, gap] = sheet ? [NEAR, BESIDE] : [EDGE, GAP];
  const room = sheet ? unitsOf(sheet) - 2 * edge : Infinity;
  const domains = look.oneScale ? shared(wanted, scaleIn) : undefined;
  const shapes: Shape[] = [];
  const arranged = (times: number): Panel[][] => {
    const found: Panel[][] = [];
    let right = Infinity;
    for (const one of wanted) {
      const { result, tensor, title, side } = one;
      const shown = plane(tensor, chosen);
      const kind = kindIn(one);
      const hidden = hiddenIn(one, chosen, shown);
      const mask = one.shown ? one.shown.mask : hidden?.mask ?? maskOf(result, tensor, chosen, shown);
      const panel = panelOf(result, shown, mask, { theme, title, side, hidden, kind, room,
        times, domain: domains?.get(kind) ?? scaleIn(one), legend: !domains });
      if (right + panel.w > (sheet ? edge + room + 0.01 : WIDEST)) {
        found.push([]);
        right = edge;
      }
      found.at(-1)?.push(panel);
      right += panel.w + gap;
    }
    return found;
  };
  const rows = sheet ? filling(arranged) : arranged(1);
  let [y, widest] = [edge, 160];
  const across = sheet ? room : maximum(rows.map((row) => row.reduce((sum, { w }) => sum + w + gap, -gap)), 160);
  for (const line of lines(look.heading ?? '', Math.floor(across / LETTER))) {
    shapes.push({ kind: 'text', x: edge, y: y + HEADING - 2, text: line, size: HEADING, fill: paper.ink, at: 'start',
      bold: true });
    y += HEADING + 6;
  }
  if (look.heading) y += 6;
  for (const row of rows) {
    // One row of cells stands beside the other: a token is one line across the matrices.
    const top = maximum(row.map((panel) => panel.top));
    let x = edge;
    for (const panel of row) {
      panel.draw(x, y, top, shapes);
      x += panel.w + gap;
    }
    widest = Math.max(widest, x - gap + edge);
    y += top + maximum(row.map((panel) => panel.h)) + gap;
  }
  for (const [kind, domain] of domains ?? []) {
    // With scales of several kinds, each says whose it is.
    const own = wanted.filter((one) => !isMask(one.tensor) && kindIn(one) === kind);
    const names = [...new Set(own.map(({ tensor, title }) => title ?? captionOf(plane(tensor, chosen))))];
    const said = domains!.size > 1 ? lines(names.join(strings.comma), Math.floor(across / 7.2)) : [];
    for (const line of said) {
      shapes.push({ kind: 'text', x: edge, y: y + 8, text: line, size: 12, fill: paper.ink2, at: 'start' });
      y += 16;
    }
    append(shapes, legendShapes({ kind, domain }, edge, y, theme));
    widest = Math.max(widest, 2 * edge + BAR);
    y += 20 + gap / 2;
  }
  const [width, height] = [sheet ? Math.round(unitsOf(sheet) * 100) / 100 : Math.ceil(widest),
    Math.ceil(y - (domains ? gap / 2 : gap) + edge)];
  shapes.unshift({ kind: 'rect', x: 0, y: 0, w: width, h: height, fill: paper.background });
  return { title: look.heading || look.title, width, height, shapes, about: look.about,
    ...(sheet ? { centimetres: sheet.centimetres } : {}),
    smallest: minimum(shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.size] : [])), HEADING),
    crowded: rows.some((row) => row.some(({ crowded }) => crowded)) };
}
