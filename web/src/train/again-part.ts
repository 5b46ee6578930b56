// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part } from '../part.ts';
import { membersOf } from '../state/model.ts';
import { base, fields } from '../styles/tokens.ts';
import { Abilities } from './able.ts';
import { axesOf, scoreOf } from './axes.ts';
import choices from './choices.json';
import type { Desk } from './desk.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

/** The scores that are compared first: those of Bahdanau, of Luong and of the Transformer. */
const FIRST: readonly string[] = choices.scores;

/** What was trained, once more with another score: the same start, the same examples, as many steps. */
export class TrainAgainElement extends Part {
  static override properties = { ...Part.properties, desk: { attribute: false } };
  declare desk: Desk;

  private known: Abilities | undefined;

  private get abilities(): Abilities {
    return (this.known ??= new Abilities(this.store.client, () => this.requestUpdate()));
  }

  static override styles = [base, fields, controlStyles, css`
    .row-of { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-4); padding-top: var(--space-4); }
  `];

  override render(): unknown {
    const { desk } = this;
    const { training } = desk;
    const still = training.phase === 'ready' || training.phase === 'finished';
    if (!still || training.untaken || desk.edited || training.document === '') return nothing;
    const { trained } = training;
    const map = training.history.pictures.at(-1)?.maps[desk.chosen.map]?.name ?? '';
    const axis = scoreOf(axesOf(this.store.book, trained), membersOf(trained), map);
    const wanted = (axis?.options ?? []).filter(({ id }) => FIRST.includes(id) && id !== axis!.now)
      .toSorted((a, b) => FIRST.indexOf(a.id) - FIRST.indexOf(b.id));
    if (!axis || !training.begun) return nothing;
    void this.abilities.ask(this.store.book, training.begun.document ?? trained, axis, wanted);
    // Only what can be trained is offered, and what is another score than the one that was.
    const others = wanted.flatMap((option) => this.abilities.able(axis, option)?.option ?? [])
      .filter(({ apply }) => {
        const copy = structuredClone(trained);
        apply(copy);
        return JSON.stringify(copy) !== JSON.stringify(trained);
      });
    if (others.length === 0) return nothing;
    return html`<p class="row-of" data-part="once-more"><b>${words().onceMore}</b>${others.map((option) => html`<button
      class="button" data-score=${option.id}
      @click=${() => desk.onceMore(option)}>${option.label}</button>`)}</p>`;
  }
}
customElements.define('ap-train-again', TrainAgainElement);
