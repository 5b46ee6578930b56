// SPDX-License-Identifier: Apache-2.0
// How many parameters each module of a model has, which is what the memory of its weights depends on.
import { html, nothing } from 'lit';
import type { Result } from '../engine/result.ts';
import { moduleCalled } from '../strings/counted.ts';
import { whole } from '../strings/numerals.ts';
import { words } from './words.ts';

/** By outermost module, in the order of the parameters. Parameters that are tied to others are not listed twice. */
export function parameterCounts({ directory: { modules = [], tensors, left = [] } }: Pick<Result, 'directory'>):
  Map<string, number> {
  const parents = new Map(modules.map(({ name, parent }) => [name, parent]));
  const outermost = (name: string): string => {
    const parent = parents.get(name) ?? '';
    return parent === '' ? name : outermost(parent);
  };
  // Those that are listed without their numbers may lie between the others: modules keep the document's order.
  const counts = new Map(modules.filter(({ parent }) => parent === '').map(({ name }) => [name, 0]));
  for (const { group, module = '', shape } of [...tensors, ...left]) {
    if (group !== 'parameters') continue;
    const name = outermost(module);
    counts.set(name, (counts.get(name) ?? 0) + shape.reduce((product, extent) => product * extent, 1));
  }
  return new Map([...counts].filter(([, count]) => count > 0));
}

/** The sum of all, which unfolds to those of the modules. */
export function parametersOf(result: Result): unknown {
  const counts = parameterCounts(result);
  if (counts.size < 2) return nothing;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return html`<details data-part="parameters"><summary>${words().parameters(all)}</summary>
    <p class="note">${words().parametersNote}</p>
    <dl class="counts">${[...counts].map(([name, count]) => html`<div><dt>${moduleCalled(name)}</dt><dd><bdi
      dir="ltr">${whole(count)}</bdi></dd></div>`)}</dl></details>`;
}
