// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { type Result, valueAt } from '../engine/result.ts';
import type { Target } from '../engine/types.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';

const numberIn = (result: Result, target: Target): number | undefined => {
  const tensor = result.find(target.tensor, target.group);
  const fits = tensor?.shape.length === target.index.length
    && tensor.shape.every((size, k) => (target.index[k] ?? size) < size);
  return fits ? valueAt(tensor, target.index) : undefined;
};

/** The same cell in A and in B, while the two are compared. */
export function both(store: Store, target: Target): unknown {
  const results = store.comparison.results();
  if (!results) return nothing;
  const [a, b] = [numberIn(results.a, target), numberIn(results.b, target)];
  if (a === undefined || b === undefined) return nothing;
  const gap = b - a;
  return html`<section data-part="both"><h3>${strings.bothTitle}</h3><dl class="both">
    <div><dt>A</dt><dd><bdi>${full(a)}</bdi></dd></div><div><dt>B</dt><dd><bdi>${full(b)}</bdi></dd></div>
    <div><dt>${strings.difference}</dt><dd><bdi>${gap > 0 ? '+' : ''}${full(gap)}</bdi></dd></div></dl></section>`;
}
