// SPDX-License-Identifier: Apache-2.0
// Where the model works and where it fails, in the same size; and up to eight sentences of the reader's own.
import { html, nothing } from 'lit';
import { inCell } from '../colour/numbers.ts';
import type { Result } from '../engine/result.ts';
import { place } from '../styles/place.ts';
import type { Desk } from './encoder-state.ts';
import { MOST_SENTENCES, sentencesOf } from './document.ts';
import { modelStage } from './model.ts';
import { cosine } from './sentences.ts';
import { field } from './sentence.ts';
import { plane } from '../engine/result.ts';
import { HEAD } from '../directory/places.ts';
import { arrange } from '../directory/modules.ts';
import { words } from './words.ts';

const WIDE = 104;

// The model reads English, in every language of the page.
const AGE = ['How old are you?', 'What is your age?'] as const;
const FILM = ['The movie was not good at all', 'The film was terrible', 'The film was excellent'] as const;
const ANIMAL = ['The animal didn’t cross the street because it was too tired',
  'The animal didn’t cross the street because it was too wide'] as const;

function answer(desk: Desk, text: string): Result | undefined {
  const stage = modelStage();
  if (stage.is !== 'here') return undefined;
  return desk.sentences.of(desk.store.documents.document, stage.pieces.cut(text), text);
}

const number = (value: number | undefined): string => (value === undefined ? '…' : inCell(value, true));

function pair(desk: Desk, a: string, b: string, note: unknown): unknown {
  const value = cosine(answer(desk, a), answer(desk, b));
  return html`<div class="pair"><p lang="en" dir="ltr">${a}<br>${b}</p>
    <span class="meter"><span ${place({ width: Math.round(Math.max(0, value ?? 0) * WIDE) })}></span></span>
    <b data-pair=${`${a} ~ ${b}`} dir="ltr">${number(value)}</b><p class="note">${note}</p></div>`;
}

// What "it" gives to a word in the chosen head.
function refers(desk: Desk, text: string, key: string): number | undefined {
  const result = answer(desk, text);
  const stage = modelStage();
  if (!result || stage.is !== 'here') return undefined;
  const { pieces } = stage.pieces.cut(text);
  const [layer, head] = desk.head;
  const maps = arrange(result).modules.filter(({ weights }) => weights)[layer]?.weights;
  const [row, col] = [pieces.indexOf('▁it'), pieces.indexOf(`▁${key}`)];
  return maps && row >= 0 && col >= 0 ? plane(maps, { [HEAD]: head }).at(row, col) : undefined;
}

function animals(desk: Desk): unknown {
  const rows = ANIMAL.map((text) =>
    ({ text, animal: refers(desk, text, 'animal'), street: refers(desk, text, 'street') }));
  const fails = rows.every(({ animal, street }) => animal !== undefined && street !== undefined && street > animal);
  return html`<div class="refers">${rows.map(({ text, animal, street }) => html`<p lang="en" dir="ltr"><span>… because
    <b>it</b> was too <b>${text.split(' ').at(-1)}</b></span> <span>${words().to('animal', number(animal))}</span>
    <span>${words().to('street', number(street))}</span></p>`)}
    <p class="note">${fails ? words().tired : words().tiredOther}</p></div>`;
}

export function examples(desk: Desk): unknown {
  const excellent = cosine(answer(desk, FILM[0]), answer(desk, FILM[2]));
  return html`<div class="two" data-part="examples"><section><h3>${words().works}</h3>
      ${pair(desk, ...AGE, words().sameMeaning)}
      ${pair(desk, FILM[0], FILM[1], words().notGood(number(excellent)))}</section>
    <section><h3>${words().fails}</h3>
      ${pair(desk, FILM[1], FILM[2], words().opposites)}${animals(desk)}</section></div>`;
}

/** Up to eight sentences with the cosines of all pairs. */
export function own(desk: Desk): unknown {
  const { document } = desk.store.documents;
  const count = sentencesOf(document).length;
  const all = Array.from({ length: count }, (_, k) => (desk.isEmpty(k) ? undefined : desk.result(k)));
  const cosines = all.map((a, i) => all.map((b, j) => (i === j ? 1 : cosine(a, b))));
  let best: { a: number; b: number; value: number } | undefined;
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) {
    const value = cosines[a]![b];
    if (value !== undefined && value > (best?.value ?? -Infinity)) best = { a, b, value };
  }
  const add = [...AGE, ...FILM, 'The dog sleeps in the garden'].find((text) =>
    !all.some((_, k) => desk.text(k) === text));
  return html`<section data-part="own"><h3>${words().same}</h3><p class="note">${words().sameHelp}</p>
    <table><tbody>${all.map((_, i) => html`<tr><th scope="row">${i + 1}</th><td class="own">${field(desk, i)}</td>
      ${all.map((__, j) => html`<td class="cosine ${best && ((best.a === i && best.b === j)
        || (best.a === j && best.b === i)) ? 'best' : ''}" title=${j < i
        ? words().cosineOf(j + 1, i + 1, number(cosines[i]![j])) : nothing}>${
        j < i ? html`<span class="fill" ${place({ opacity: Math.max(0, cosines[i]![j] ?? 0) })}></span><span
          dir="ltr">${
          number(cosines[i]![j])}</span>` : j === i ? html`<span class="quiet">${i + 1}</span>` : nothing}</td>`)}
      <td>${i > 1 ? html`<button class="icon" aria-label=${words().remove(i + 1)}
        @click=${() => desk.remove(i)}>×</button>` : nothing}</td></tr>`)}</tbody></table>
    ${count < MOST_SENTENCES && add !== undefined ? html`<button class="button" data-part="add" @click=${() => {
      desk.type(count, add); desk.rest(count); }}>${words().add}</button>` : nothing}
    <p role="status">${best ? words().mostSimilar(best.a + 1, best.b + 1, number(best.value)) : nothing}</p></section>`;
}
