// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import '../controls/menu.ts';
import { answered } from '../controls/notice-answers.ts';
import { Part, reactive } from '../part.ts';
import type { Choice } from '../state/catalogue.ts';
import { itemsOf, type Item, ownerOf, placeOf, putInto } from '../state/proposals.ts';
import { strings } from '../strings/en.ts';

/** One place of the document as a label and its menu, for where the whole panel has no room. */
export class ChoiceElement extends Part {
  @reactive choice!: Choice;

  static override styles = css`
    :host { display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: var(--space-4); align-items: center; }
    span[aria-hidden] { color: var(--ink2); }
    .notice { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-6); margin: 0; }
  `;

  override render(): unknown {
    const { store, choice } = this;
    const { slot, path } = choice;
    const place = placeOf(store.book, slot, path);
    const items = (): Item[] => itemsOf(store.book, store.documents.document, slot, ownerOf(choice));
    const put = (id: string | undefined) => putInto(store.book, slot, path, id);
    return html`<span aria-hidden="true">${choice.slot.title}</span>
      <ap-menu .items=${items} .current=${choice.mechanism?.id} .label=${choice.slot.title}
        .text=${choice.mechanism?.title ?? ''}
        .foresee=${({ id }: Item) => store.foresee(id, put(id), place)}
        data-path=${path} @choose=${(e: CustomEvent<string | null>) => {
          const id = e.detail ?? undefined;
          store.pick(id, store.book.find(slot.kind, id)?.title ?? strings.none, put(id), path, place);
        }}
        @preview=${(e: CustomEvent<Item | null>) =>
          store.trial.show(e.detail ?? undefined, e.detail ? put(e.detail.id) : undefined)}></ap-menu>${
        answered(store, path)}`;
  }
}
customElements.define('ap-choice', ChoiceElement);
