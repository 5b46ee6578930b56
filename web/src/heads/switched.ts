// SPDX-License-Identifier: Apache-2.0
// One head of an attention module, switched off by an intervention of the document that sets its output to 0.
import { html, nothing } from 'lit';
import { headAt, headsIn } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Doc, Json } from '../engine/types.ts';
import { isObject } from '../engine/pointer.ts';
import { nextWords } from '../state/next-words.ts';
import { layersOf } from '../state/layers.ts';
import { membersOf } from '../state/model.ts';
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

/** Switches heads off, or on again if all of them are off; everything else that the document changes stays. */
export function switchHead(draft: Doc, of: readonly string[], head: number): void {
  const list = listOf(draft);
  const isOne = (one: Json) => of.some((name) => switches(one, name, head));
  const rest = list.filter((one) => !isOne(one));
  const missing = of.filter((name) => !list.some((one) => switches(one, name, head)));
  const next = missing.length === 0 ? rest
    : [...list, ...missing.map((name): Json => ({ type: 'set', of: name, head, value: 0 }))];
  if (next.length > 0) draft['interventions'] = next;
  else delete draft['interventions'];
}

/** The outputs of the heads of all layers in which this output is, for a head that each of them has. */
export function inAllLayers(document: Doc, result: Result, of: string, head: number): string[] {
  const outputs = new Map(result.all('outputs').map((one) => [one.name, one]));
  const layers = layersOf(membersOf(document)).find(({ members }) => members.some(({ name }) =>
    of.startsWith(`${name}.`)))?.members;
  const own = layers?.find(({ name }) => of.startsWith(`${name}.`));
  if (!layers || !own) return [of];
  return layers.map(({ name }) => name + of.slice(own.name.length)).filter((name) => {
    const output = outputs.get(name);
    return output !== undefined && headsIn(output) > head;
  });
}

/** The buttons that switch the head of this map off and on, here and in all layers; nothing where none is recorded. */
export function headSwitch(store: Store, weights: Tensor, index: number): unknown {
  const { result } = store.sessions;
  const of = result && outputOf(result, weights);
  if (of === undefined) return nothing;
  const off = isOff(store, weights, index);
  const head = headAt(weights, index).head - 1;
  const { document } = store.documents;
  const all = inAllLayers(document, result!, of, head);
  const allOff = all.every((name) => listOf(document).some((one) => switches(one, name, head)));
  const button = (part: string, names: readonly string[], says: string) => html`<button class="link" data-part=${part}
    @click=${() => store.documents.change((draft) => switchHead(draft, names, head))}>${says}</button>`;
  return html`${button('switch-head', [of], off ? words().switchOn : words().switchOff)}${all.length < 2 ? nothing
    : html` ${button('switch-layers', all, allOff ? words().switchAllOn(all.length)
      : words().switchAllOff(head + 1, all.length))}`}${
    off ? html` <span class="note">${words().off}</span>${toNext(store)}` : nothing}`;
}

// What a head that is off changes may be out of sight.
const toNext = (store: Store): unknown => (nextWords.has(store) ? html` <button class="link" data-part="to-next"
  @click=${() => nextWords.get(store)?.shadowRoot?.querySelector('.next')?.scrollIntoView({ block: 'center' })}>${
  words().toNext}</button>` : nothing);
