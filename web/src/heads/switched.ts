// SPDX-License-Identifier: Apache-2.0
// One head of an attention module, switched off by an intervention of the document that sets its output to 0.
import { html, nothing } from 'lit';
import { headAt, headsIn } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Doc, Json } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import type { Store } from '../state/store.ts';
import { words } from './words.ts';

const listOf = (document: Doc): Json[] => {
  const { interventions } = document as Record<string, unknown>;
  return Array.isArray(interventions) ? interventions as Json[] : [];
};

const switches = (one: Json, of: string, head: number): boolean => isObject(one) && one['type'] === 'set'
  && one['of'] === of && one['head'] === head && one['value'] === 0 && one['rows'] === undefined;

/** The output of each head of the module that has these weights, by its name; undefined where none is recorded. */
export function outputOf(result: Result, weights: Tensor): string | undefined {
  const heads = headsIn(weights) / (weights.maps ?? 1);
  return result.all('outputs').find((one) => one.role === 'context' && one.within === weights.within
    && one.places.includes(HEAD) && headsIn(one) === heads)?.name;
}

/** Whether the document switches off the head that this map belongs to. */
export function isOff({ documents, sessions }: Store, weights: Tensor, index: number): boolean {
  const of = sessions.result && outputOf(sessions.result, weights);
  const head = headAt(weights, index).head - 1;
  return of !== undefined && listOf(documents.document).some((one) => switches(one, of, head));
}

/** Switches a head off, or on again; everything else that the document changes stays. */
export function switchHead(draft: Doc, of: string, head: number): void {
  const list = listOf(draft);
  const rest = list.filter((one) => !switches(one, of, head));
  const next = rest.length < list.length ? rest : [...list, { type: 'set', of, head, value: 0 }];
  if (next.length > 0) draft['interventions'] = next;
  else delete draft['interventions'];
}

/** The button that switches the head of this map off and on; nothing where its output is not recorded. */
export function headSwitch(store: Store, weights: Tensor, index: number): unknown {
  const { result } = store.sessions;
  const of = result && outputOf(result, weights);
  if (of === undefined) return nothing;
  const off = isOff(store, weights, index);
  return html`<button class="link" data-part="switch-head"
    @click=${() => store.documents.change((draft) => switchHead(draft, of, headAt(weights, index).head - 1))}>${
    off ? words().switchOn : words().switchOff}</button>${
    off ? html` <span class="note">${words().off}</span>` : nothing}`;
}
