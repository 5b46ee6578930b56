// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing, svg } from 'lit';
import { full, inCell, onLegend } from '../colour/numbers.ts';
import type { Cut, Term } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';

export interface Pointing {
  /** What to do when the bar of a key is pointed at, or left. */
  point: (cell: number | undefined) => void;
  /** The key that is pointed at elsewhere. */
  lit: number | undefined;
}

const MOST = 12;
const WIDTH = 296;
const HEIGHT = 132;

/** The row's scores, sorted, and the threshold: what stands above it becomes the weight. */
export function cutBars({ level, power, bars, shift = 0 }: Cut, weights: number[], { point, lit }: Pointing): unknown {
  const sorted = bars.toSorted((a, b) => b.value - a.value);
  const shown = sorted.slice(0, MOST);
  const values = [...shown.map((bar) => bar.value), level, 0];
  const [low, high] = [minimum(values), maximum(values)];
  const span = high - low || 1;
  const y = (value: number): number => 16 + ((high - value) / span) * (HEIGHT - 32);
  const step = (WIDTH - 40) / shown.length;
  const w = Math.min(30, step - 6);
  const bar = ({ value, chosen, cell, label }: Term, k: number) => {
    const x = k * step + (step - w) / 2;
    const kept = value > level;
    const ends = [y(0), y(value)].sort((a, b) => a - b) as [number, number];
    const at = cell ?? k;
    return svg`<g class="bar ${chosen ? 'chosen' : ''} ${lit === at ? 'lit' : ''}" @pointerenter=${() => point(at)}
      @pointerleave=${() => point(undefined)}>
      <title>${label}: ${full(value)}</title>
      <rect class="whole" x=${x} y=${ends[0]} width=${w} height=${Math.max(1, ends[1] - ends[0])} />
      ${kept ? svg`<rect class="above" x=${x} y=${y(value)} width=${w} height=${Math.max(1, y(level) - y(value))} />`
        : nothing}
      ${chosen || lit === at ? svg`<rect class="frame" x=${x - 3} y=${Math.min(ends[0], y(value)) - 3} width=${w + 6}
        height=${Math.max(y(level), ends[1]) - Math.min(ends[0], y(value)) + 6} />` : nothing}
      ${shown.length <= 8 ? svg`<text x=${x + w / 2}
        y=${value >= 0 ? y(value) - 5 : Math.max(y(value), kept ? y(level) : 0) + 12}>${onLegend(value)}</text>`
        : nothing}</g>`;
  };
  return html`<figure class="cut" aria-label=${strings.cut(full(level))}>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" direction="ltr" aria-label=${strings.cut(full(level))}>
      <path class="zero" d="M0 ${y(0)}H${WIDTH - 34}" />
      ${shown.map(bar)}
      <path class="level" d="M0 ${y(level)}H${WIDTH - 34}" />
      <text class="tau" x=${WIDTH - 30} y=${y(level) + 4}>τ ${onLegend(level)}</text>
      ${Math.abs(y(0) - y(level)) > 12 ? svg`<text class="tau" x=${WIDTH - 30} y=${y(0) + 4}>0</text>` : nothing}
    </svg>
    <ol class="under-bars">${shown.map((term, k) =>
      html`<li class=${term.chosen ? 'chosen' : ''} @pointerenter=${() => point(term.cell ?? k)}
      @pointerleave=${() => point(undefined)}>
      <span>${term.label}</span><b dir="ltr">${inCell(weights[term.cell ?? k] ?? 0, true)}</b></li>`)}</ol>
    <p class="note">${Math.abs(power - 1) < 1e-6 ? strings.cutNote : strings.cutPower(onLegend(power))}${
      shift === 0 ? '' : ` ${strings.cutShift(full(level), full(level - shift), full(shift))}`}${
      sorted.length > MOST ? ` ${strings.moreKeys(sorted.length - MOST)}` : ''}</p>
  </figure>`;
}

/** Which keys a row of 0 and 1 lets through. */
export function gate(names: string[], open: boolean[], chosen: number | undefined, { point, lit }: Pointing): unknown {
  return html`<ol class="gate">${
    names.slice(0, 64).map((name, j) =>
    html`<li class="${open[j] ? 'open' : 'shut'} ${j === chosen ? 'chosen' : ''} ${j === lit ? 'lit' : ''}"
    @pointerenter=${() => point(j)}
    @pointerleave=${() => point(undefined)}>${name}<span
      class="unseen"> ${open[j] ? strings.letThrough : strings.masked}</span></li>`)}</ol>`;
}

/** What was drawn, over what it was drawn from. */
export function draws(names: string[], drawn: number[], chances: number[] | undefined, chosen: number | undefined,
  { point, lit }: Pointing): unknown {
  const counts = names.map((_, j) => drawn.filter((pick) => pick === j).length);
  const most = maximum([...(chances ?? []), ...counts.map((c) => c / drawn.length)], 1e-9);
  const shown = names.map((_, j) => j).filter((j) => (chances?.[j] ?? 0) > 0 || counts[j]! > 0 || j === chosen)
    .slice(0, 24);
  return html`<table class="draws"><thead><tr><th scope="col" class="unseen">${strings.key}</th>
      ${chances ? html`<th scope="col">${strings.chance}</th>` : nothing}<th
        scope="col">${drawn.length > 1 ? strings.drawnOf(drawn.length) : strings.drawn}</th></tr></thead>
    <tbody>${shown.map((j) => html`<tr class="${j === chosen ? 'chosen' : ''} ${j === lit ? 'lit' : ''}"
      @pointerenter=${() => point(j)} @pointerleave=${() => point(undefined)}>
      <th scope="row">${names[j]}</th>
      ${chances ? html`<td><i class="p" ${
        place({ width: `${(((chances[j] ?? 0) / most) * 72).toFixed(1)}px` })}></i> <bdi>${
        inCell(chances[j] ?? 0, true)}</bdi></td>` : nothing}
      <td>${counts[j] ? html`<b>${drawn.length > 1 ? `${counts[j]} × ` : ''}●</b>` : '·'}</td></tr>`)}</tbody></table>`;
}
