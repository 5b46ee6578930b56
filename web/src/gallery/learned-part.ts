// SPDX-License-Identifier: Apache-2.0
// What a trained system learned and where it fails, or why its weights are random.
import { html, nothing } from 'lit';
import type { Doc, System } from '../engine/types.ts';
import { bySeeds, fails, kilobytes, percent, mapSentences } from '../learned/result-sentences.ts';
import type { Learned, Tried } from '../learned/types.ts';
import { words } from '../learned/words.ts';
import { isObject } from '../engine/pointer.ts';
import type { Book } from '../state/catalogue.ts';
import { whole } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { recordWords } from '../strings/records.ts';
import { mechanismsOf } from './search.ts';

interface Host {
  requestUpdate(): void;
}

const titleOfTask = (id: string, english: string, host: Host): string =>
  recordWords(host)?.tasks[id]?.title ?? quote(english);

/** Its task, its steps and how much it gets right. */
export function measuredOf({ task, taskTitle, steps, numbers, measured, bytes }: Learned, host: Host): unknown {
  const { accuracy, heldOut } = measured;
  return withQuotes(words().trained(titleOfTask(task, taskTitle, host), steps, whole(numbers), percent(accuracy),
    heldOut, kilobytes(bytes)));
}

/** Both sentences in one paragraph. */
export const inBrief = (learned: Learned): unknown => html`<p data-part="learned"><b>${words().learned}:</b>
  <span data-part="shown">${withQuotes(mapSentences(learned).join(' '))}</span> <b>${words().fails}:</b>
  <span data-part="fails">${withQuotes(fails(learned).join(' '))}</span></p>`;

/** All of it, with headings. */
export function learnedOf(learned: Learned, host: Host): unknown {
  const say = words();
  return html`<section data-part="learned"><h3>${say.learned}</h3>
    <p class="quiet">${measuredOf(learned, host)}</p>
    <p data-part="shown">${withQuotes(mapSentences(learned).join(' '))}</p>
    <h3>${say.fails}</h3><p data-part="fails">${withQuotes(fails(learned).join(' '))}</p>
    <p class="quiet">${bySeeds(learned)}</p></section>`;
}

/** Whether something in the document measures an answer, so that it could be learned. */
const hasLoss = (book: Book, document: Doc): boolean =>
  isObject(document['training']) || mechanismsOf(book, document).some(({ family }) => family === 'losses');

// Why a system has random weights; `tried`: what came of its training, where there was one.
function reasonOf(book: Book, { document }: System, tried: Tried | undefined, host: Host): string | undefined {
  const say = words();
  if (tried) {
    const { task, taskTitle, steps, measured: { accuracy, heldOut } } = tried;
    return say.tried(titleOfTask(task, taskTitle, host), steps, percent(accuracy), heldOut);
  }
  if (!hasLoss(book, document)) return say.noLoss;
  return isObject(document['training']) ? undefined : say.noTask(Object.keys(document.inputs).map(quote));
}

/** Why a system has random weights, where the gallery tells what a trained one learned. */
export function untrainedOf(book: Book, system: System, tried: Tried | undefined, host: Host): unknown {
  const reason = reasonOf(book, system, tried, host);
  return reason === undefined ? nothing : html`<p class="quiet" data-part="form">${withQuotes(reason)}</p>`;
}

/** Above the picture: that it learned nothing, why, and what its maps are worth then. */
export function nothingLearned(book: Book, system: System, opens: { trained: boolean; tried: Tried | undefined },
  host: Host): unknown {
  const say = words();
  const seeded = Object.entries(system.document.inputs).filter(([, { features }]) => isObject(features))
    .map(([name]) => quote(name));
  const sentences = [say.nothing, opens.trained ? say.alsoTrained : reasonOf(book, system, opens.tried, host),
    seeded.length > 0 ? say.seeded(seeded) : undefined, say.worth];
  return html`<p data-part="untrained"><b>${say.learned}:</b> ${
    withQuotes(sentences.filter((one) => one !== undefined).join(' '))}</p>`;
}
