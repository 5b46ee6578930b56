// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Later } from '../lazy-fetch.ts';
import { inWords } from '../state/notice.ts';
import { parse } from '../state/parse.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { withQuotes } from '../strings/quote.ts';

/** Opens the engine's own example of a mechanism. */
async function open(store: Store, id: string): Promise<void> {
  const reply = await store.client.send({ kind: 'example', of: id });
  const found = reply && parse(reply.text);
  if (!found || !('document' in found)) return;
  store.documents.replace(found.document);
  store.view.show({ opened: {} });
}

const systems = new Later(() => import('../gallery/with-part.ts'), false);

// Where a part does not fit here, a system in which it does.
function where(store: Store, id: string): unknown {
  const { module } = systems;
  if (!module) {
    void systems.wanted().then((came) => came && store.view.reword());
    return nothing;
  }
  const system = module.systemWith(store.book, id);
  return system ? html`<button class="link" data-part="own-system" @click=${() =>
    void module.openSystem(store, system)}>${strings.openSystem(system.title)}</button>` : nothing;
}

/** The ways that a notice offers: to train what is new, to open an example, to undo, to dismiss it. */
export function ways(store: Store): unknown {
  const { view } = store;
  const train = view.notice.find((one) => one.train)?.train;
  const example = view.notice.find((one) => one.example !== undefined)?.example;
  return html`${train ? html`<button class="link" data-part="train-it"
      @click=${() => view.show({ notice: [], place: 'train' })}>${strings[train]}</button>` : nothing}
    ${example ? where(store, example) : nothing}
    ${example ? html`<button class="link" data-part="own-example"
      @click=${() => void open(store, example)}>${strings.openExample}</button>` : nothing}
    ${store.insteadShown ? html`<button class="link" data-part="undo"
      @click=${() => store.documents.undo()}>${strings.undo}</button>` : nothing}
    <button class="link" @click=${() => view.show({ notice: [] })}>${strings.dismiss}</button>`;
}

/** What came of a choice, at the control where it was made. */
export function answered(store: Store, path: string): unknown {
  const said = store.view.notice.filter(({ at }) => at === path);
  return said.length === 0 ? nothing
    : html`<p class="notice" role="status" data-at=${path}><span>${
      withQuotes(said.map((one) => inWords(one, store)).join(' '))}</span>
      ${ways(store)}</p>`;
}
