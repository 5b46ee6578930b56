// SPDX-License-Identifier: Apache-2.0
// How many parameters each module of a model has, which is what the memory of its weights depends on.
import { html, nothing } from 'lit';
import { isEncoder } from '../engine/encoder.ts';
import type { Result } from '../engine/result.ts';
import type { JsonObject } from '../engine/types.ts';
import { comesWithPage } from '../engine/weight-files.ts';
import { moduleCalled } from '../strings/counted.ts';
import { whole } from '../strings/numerals.ts';
import { words } from './words.ts';

/**
 * By outermost module. Parameters that are tied to others are not listed twice. `stored`: those of the file of weights,
 * of which the engine lists only the small ones.
 */
export function parameterCounts({ directory: { modules = [], tensors, left = [] } }: Pick<Result, 'directory'>,
  stored: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const parents = new Map(modules.map(({ name, parent }) => [name, parent]));
  const outermost = (name: string): string => {
    const parent = parents.get(name) ?? '';
    return parent === '' ? name : outermost(parent);
  };
  // In the order of the document.
  const counts = new Map(modules.filter(({ parent }) => parent === '').map(({ name }) => [name, 0]));
  const add = (name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count);
  const listed = [...tensors, ...left].filter(({ group }) => group === 'parameters');
  for (const { module = '', shape } of listed) add(outermost(module), shape.reduce((all, extent) => all * extent, 1));
  const names = new Set(listed.map(({ name }) => name));
  // A name of a parameter begins with that of its outermost module, which has no dot.
  for (const [name, count] of stored) if (!names.has(name)) add(name.split('.', 1)[0]!, count);
  return new Map([...counts].filter(([, count]) => count > 0));
}

/** The sum of all, which unfolds to those of the modules; nothing while the file of weights is not known. */
export function parametersOf(result: Result, stored: ReadonlyMap<string, number> | undefined): unknown {
  const { document } = result.directory;
  const { from } = (document['parameters'] ?? {}) as JsonObject;
  // The engine lists all parameters of the small files that come with the page.
  const isSmall = typeof from !== 'string' || (comesWithPage(from) && !isEncoder(document));
  if (!stored && !isSmall) return nothing;
  const counts = parameterCounts(result, stored);
  if (counts.size < 2) return nothing;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return html`<details data-part="parameters"><summary>${words().parameters(all)}</summary>
    <p class="note">${words().parametersNote}</p>
    <dl class="counts">${[...counts].map(([name, count]) => html`<div><dt>${moduleCalled(name)}</dt><dd><bdi
      dir="ltr">${whole(count)}</bdi></dd></div>`)}</dl></details>`;
}
