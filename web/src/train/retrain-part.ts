// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { Part, reactive } from '../part.ts';
import { membersOf } from '../state/model.ts';
import { Abilities } from './trainable-options.ts';
import { axesOf, type Axis, type Option, scoreOf } from './axes.ts';
import choices from './choices.json';
import type { Desk } from './train-state.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

/** The scores that are compared first: those of Bahdanau, of Luong and of the Transformer. */
const FIRST: readonly string[] = choices.scores;

/** What was trained, once more with another score: the same start, the same examples, as many steps. */
export class TrainAgainElement extends Part {
  @reactive desk!: Desk;

  private known: Abilities | undefined;

  private get abilities(): Abilities {
    return (this.known ??= new Abilities(this.store.client, () => this.requestUpdate()));
  }

  static override styles = [controlStyles, css`
    .row-of { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-4); padding-top: var(--space-4); }
    .away { visibility: hidden; }
    /* On a phone the curves are behind another tab, and its three lines would be an empty third. */
    :host([narrow]) .away { display: none; }
  `];

  override render(): unknown {
    const { desk } = this;
    const { training } = desk;
    const still = training.phase === 'ready' || training.phase === 'finished';
    if (training.document === '' || !training.begun) return nothing;
    const { trained } = training;
    const map = training.history.pictures.at(-1)?.maps[desk.chosen.map]?.name ?? '';
    const axis = scoreOf(axesOf(this.store.book, trained), membersOf(trained), map);
    const wanted = (axis?.options ?? []).filter(({ id }) => FIRST.includes(id) && id !== axis!.now)
      .toSorted((a, b) => FIRST.indexOf(a.id) - FIRST.indexOf(b.id));
    if (!axis || wanted.length === 0) return nothing;
    if (still) void this.abilities.ask(this.store.book, training.begun.document ?? trained, axis, wanted);
    const known = wanted.every((option) => this.abilities.able(axis, option));
    const options = known ? this.able(axis, wanted) : wanted;
    if (options.length === 0) return nothing;
    // The curves below stay where they are: the row has its room from the beginning on, and while steps are taken.
    const offered = known && still && !training.untaken && !desk.edited;
    return html`<p class="row-of ${offered ? '' : 'away'}" data-part=${offered ? 'once-more' : nothing}><b>${
      words().onceMore}</b>${options.map((option) => html`<button class="button"
        data-score=${offered ? option.id : nothing}
        @click=${() => desk.onceMore(option)}>${option.label}</button>`)}</p>`;
  }

  // Only what can be trained is offered, and what is another score than the one that was.
  private able(axis: Axis, options: readonly Option[]): Option[] {
    const { trained } = this.desk.training;
    return options.flatMap((option) => this.abilities.able(axis, option)?.option ?? []).filter(({ apply }) => {
      const copy = structuredClone(trained);
      apply(copy);
      return JSON.stringify(copy) !== JSON.stringify(trained);
    });
  }
}
customElements.define('ap-train-again', TrainAgainElement);
