// SPDX-License-Identifier: Apache-2.0
// The module that is drawn large, below the diagram, with what it takes and gives; joined to its box where that stands
// in the last band.
import { html, nothing } from 'lit';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import type { Graph, Node } from './graph.ts';
import type { Place } from './layout.ts';
import { grouped } from '../lists.ts';
import type { Told } from './labels.ts';
import { words } from './words.ts';

/** How much narrower the large picture is than the diagram. */
export const frame = 26;

export interface Joined {
  graph: Graph;
  told: Told;
  node: Node;
  go: (node: Node) => void;
}

/** From a box down to its large picture, behind whatever stands below it. */
export const stem = ({ x, y, w, h }: Place, height: number): unknown =>
  html`<div class="stem" ${place({ left: x, top: y + h / 2, width: w, height: height - y - h / 2 })}></div>`;

export function joined({ graph, told, node, go }: Joined): unknown {
  const { nodes, edges } = graph;
  const module = node.module!;
  const own = new Set(nodes.filter((one) => one.module?.name === module.name).map(({ id }) => id));
  const by = new Map(nodes.map((one) => [one.id, one]));
  const link = (one: Node) => html`<button class="link" @click=${() => go(one)}>${told.whole(one, graph)}</button>`;
  const sources = grouped(edges.filter(({ from, to }) => own.has(to) && !own.has(from)), ({ from }) => from);
  const takes = [...sources].map(([from, all]) => ({ from, roles: [...new Set(all.flatMap((edge) => edge.roles))] }));
  const gives = new Set(edges.filter(({ from, to }) => own.has(from) && !own.has(to)).map(({ to }) => to));
  return html`<div class="beside"><div class="large" role="group" aria-label=${told.whole(node, graph)}><header><h2>${
      told.short(module) || told.titled(module)}</h2>
      ${module.name === '' ? nothing : html`<span class="note">${told.titled(module)}</span>`}
      ${takes.length > 0 ? html`<span class="note ends">${words().takes} ${takes.map(({ from, roles: brings }, k) =>
        html`${k > 0 ? strings.comma : nothing}${brings.map((role, nth) => html`${nth > 0 ? strings.comma : nothing}<b
        class=${role}>${strings.tensors[role] ?? role}</b>`)}${brings.length > 0 ? ` ${words().from} ` : nothing}${
        link(by.get(from)!)}`)}</span>` : nothing}
      ${gives.size > 0 ? html`<span class="note ends">${words().gives} ${[...gives].map((to, k) => html`${
        k > 0 ? strings.comma : nothing}${link(by.get(to)!)}`)}</span>` : nothing}</header>
      <slot></slot></div></div>`;
}
