// SPDX-License-Identifier: Apache-2.0
// What a reader should know of the numbers before believing them: how well a trained model does, and what it is not.
import { html, nothing } from 'lit';
import type { JsonObject } from '../engine/types.ts';
import type { Standing } from '../learned/origin-sentences.ts';
import { membersOf } from '../state/model.ts';
import { isObject, join } from '../engine/pointer.ts';
import type { Store } from '../state/store.ts';
import { isTrained } from '../state/writer.ts';
import { strings } from '../strings/en.ts';
import { fixed, percent } from '../strings/numerals.ts';
import { type Figures, figuresOf } from './figures.ts';

type Drawn = typeof import('../state/random-parameters.ts');

// Words that the first model knows, in an order that it never learned.
const BEYOND = 'she does not love the red car';
// A vocabulary begins with a start, an end and a word for all others.
const SPECIAL = 3;

/** `standing`: what is known of the weights of a system that ships trained, or of a reader's own. */
export function about(store: Store, standing: Standing | undefined, drawn: Drawn | undefined): unknown {
  if (!isTrained(store.documents.document)) return section(untrained(store, drawn).join(' '));
  const known = figuresOf(store);
  // Weights that ship and were not measured, as those of the real model, are nobody's training here.
  const said = standing?.said
    ?? (isBrought(store) ? isEdited(store) ? strings.about.changed : strings.about.own : undefined);
  if (!known) return html`${said === undefined ? nothing : html`<section class="mech" data-part="figures"><p
    class="hint">${said}${standing?.measured ? nothing : html` ${measure(store)}`}</p></section>`}
    ${section(html`${strings.about.why} ${explanation(store)}`)}`;
  return html`<section class="mech" data-part="figures">${known.holds ? figures(known.figures)
      : html`<p class="hint">${strings.about.changed} ${measure(store)}</p>`}</section>
    ${section(html`${strings.about.translator(wordsRead(store))} ${strings.about.beyond} <button
      class="link inline" lang="en"
      dir="ltr" data-part="beyond" @click=${() => ask(store)}>${BEYOND}</button>.
      ${strings.about.why} ${explanation(store)}`)}`;
}

const section = (text: unknown): unknown => html`<section class="mech" data-part="not"><h3>${strings.about.title}</h3>
  <p class="hint">${text}</p></section>`;

// What is not all right does not round up to all.
const shown = (share: number): number => (share < 1 ? Math.min(100 * share, 99.9) : 100);

const figures = ({ heldOut, accuracy, alignment, agrees }: Figures): unknown => {
  const { right, means, agrees: agreed, measured } = strings.about;
  const rows = [[right, accuracy], [means, alignment], [agreed, agrees]] as const;
  return html`<h3>${measured(heldOut)}</h3><dl class="both">${rows.map(([name, share]) => html`<div>
    <dt>${name}</dt><dd><bdi dir="ltr">${percent(fixed(shown(share), 1))}</bdi></dd></div>`)}</dl>`;
};

// A model that names no task has nothing to be measured by.
const measure = (store: Store): unknown => (!isObject(store.documents.document['training']) ? nothing
  : html`<button class="link inline" data-part="measure"
  @click=${() => store.view.show({ place: 'train' })}>${strings.about.measure}</button>`);

const explanation = (store: Store): unknown => html`<button class="link inline" data-part="explanation"
  @click=${() => store.view.teach('not-explanation')}>${strings.about.explanation}</button>`;

// By the names that weights get here, which differ from those of files that ship.
function isBrought({ documents: { document } }: Store): boolean {
  const { from } = (document['parameters'] ?? {}) as JsonObject;
  return typeof from === 'string' && from.startsWith('own-');
}

// Whether it is another model than that which was opened.
function isEdited({ documents: { base, document } }: Store): boolean {
  const of = (one: typeof document) => JSON.stringify([one.mechanism, one['model']]);
  return of(base) !== of(document);
}

const inputOf = (store: Store): string | undefined => Object.keys(store.documents.document.inputs)[0];

function ask(store: Store): void {
  const input = inputOf(store);
  if (input !== undefined) store.documents.set(join('inputs', input, 'tokens'), BEYOND.split(' '));
}

// Those of the vocabulary of the module that reads the first input.
function wordsRead(store: Store): number {
  const input = inputOf(store);
  const reader = membersOf(store.documents.document).map(({ value }) => value as JsonObject)
    .find((one) => isObject(one['inputs']) && Object.values(one['inputs']).includes(input!)
      && Array.isArray(one['vocabulary']));
  return reader ? (reader['vocabulary'] as unknown[]).length - SPECIAL : 0;
}

/** Sentences about the numbers that nobody trained: which were drawn is known with the engine's first answer. */
export function untrained(store: Store, origins: Drawn | undefined): string[] {
  const { documents: { document }, sessions: { result } } = store;
  // Without numbers nobody knows yet whether there are parameters.
  if (!origins || !result) return [];
  const given = new Set(Object.keys((document['parameters'] ?? {}) as JsonObject));
  const all = result.all('parameters');
  const left = all.filter(({ name }) => !given.has(name));
  const here = origins.numbersIn(left.filter(origins.drawnIn(store.book, document)));
  const more = origins.numbersIn(left) - here;
  // Large ones that were drawn are only listed.
  const drawn = (result.left ?? []).filter(({ group }) => group === 'parameters')
    .reduce((sum, { shape }) => sum + shape.reduce((product, extent) => product * extent, 1), here);
  if (drawn === 0 && more > 0) return [strings.about.fixed(more), strings.about.showsHow];
  if (drawn > 0) return [strings.about.untrained(drawn, String(store.value('/seed') ?? 0)),
    ...(more > 0 ? [strings.about.fixedToo(more)] : []), strings.about.showsHow];
  return [all.length > 0 ? strings.about.byHand : strings.about.plain];
}
