// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { typed } from '../directory/typed.ts';
import { naming } from '../directory/naming.ts';
import type { Result, Tensor } from '../engine/result.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { viewsFor } from '../views/all.ts';
import { patternStyles } from '../views/pattern-styles.ts';
import type { Subject, View } from '../views/view.ts';
import { moduleOf } from './form.ts';
import type { Study } from './study.ts';
import { words } from './words.ts';

const ROOM = { width: 300, height: 110 };

export interface Pattern {
  view: View;
  subject: Subject;
}

/**
 * What there is to see of a form's pattern: every view of patterns that its tensors have something for, by their roles
 * and kinds.
 */
export function patternsOf(tensors: readonly Tensor[], chosen: Readonly<Record<string, number>>,
  result: Result): Pattern[] {
  const found = tensors.flatMap((tensor) => {
    const types = typed(tensor);
    const subject: Subject = { tensor, typed: types, held: tensor.places.map((axis) => chosen[axis] ?? 0),
      labels: (axis) => result.labels(tensor.places[axis] ?? '') };
    return viewsFor(types, tensor.shape).filter((view) => view.tells?.(subject) === true)
      .map((view) => ({ view, subject }));
  });
  // Where the form says itself what it sorts tokens into, rows that are alike say it again, under other numbers.
  return found.some(({ view }) => view.id === 'classes') ? found.filter(({ view }) => view.id !== 'alike') : found;
}

/** The patterns of the form, each as what it is: buckets, blocks and their reach, spans, shared rows, states. */
export class PatternsElement extends Part {
  @reactive study!: Study;

  static override styles = [patternStyles, css`
    :host { display: block; }
    section { border-top: 1px solid var(--line); margin-top: var(--space-12); padding-top: var(--space-8); }
    .all { display: flex; flex-wrap: wrap; gap: var(--space-10) var(--space-14); margin-top: var(--space-4); }
    figure { min-width: 0; max-width: min(420px, 100%); }
    figcaption { margin-bottom: var(--space-3); }
    svg { max-width: 100%; }
  `];

  override render(): unknown {
    const { result, given, form } = this.study;
    if (!result || !given || !form) return nothing;
    const within = moduleOf(result.directory.modules ?? [], form.path)?.name ?? '';
    const others = result.all('outputs')
      .filter((tensor) => (tensor.within ?? '') === within && tensor.role !== 'weights' && tensor.role !== 'mask'
      && tensor.role !== 'scores');
    const found = patternsOf([...others, ...(given.map ? [given.map] : [])], this.store.selection.chosen, result);
    if (found.length === 0) return nothing;
    return html`<section><h3>${words().patterns}</h3><div
      class="all">${found.map(({ view, subject }) =>
      html`<figure data-pattern=${view.id} data-of=${subject.tensor.name}>
      <figcaption><b>${strings.pictures.names[view.id]}</b> <span
        class="note">${naming(subject.tensor).title}. ${view.says(subject)}</span></figcaption>${
        view.draw(subject, ROOM)}</figure>`)}</div></section>`;
  }
}
customElements.define('ap-patterns', PatternsElement);
