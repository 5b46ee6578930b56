// SPDX-License-Identifier: Apache-2.0
// What is known of weights that a reader trained or opened, and of a training whose weights are not shown.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { keptFile } from '../engine/kept.ts';
import type { Doc, Json } from '../engine/types.ts';
import { type Made, madeIn } from '../files/weights-origin.ts';
import { readHeader, untrainedIn } from '../files/weights.ts';
import { titleOf } from '../state/model.ts';
import { parametersCalled } from '../state/path-names.ts';
import { isObject } from '../engine/pointer.ts';
import { parse } from '../state/parse.ts';
import { keep, recalled } from '../state/recent-lists.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { phrase, withQuotes } from '../strings/quote.ts';
import { percent } from './result-sentences.ts';
import { words } from './words.ts';

/** What a file of weights says of itself. */
interface Known {
  made: Made;
  /** What it was trained as. */
  document: Doc | undefined;
  /** Its weights that were drawn and not trained since. */
  untrained: string[];
}

const NOTHING: Known = { made: {}, document: undefined, untrained: [] };
const known = signal<ReadonlyMap<string, Known | undefined>>(new Map());
const note = (name: string, what: Known | undefined): void =>
  void (known.value = new Map([...known.peek(), [name, what]]));

async function read(name: string): Promise<Known> {
  const file = await keptFile(name);
  const said = file && (await readHeader(file))['__metadata__'] as Record<string, string> | undefined;
  if (!said) return NOTHING;
  const found = said['document'] === undefined ? undefined : parse(said['document']);
  return { made: madeIn(said), document: found && 'document' in found ? found.document as Doc : undefined,
    untrained: untrainedIn({ metadata: said }) };
}

/** Undefined while it is being read; whoever asks draws itself anew when it is there. */
function knownOf(name: string): Known | undefined {
  if (!known.value.has(name)) {
    // Asked for while something is drawn: what is drawn is told afterwards.
    queueMicrotask(() => {
      if (known.peek().has(name)) return;
      note(name, undefined);
      // A file that cannot be read says nothing of itself.
      read(name).catch(() => NOTHING).then((found) => note(name, found), () => undefined);
    });
  }
  return known.value.get(name);
}

const inOrder = (value: Json): Json => (isObject(value)
  ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value);
// The order of members makes no other model, nor do the words that a task gave it.
const modelIn = (document: Doc): string => JSON.stringify([document.mechanism ?? null, document['model'] ?? null],
  (key, value: Json) => (key === 'vocabulary' ? undefined : inOrder(value)));

const isSame = (one: Doc, other: Doc): boolean => modelIn(one) === modelIn(other);

function measuredSaid({ steps, here, measured, theirs }: Made): string | undefined {
  if (!measured) return undefined;
  const { step, heldOut, accuracy, exact } = measured;
  const [right, whole] = [percent(accuracy), percent(exact)];
  // What a file brought was measured elsewhere, by whoever wrote it.
  if (theirs) return words().measuredInFile(right, whole, heldOut);
  return step === (here ?? steps ?? 0) ? words().measuredHere(right, whole, heldOut)
    : words().measuredThen(step, right, whole, heldOut);
}

/** Where weights are from, how long they were trained, and what was measured of them. */
export function madeSaid(made: Made): string {
  const { file, steps, here } = made;
  const from = file === undefined ? steps === undefined ? undefined : words().trainedHere(steps)
    : steps === undefined ? words().fromFile(file) : words().fromFileAfter(file, steps);
  const more = here === undefined ? undefined : words().trainedFurther(here);
  return [from, more, measuredSaid(made)].filter((one) => one !== undefined).join(' ');
}

/** What is known of weights, and whether it was measured by this page or its makers: then nobody has to do it again. */
export interface Standing {
  said: unknown;
  measured: boolean;
}

/** What is known of the weights that a reader trained or opened; nothing where these say nothing of themselves. */
export function broughtSaid({ book, documents: { document } }: Store): Standing | undefined {
  const { parameters } = document;
  const from = isObject(parameters) ? parameters['from'] : undefined;
  if (typeof from !== 'string' || !from.startsWith('own-')) return undefined;
  const found = knownOf(from);
  // It is on its way, and nothing else is said meanwhile.
  if (!found) return { said: '', measured: true };
  const { made, document: trained, untrained } = found;
  const said = madeSaid(made);
  if (untrained.length > 0)
    return { said: withQuotes(words().newParts(parametersCalled(book, document, untrained))), measured: false };
  if (said === '') return undefined;
  return trained && !isSame(trained, document) ? { said: strings.about.changed, measured: false }
    : { said: withQuotes(said), measured: made.measured !== undefined && !made.theirs };
}

// Whose weights a document shows, by the names that files get here.
function shownIn({ parameters }: Doc): 'page' | 'own' | 'none' {
  const from = isObject(parameters) ? parameters['from'] : undefined;
  return typeof from !== 'string' ? 'none' : from.startsWith('own-') ? 'own' : 'page';
}

const DISMISSED = 'attention-playground.untaken';
const MOST = 50;

/** The titles of trainings that a reader does not want to be told of beside other documents. */
const dismissed = signal<ReadonlySet<string>>(new Set(recalled(DISMISSED)));

function dismiss(title: string): void {
  dismissed.value = new Set([...dismissed.peek(), title].slice(-MOST));
  keep(DISMISSED, dismissed.peek());
}

/**
 * That something was trained and other weights are shown, with a button that shows those. `taken`: they are taken along
 * from whatever place of the page.
 */
export function untakenHint({ trainings, documents: { document }, view }: Store, taken = false): unknown {
  const untaken = trainings.untaken.value;
  if (!untaken || !(taken || view.place === 'look')) return nothing;
  const { step, document: trained, take } = untaken;
  const title = titleOf(trained);
  const here = isSame(trained, document) || title === undefined;
  // What is taken along of another document has nothing to do with that training.
  if (!here && (taken || dismissed.value.has(title))) return nothing;
  const said = here ? words().untaken(shownIn(document), step) : words().untakenOther(phrase(title), step);
  return html`<p class="note" data-part="untaken">${withQuotes(said)} <button class="link inline"
    data-part="show-trained" @click=${() => void take()}>${words().showIt}</button>${
    here ? nothing : html` <button class="link inline"
    data-part="dismiss" @click=${() => dismiss(title)}>${words().dismiss}</button>`}</p>`;
}
