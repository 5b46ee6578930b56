// SPDX-License-Identifier: Apache-2.0
// A list by the years of its sources: from which year on, and how many are left then.
import { html } from 'lit';
import { strings } from '../strings/en.ts';

/** Of each year that leaves something out, how many entries are of that year or later; the newest year first. */
export function sinceYears(years: readonly (number | undefined)[]): [year: number, count: number][] {
  const known = years.filter((year) => year !== undefined);
  return [...new Set(known)].toSorted((a, b) => b - a)
    .map((year): [number, number] => [year, known.filter((one) => one >= year).length])
    .filter(([, count]) => count < years.length);
}

/** Whether an entry is of that year or later; entries without a source are of no year. */
export const isSince = (year: number | undefined, since: number | undefined): boolean =>
  since === undefined || (year !== undefined && year >= since);

/** The choice of a first year, or nothing where there is no choice. */
export function sinceChoice(years: readonly (number | undefined)[], chosen: number | undefined,
  choose: (since: number | undefined) => void): unknown {
  const found = sinceYears(years);
  // The chosen year stays in the list, also where another filter left nothing out that is older.
  if (chosen !== undefined && !found.some(([year]) => year === chosen))
    found.push([chosen, years.filter((year) => isSince(year, chosen)).length]);
  if (found.length === 0) return '';
  return html`<label class="since"><span>${strings.since}</span><select data-part="since"
    @change=${(e: Event) => choose(Number((e.target as HTMLSelectElement).value) || undefined)}>
    <option value="" ?selected=${chosen === undefined}>${strings.anyYear}</option>
    ${found.toSorted(([one], [other]) => other - one).map(([year, count]) => html`<option value=${year}
      ?selected=${year === chosen}>${strings.sinceYear(String(year), count)}</option>`)}</select></label>`;
}
