// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part, property } from '../part.ts';
import { join } from '../engine/pointer.ts';
import { recordWords } from '../strings/records.ts';
import { shownWord } from '../strings/displayed-word.ts';
import { writtenOut } from './answer.ts';
import { unknownIn, vocabularyOf } from '../state/vocabulary.ts';
import { words } from './words.ts';

/** Below an answer: that it is wrong or old, or that the model never learned what it was asked. */
export class TruthElement extends Part {
  /** The input that is the answer. */
  @property() name!: string;

  static override styles = css`
    :host { display: block; }
    b { font-weight: 600; color: var(--ink); }
    ul { display: grid; gap: var(--space-2); margin-block: var(--space-2); padding-inline-start: var(--space-6); }
    li { list-style: disc; }
    .link { min-height: var(--press); }
  `;

  override render(): unknown {
    const { documents, writer: { truth, unable } } = this.store;
    if (unable) return html`<p class="note" role="status" data-part="unable"><b>${words().unable}</b> ${
      words().unableMeans}</p>`;
    if (truth?.input !== this.name) return nothing;
    const { right } = truth;
    if (right === null) return html`<div class="note" data-part="outside"><p role="status"><b>${words().outside}</b> ${
      this.known(truth.forms.length)}</p>${this.forms(truth.id, truth.forms)}</div>`;
    const tokens = documents.document.inputs[this.name]?.['tokens'];
    if (this.store.writer.writing || JSON.stringify(tokens) === JSON.stringify(right)) return nothing;
    return html`<p class="note" role="status" data-part="wrong">${words().wrong(writtenOut(right.map(shownWord)))}</p>`;
  }

  // What is certain of a source that the task does not make: words that are new, or else its form.
  private known(forms: number): string {
    const { source, store: { book, documents: { document } } } = this;
    const tokens = source === undefined ? undefined : document.inputs[source]?.['tokens'];
    const vocabulary = source === undefined ? undefined : vocabularyOf(book, document, source);
    if (!Array.isArray(tokens) || !vocabulary) return words().outsideMeans;
    const unknown = unknownIn(tokens.map(String), vocabulary);
    if (unknown.length > 0) return words().outsideWords;
    return forms > 0 ? words().outsideForm(forms) : words().outsideMeans;
  }

  // The input whose words it answers; undefined where there are several.
  private get source(): string | undefined {
    const [first, ...more] = Object.entries(this.store.documents.document.inputs)
      .filter(([name, input]) => name !== this.name && Array.isArray(input['tokens']));
    return more.length === 0 ? first?.[0] : undefined;
  }

  private forms(id: string, forms: readonly { says: string; like: string }[]): unknown {
    if (forms.length === 0) return nothing;
    const said = recordWords(this)?.tasks[id]?.forms;
    const { source } = this;
    const take = (like: string) => this.store.documents.set(join('inputs', source ?? '', 'tokens'), like.split(' '));
    return html`<details><summary>${words().forms}</summary><ul>${forms.map(({ says, like }) => html`<li>${
      said?.[like] ?? says} ${source === undefined ? nothing : html`<button class="link inline" lang="en" dir="ltr"
      data-sample=${like} @click=${() => take(like)}>${like}</button>`}</li>`)}</ul></details>`;
  }
}
customElements.define('ap-truth', TruthElement);
