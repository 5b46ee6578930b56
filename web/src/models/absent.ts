// SPDX-License-Identifier: Apache-2.0
// What a link of a reader's own model is about, where its weights are not in this browser, and how to open them.
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { Part } from '../part.ts';
import { absentModel } from '../state/absent-model.ts';
import { moduleCalled } from '../strings/counted.ts';
import { titleCalled } from '../state/document-title.ts';
import { textOf, withSpaces } from '../strings/displayed-word.ts';
import { strings } from '../strings/en.ts';
import { isObject } from '../engine/pointer.ts';
import { changesCalled } from './changes-called.ts';
import { words } from './words.ts';

export class AbsentElement extends Part {
  static override styles = css`
    :host { display: block; padding: var(--space-12); }
    section { display: grid; gap: var(--space-6); max-width: 720px; justify-items: start; padding: var(--space-8);
      border: 1px solid var(--line2); border-radius: var(--radius); }
    h2 { font-size: var(--text-title); line-height: var(--leading-title); }
    dl { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr);
      gap: var(--space-3) var(--space-8); margin: 0; }
    dt { color: var(--ink2); }
    dd { margin: 0; overflow-wrap: anywhere; }
  `;

  override render(): unknown {
    const file = absentModel(this.store);
    if (file === undefined) return nothing;
    const absent = words().absentModel;
    const { document } = this.store.documents;
    const title = typeof document['title'] === 'string' ? document['title'] : file;
    const row = (name: string, said: unknown) => html`<dt>${name}</dt><dd>${said}</dd>`;
    const texts = Object.values(document.inputs).flatMap((input) => {
      const labels = isObject(input) ? input['labels'] : undefined;
      return Array.isArray(labels) ? [textOf(labels.map((label) => withSpaces(String(label))))] : [];
    });
    const { place } = this;
    const changes = changesCalled(document);
    return html`<section data-part="absent" aria-labelledby="absent"><h2 id="absent">${absent.title}</h2>
      <p>${absent.why}</p>
      <dl>${row(absent.model, html`<bdi>${titleCalled(this.store.book, title)}</bdi>`)}${
        row(absent.file, html`<bdi>${file}</bdi>`)}${
        texts.map((text) => row(absent.text, html`<q dir="auto">${text}</q>`))}${
        place === '' ? nothing : row(absent.place, place)}${
        changes.length === 0 ? nothing : row(absent.changes, changes.join(strings.semicolon))}</dl>
      <button class="button first" data-part="open-files" aria-haspopup="dialog"
        @click=${() => this.dispatchEvent(new CustomEvent('files'))}>${absent.open}</button>
      <p class="note">${absent.kept}</p></section>`;
  }

  private get place(): string {
    const seen = this.store.seenWith(this.store.documents.document);
    const module = seen?.module ?? this.store.view.module;
    const head = seen?.chosen?.['head'];
    return [module === undefined || module === '' ? '' : moduleCalled(module),
      head === undefined ? '' : strings.head(head + 1)].filter(Boolean).join(strings.comma);
  }
}
customElements.define('ap-absent', AbsentElement);
