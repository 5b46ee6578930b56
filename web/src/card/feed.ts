// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { colourOf, domainIn, domainOf } from '../colour/scale.ts';
import { type Tensor, valueAt } from '../engine/result.ts';
import type { Feed, Target } from '../engine/types.ts';
import { isMask, kindOf, naming, type Naming } from '../directory/naming.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { arrow } from '../strings/language.ts';
import { place } from '../styles/place.ts';
import { shownPiece } from '../strings/displayed-word.ts';

interface Strip {
  values: number[];
  fills: string[];
  /** The cell that is pointed at elsewhere. */
  lit: number;
  name: string;
  point: (cell: number | undefined) => void;
  hold: (cell: number) => void;
}

/** Numbers as a row of coloured cells: one background, since pointing at a matrix draws several of these anew. */
function strip({ values, fills, lit, name, point, hold }: Strip): unknown {
  const under = (event: PointerEvent | MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * values.length);
    return Math.min(values.length - 1, Math.max(0, at));
  };
  const over = (event: PointerEvent) => {
    const at = under(event);
    (event.currentTarget as HTMLElement).title = full(values[at]!);
    point(at);
  };
  return html`<span class="strip ${name}" aria-hidden="true"
    ${place({ background: bands(fills), '--cells': String(fills.length), '--lit': lit < 0 ? undefined : String(lit) })}
    @pointermove=${over} @pointerleave=${() => point(undefined)}
    @click=${(event: MouseEvent) => hold(under(event))}>${lit < 0 ? nothing : html`<i></i>`}</span>`;
}

/** Colours side by side, each of one width. */
function bands(fills: string[]): string {
  const at = (k: number) => `${((k / fills.length) * 100).toFixed(2)}%`;
  return `linear-gradient(90deg, ${fills.map((fill, k) => `${fill} ${at(k)} ${at(k + 1)}`).join(', ')})`;
}

const MOST = 32;

/**
 * One tensor that feeds a cell, or is fed by it: its cells as a strip, each pointing to its place. `pointed` is the
 * cell that is pointed at beside the locked one; `called`: what it is called in the formula beside it.
 */
export function feedRow(store: Store, feed: Feed, theme: 'light' | 'dark', pointed: Target | undefined,
  slopes?: number[], called?: Partial<Naming>): unknown {
  const tensor = store.sessions.result?.find(feed.tensor, feed.group);
  const first = feed.cells[0];
  if (!tensor || !first) return nothing;
  const { title, one, symbol, role } = { ...naming(tensor), ...called };
  const kind = kindOf(tensor);
  const many = feed.cells.length > 1;
  const cells = feed.cells.slice(0, MOST);
  const target = (index: number[]): Target => ({ group: feed.group, tensor: feed.tensor, index });
  const hovered = pointed?.tensor === feed.tensor && pointed.group === feed.group ? pointed.index.join() : undefined;
  const lit = hovered === undefined ? -1 : cells.findIndex((index) => index.join() === hovered);
  const coloured = (values: number[], domain: readonly [number, number], scale: typeof kind, name: string) => strip({
    values, fills: values.map((value) => colourOf(value, domain, scale, theme).fill), lit, name,
    point: (k) => store.selection.lock && store.selection.point(k === undefined ? undefined : target(cells[k]!)),
    hold: (k) => store.selection.hold(target(cells[k]!)),
  });
  return html`<div class="feed" data-feed=${feed.tensor}>
    <button class="link" title=${title || feed.group === 'steps' ? nothing : feed.tensor}
      @click=${() => store.selection.hold(target(first))}
      @pointerenter=${() => store.selection.lock && !many && store.selection.point(target(first))}
      @pointerleave=${() => store.selection.lock && store.selection.point(undefined)}>
      ${title || html`<span class="unseen">${one}</span>`}
      ${symbol ? html`<ap-math class="plain ${role}" .latex=${symbol}></ap-math>` : nothing}</button>
    ${many && !isMask(tensor) ? coloured(cells.map((index) => valueAt(tensor, index)),
      domainIn(tensor.data, kind), kind, '') : html`<span class="note">${where(store, tensor, first)}</span>`}
    <span class=${many ? 'note' : ''}>${
      many ? strings.cells(feed.cells.length) : html`<bdi>${full(valueAt(tensor, first))}</bdi>`}</span>
    ${slopes ? html`<span class="note d">∂</span>${
      many ? coloured(slopes.slice(0, MOST), domainOf(slopes, 'signed'), 'signed', 'slope') : html`<span></span>`}
      <span class="note" data-slopes=${JSON.stringify(slopes.slice(0, MOST))}>${
        many ? range(slopes) : html`<bdi>${full(slopes[0] ?? 0)}</bdi>`}</span>` : nothing}</div>`;
}

// Whose cell it is, where rows and columns have names.
function where(store: Store, tensor: Tensor, index: number[]): unknown {
  const { result } = store.sessions;
  const names = index.map((at, k) => result?.labels(tensor.places[k] ?? '')?.[at]).filter((name) => name !== undefined);
  return names.map((name, k) => html`${k > 0 ? ` ${arrow()} ` : nothing}<bdi>${shownPiece(name)}</bdi>`);
}

const range = (values: number[]): string => strings.fromTo(full(minimum(values)), full(maximum(values)));
