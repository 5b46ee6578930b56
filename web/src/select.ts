// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

interface Names {
  /** For a screen reader, where no label is around the menu. */
  label?: string;
  part?: string;
}

/** A menu of a few entries, each a value and its words; `put` hears the value that was chosen. */
export const select = <Value>(entries: readonly (readonly [value: Value, text: unknown])[], now: Value,
  put: (value: Value) => void, { label, part }: Names = {}): unknown =>
  html`<select aria-label=${label ?? nothing} data-part=${part ?? nothing}
    @change=${({ target }: Event) => put(entries[(target as HTMLSelectElement).selectedIndex]![0])}>${
    entries.map(([value, text]) => html`<option value=${String(value ?? '')}
      .selected=${live(value === now)}>${text}</option>`)}</select>`;

/** The same for a list whose entries are chosen by their places. */
export const selectAt = (texts: readonly unknown[], now: number, put: (at: number) => void, names?: Names): unknown =>
  select(texts.map((text, at) => [at, text] as const), now, put, names);
