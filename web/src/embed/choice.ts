// SPDX-License-Identifier: Apache-2.0
import { css, html } from 'lit';
import '../controls/menu.ts';
import type { Item } from '../controls/menu.ts';
import { Part } from '../part.ts';
import type { Choice } from '../state/catalogue.ts';
import { set } from '../state/pointer.ts';
import { base, fields } from '../styles/tokens.ts';

/** One place of the document as a label and its menu, for where the whole panel has no room. */
export class ChoiceElement extends Part {
  static override properties = { ...Part.properties, choice: { attribute: false } };
  declare choice: Choice;

  static override styles = [
    base,
    fields,
    css`
      :host { display: grid; grid-template-columns: 92px minmax(0, 1fr); gap: var(--space-4); align-items: center; }
      span { color: var(--ink2); }
    `,
  ];

  override render(): unknown {
    const { store, choice } = this;
    const owner = choice.path.slice(0, choice.path.lastIndexOf('/'));
    const items = (): Item[] => store.book.of(choice.slot.kind).map((mechanism) => ({
      id: mechanism.id, mechanism, refusal:
        store.book.refusal(store.documents.document, choice.slot, mechanism.id, owner),
    }));
    const put = (id: string) => (draft: typeof store.documents.document) => set(draft, choice.path, { type: id });
    return html`<span aria-hidden="true">${choice.slot.title}</span>
      <ap-menu .items=${items} .current=${choice.mechanism?.id} .label=${choice.slot.title}
        .text=${choice.mechanism?.title ?? ''}
        data-path=${choice.path} @choose=${(e: CustomEvent<string>) =>
          store.pick(e.detail, store.book.find(choice.slot.kind, e.detail)?.title ?? e.detail, put(e.detail))}
        @preview=${(e: CustomEvent<Item | null>) =>
          store.documents.preview(e.detail?.id ? put(e.detail.id) : undefined)}></ap-menu>`;
  }
}
customElements.define('ap-choice', ChoiceElement);
