// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { MeasureRecord } from '../engine/types.ts';
import { isolated } from '../strings/language.ts';
import { fixed } from '../strings/numerals.ts';
import { prose } from '../strings/prose.ts';
import type { MeasureWords } from '../strings/records.ts';
import type { Judged } from './messages.ts';
import { words } from './words.ts';

/** Three digits, as many as an interval of a few hundred examples bears. */
export function digits(value: number): string {
  const size = Math.abs(value);
  return isolated(fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size === 0 || size >= 0.01 ? 3 : 4));
}

/**
 * One measure: its name, the number with its interval, and the sentence on what it tells. `own`: the words in the
 * reader's language.
 */
export function findingRow(found: Judged, record: MeasureRecord | undefined, own: MeasureWords | undefined,
  more: unknown = nothing): unknown {
  const { title = found.measure, sentence = '', tells = '' } = own ?? record ?? {};
  const { interval, value } = found;
  const lang = own ? nothing : 'en';
  return html`<li data-measure=${found.measure}>
    <h3 lang=${lang}>${title}</h3>
    <p class="number"><b>${value === null ? words().endless : digits(value)}</b>
      ${interval ? html`<span class="quiet"
        title=${words().interval(Math.round(100 * interval.level))}>${words()
          .from(digits(interval.low), digits(interval.high))}</span>` : nothing}
      ${found.better === 'neither' ? nothing : html`<span class="quiet">${words().better[found.better]}</span>`}</p>
    <p class="tells" lang=${lang}>${prose(sentence)} <span class="quiet">${
      prose(tells)}</span></p>${more}</li>`;
}
