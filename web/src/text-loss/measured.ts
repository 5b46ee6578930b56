// SPDX-License-Identifier: Apache-2.0
// What was measured, as the page shows it: the table of measurements, the text in colours, and its hardest tokens.
import { html, nothing } from 'lit';
import { probable } from '../colour/numbers.ts';
import { colourOf, type Domain, type Theme } from '../colour/scale.ts';
import { maximum } from '../lists.ts';
import { shownWord, withSpaces } from '../strings/displayed-word.ts';
import { fixed, whole } from '../strings/numerals.ts';
import { place } from '../styles/place.ts';
import { words } from './words.ts';

/** The loss of a text by one document of the model. */
export interface Measurement {
  /** What the document changes. */
  name: string;
  /** Tokens per window. */
  window: number;
  values: Float64Array;
  mean: number;
  tokens: number;
}

const SHOWN = 1000;
const HARDEST = 10;
const withSign = (value: number): string => `${value > 0 ? '+' : ''}${fixed(value, 3)}`;

export function measurements(runs: readonly Measurement[]): unknown {
  const first = runs[0]!;
  return html`<div class="over" tabindex="0" role="group" aria-label=${words().runs}><table data-part="runs">
    <caption class="note">${words().runs}. ${words().predicted(first.tokens)}</caption>
    <thead><tr><th scope="col">${words().model}</th><th scope="col">${words().window}</th>
      <th scope="col">${words().loss}</th><th scope="col">${words().perplexity}</th>
      ${runs.length > 1 ? html`<th scope="col">${words().difference}</th>` : nothing}</tr></thead>
    <tbody>${runs.map(({ name, window, mean }, k) => html`<tr><th scope="row">${name}</th><td>${whole(window)}</td>
      <td data-mean=${mean}>${fixed(mean, 3)}</td><td>${fixed(Math.exp(mean), 2)}</td>
      ${runs.length > 1 ? html`<td>${k === 0 ? '' : withSign(mean - first.mean)}</td>` : nothing}</tr>`)}</tbody>
    </table></div>`;
}

/** The loss of each token, or, `before`, by how much it grew. */
export const shownValues = ({ values }: Measurement, before?: Measurement): number[] =>
  Array.from(values, (value, k) => (before ? before.values[k]! - value : -value));

const numbersIn = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value)).map(Math.abs);

/** The scale of these numbers. */
export function domainOfLoss(values: readonly number[], isChange: boolean): Domain {
  const most = maximum(numbersIn(values), 1e-9);
  return isChange ? [-most, most] : [0, most];
}

const tokenText = (label: string): string => withSpaces(label);

/** The text, each token on the colour of its number. */
export function colouredText(labels: readonly string[], run: Measurement, before: Measurement | undefined,
  theme: Theme): unknown {
  const values = shownValues(run, before);
  const domain = domainOfLoss(values, before !== undefined);
  return html`<p class="reading" dir="auto" data-part="tokens">${labels.slice(0, SHOWN).map((label, k) => {
    const value = values[k]!;
    if (Number.isNaN(value)) return html`<span>${tokenText(label)}</span>`;
    const { fill, ink } = colourOf(value, domain, before ? 'signed' : 'weights', theme);
    const logP = run.values[k]!;
    return html`<span title=${words().hint(shownWord(tokenText(label)), probable(Math.exp(logP)), fixed(-logP, 2))}
      ${place({ 'background-color': fill, color: ink })}>${tokenText(label)}</span>`;
  })}</p>${labels.length > SHOWN ? html`<p class="note">${words().shown(SHOWN, labels.length)}</p>` : nothing}`;
}

/** The tokens with the largest numbers, for who reads a table rather than colours. */
export function hardest(labels: readonly string[], run: Measurement, before: Measurement | undefined): unknown {
  const values = shownValues(run, before);
  const places = values.map((_, k) => k).filter((k) => !Number.isNaN(values[k]!))
    .toSorted((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!)).slice(0, HARDEST);
  const title = before ? words().mostChanged : words().hardest;
  return html`<div class="over" tabindex="0" role="group" aria-label=${title}><table data-part="hardest">
    <caption class="note">${title}</caption>
    <thead><tr><th scope="col">${words().position}</th><th scope="col">${words().token}</th>
      <th scope="col">${words().probability}</th><th scope="col">${words().ofToken}</th>
      ${before ? html`<th scope="col">${words().before}</th><th scope="col">${words().change}</th>`
        : nothing}</tr></thead>
    <tbody>${places.map((k) => html`<tr><td>${k + 1}</td><th scope="row"><bdi>${
      shownWord(tokenText(labels[k] ?? ''))}</bdi></th><td>${probable(Math.exp(run.values[k]!))}</td>
      <td>${fixed(-run.values[k]!, 2)}</td>${before ? html`<td>${fixed(-before.values[k]!, 2)}</td>
      <td>${withSign(values[k]!)}</td>` : nothing}</tr>`)}</tbody></table></div>`;
}
