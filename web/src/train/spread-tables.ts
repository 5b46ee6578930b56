// SPDX-License-Identifier: Apache-2.0
// What the same models reached from several seeds, as two tables: each model over its seeds, and pairs of models.
import { html, nothing } from 'lit';
import { fixed } from '../strings/numerals.ts';
import type { Cell } from './several.ts';
import { differences, type Measure, seedsAlong, spreads } from './spread.ts';
import { words } from './words.ts';

const points = (share: number): string => fixed(100 * share, 1);
const called = (measure: Measure): string => (measure === 'accuracy' ? words().wordsRight : words().looksRight);

function table(part: string, caption: string, heads: readonly string[], rows: readonly (readonly string[])[]): unknown {
  return html`<div class="wide"><table class="spread" data-part=${part}><caption>${caption}</caption><thead><tr>${
    heads.map((head, k) => html`<th scope="col" class=${k > 1 ? 'number' : ''}>${head}</th>`)}</tr></thead><tbody>${
    rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell, k) =>
      html`<td class=${k > 0 ? 'number' : ''}>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** The tables, where the seed is what varies in one direction. */
export function spreadTables(cells: readonly Cell[]): unknown {
  const seeds = seedsAlong(cells);
  if (seeds === undefined) return nothing;
  const say = words().seedTables;
  const all = spreads(cells, seeds);
  const apart = differences(cells, seeds);
  return html`${all.length === 0 ? nothing : table('spread', say.spread,
    [say.model, say.measured, say.mean, say.deviation, say.seeds, say.step], all.map((one) =>
      [one.label, called(one.measure), points(one.mean), points(one.deviation), String(one.n), String(one.step)]))}${
    apart.length === 0 ? nothing : html`${table('difference', say.difference,
      [say.models, say.measured, say.mean, say.interval, say.deviation, say.higher, say.lower, say.seeds],
      apart.map(({ labels: [one, two], measure, mean, within, deviation, more, fewer, n }) =>
        [say.minus(one, two), called(measure), points(mean), say.fromTo(points(mean - within), points(mean + within)),
          points(deviation), String(more), String(fewer), String(n)]))}<p class="quiet">${words().pairedNote}</p>`}`;
}
