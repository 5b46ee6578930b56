// SPDX-License-Identifier: Apache-2.0
// The module that is drawn large, in its place in the diagram: below its box, joined to it, with what it takes and
// gives, and beside it the wires that pass by.
import { html, nothing, svg } from 'lit';
import type { TensorRole } from '../engine/types.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { GUTTER, type Way } from './fold.ts';
import type { Graph, Node } from './graph.ts';
import type { Place } from './layout.ts';
import { grouped } from './parts.ts';
import type { Told } from './told.ts';
import { words } from './words.ts';

/** How much narrower the large picture is than the diagram. */
export const frame = GUTTER + 26;

export interface Joined {
  graph: Graph;
  told: Told;
  node: Node;
  ways: readonly Way[];
  scale: number;
  width: number;
  roles: (way: Way) => readonly TensorRole[];
  go: (node: Node) => void;
}

/** From a box down to its large picture, behind whatever stands below it. */
export const stem = ({ x, y, w, h }: Place, height: number): unknown =>
  html`<div class="stem" ${place({ left: x, top: y + h / 2, width: w, height: height - y - h / 2 })}></div>`;

export function joined({ graph: { nodes, edges }, told, node, ways, scale, roles, go }: Joined): unknown {
  const module = node.module!;
  const own = new Set(nodes.filter((one) => one.module?.name === module.name).map(({ id }) => id));
  const by = new Map(nodes.map((one) => [one.id, one]));
  const link = (one: Node) => html`<button class="link" @click=${() => go(one)}>${told.called(one)}</button>`;
  const sources = grouped(edges.filter(({ from, to }) => own.has(to) && !own.has(from)), ({ from }) => from);
  const takes = [...sources].map(([from, all]) => ({ from, roles: [...new Set(all.flatMap((edge) => edge.roles))] }));
  const gives = new Set(edges.filter(({ from, to }) => own.has(from) && !own.has(to)).map(({ to }) => to));
  const left = ways.length > 0 ? GUTTER : 0;
  return html`<div class="beside" ${place({ 'padding-left': left * scale })}>
    ${ways.length > 0 ? html`<svg class="passing" aria-hidden="true">${ways.map((way) => svg`<line
      class=${roles(way)[0] ?? ''} x1=${way.x * scale} x2=${way.x * scale} y1="0" y2="100%" />`)}</svg>` : nothing}
    <div class="large" role="group" aria-label=${told.called(node)}><header><h2>${
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
