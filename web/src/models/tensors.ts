// SPDX-License-Identifier: Apache-2.0
// The tensors of a model: what is found, tied and left over, by name and shape.
import { html, nothing } from 'lit';
import { whole } from '../strings/numerals.ts';
import { grouped, type Group, together } from './reading.ts';
import type { Opened, TensorLine } from './types.ts';
import { words } from './words.ts';

const shapeOf = (shape: number[] | undefined): string =>
  (shape === undefined ? '…' : shape.length === 0 ? '1' : shape.join(' × '));

const alone = ({ name, shape, type, state, as }: TensorLine): Group => ({ name, count: 1, shape, type, state, as });

function row({ name, count, shape, type, state, as }: Group): unknown {
  // What is used as what; of the rest why it is not.
  const says = state === 'left' ? html`– ${words().leftOver}`
    : state === 'ignored' ? html`– ${words().ignored}` : html`✓ <code dir="ltr">${together(as).join(', ')}</code>`;
  return html`<tr class=${state} data-state=${state}><th scope="row"><code dir="ltr">${name}</code>${
    count > 1 ? html` <span class="quiet">×\u00a0${whole(count)}</span>` : nothing}</th>
    <td dir="ltr">${shapeOf(shape)} <span class="quiet">${type}</span></td><td>${says}</td></tr>`;
}

const target = (to: unknown): string =>
  (typeof to === 'string' ? to : String(Object.values(to as Record<string, unknown>)[0] ?? ''));

/** One row for each kind of tensor, or, `every`, for each tensor. */
export function tensorTable(opened: Opened, every: boolean, showEvery: () => void): unknown {
  const groups = grouped(opened.tensors);
  const rows = every ? opened.tensors.map(alone) : groups;
  const tied = Object.entries(opened.tied);
  const count = (state: TensorLine['state']) => opened.tensors.filter((one) => one.state === state).length;
  return html`<section class="tensors"><h3>${words().tensors}</h3>
    <p data-part="counts"><b>${words().counts(count('used'), tied.length, count('left'))}</b></p>
    <div class="over" tabindex="0" role="group" aria-label=${words().tensors}><table>
    <thead><tr><th scope="col">${words().inFile}</th><th scope="col">${words().shape}</th>
      <th scope="col">${words().usedAs}</th></tr></thead>
    <tbody>${rows.map(row)}${tied.map(([name, to]) => html`<tr data-state="tied"><th scope="row"
      class="quiet">${words().absent}</th><td></td><td>⇄ <code dir="ltr">${name}</code>, ${
      words().tiedTo(target(to))}</td></tr>`)}</tbody></table></div>
    ${every || groups.length === opened.tensors.length ? nothing : html`<button class="link note" data-part="every"
      @click=${showEvery}>${words().showAll(opened.tensors.length)}</button>`}</section>`;
}
