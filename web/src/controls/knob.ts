// SPDX-License-Identifier: Apache-2.0
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { css, html, nothing } from 'lit';
import type { Json, Knob, Mechanism } from '../engine/types.ts';
import { Part, property, reactive } from '../part.ts';
import { mapAt } from '../state/roles.ts';
import { join, set } from '../engine/pointer.ts';
import { strings } from '../strings/en.ts';
import { digits, typedNumber, typedNumbers, withSign } from '../strings/numerals.ts';
import { choiceCalled, objection } from '../strings/quote.ts';
import { place } from '../styles/place.ts';
import { notes } from './noting.ts';
import { beside, keptDefault, nearest, offered, sizeOf, type Tie } from './rule.ts';
import { filled, onSlider, slider } from '../styles/slider.ts';
import { countsRows, keysOf, upToKeys } from './knob-range.ts';
import { slid } from './slider-gesture.ts';

const STEPS = 400;

/** Where a value stands on the slider, 0 to 1; the other way with `back`. */
export function onTrack(knob: Knob, value: number): number {
  const [low, high] = range(knob);
  const share = knob.scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
}

export function fromTrack(knob: Knob, share: number): number {
  const [low, high] = range(knob);
  if (knob.scale !== 'log') {
    const value = low + share * (high - low);
    return knob.type === 'integer' ? Math.round(value)
      : Math.min(high, Math.max(low, round(value, (high - low) / STEPS)));
  }
  const value = low * (high / low) ** share;
  return knob.type === 'integer' ? Math.round(value) : Number(value.toPrecision(3));
}

const round = (value: number, step: number): number => {
  const places = Math.max(0, Math.ceil(-Math.log10(step)));
  return Number(value.toFixed(Math.min(6, places)));
};

function range(knob: Knob): [number, number] {
  return [knob.minimum ?? 0, knob.maximum ?? 1];
}

/**
 * One knob of a mechanism: the control follows from its type, all of it from data. A move goes into the document
 * (state/documents.ts); the sessions (state/sessions.ts) hear of that and ask the engine.
 */
export class KnobElement extends Part {
  @reactive knob!: Knob;
  /** The mechanism whose knob it is: a rule may tie it to another of them. */
  @reactive of: Mechanism | undefined;
  @property() path!: string;
  @reactive typed: string | undefined;
  private given: ReadonlySignal<Json | undefined> | undefined;
  private ties: ReadonlySignal<readonly Tie[]> | undefined;
  private keys: ReadonlySignal<number | undefined> | undefined;

  static override styles = [slider, css`
    :host { display: block; }
    .row { display: grid; grid-template-columns: 92px minmax(0, 1fr); align-items: center;
    min-height: calc(var(--control) + var(--space-2));
    column-gap: var(--space-4); }
    .right { display: flex; gap: var(--space-4); align-items: center; min-width: 0; }
    .label { color: var(--ink2); padding-block: var(--space-2); }
    .num { width: 52px; text-align: right; flex: none; }
    .num.long { width: 68px; }
    .wide { flex: 1; width: 100%; }
    .track { direction: ltr; position: relative; display: grid; align-items: center; flex: 1; min-width: 40px;
    height: 24px; }
    .tick { position: absolute; top: 17px; width: 1px; height: 5px; background: var(--ink3); pointer-events: none; }
    select { width: 100%; }
    .switch { width: 30px; min-width: var(--finger); height: var(--press); display: grid; align-items: center; }
    .switch i { display: block; width: 30px; height: 16px; border-radius: var(--radius-round);
      background: var(--ink3); position: relative; }
    .switch i::after { content: ''; position: absolute; left: 2px; top: 2px; width: 12px; height: 12px;
    border-radius: 50%; background: var(--background); }
    .switch[aria-checked='true'] i { background: var(--ink); }
    .switch[aria-checked='true'] i::after { left: 16px; }
    .over { overflow: auto; max-height: 300px; }
    .grid { border-collapse: collapse; }
    .grid td { padding: 0; }
    .grid button { display: block; width: 24px; height: 24px; border: 1px solid var(--background);
      font-size: var(--text-mark); text-align: center; color: var(--ink2); border-style: dashed;
      border-color: var(--line2); }
    .grid button[aria-pressed='true'] { background: var(--line); color: var(--ink);
    border: 1px solid var(--background); }
    .row.whole { grid-template-columns: minmax(0, 1fr); }
    .below { grid-column: -2; padding: var(--space-1) 0 var(--space-2); }
    @media (pointer: coarse) { .track { height: 40px; }
    .switch { height: 44px; } .tick { display: none; } }
  `];

  // Where a value is no list, the same value wakes nobody: of all knobs the one that moves draws itself anew.
  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('path')) this.given = computed(() => this.store.value(this.path));
    const { of, knob } = this;
    if (!changed.has('path') && !changed.has('of') && !changed.has('knob')) return;
    this.ties = computed(() => this.tied());
    this.keys = of && countsRows(of, knob) ? computed(() => keysOf(this.store, this.path, of, knob)) : undefined;
  }

  private get value(): Json | undefined {
    const value = this.given?.value;
    if (value !== undefined || typeof this.knob.default === 'string') return value;
    return keptDefault(this.knob, this.ties?.value.find((tie) => !tie.back)?.other);
  }

  // Its own rule, and the rules that name it of knobs that the document gives: those that it does not give follow.
  private tied(): readonly Tie[] {
    const { knob } = this, others = this.of?.knobs ?? [];
    const given = (name: string) => {
      const value = this.store.value(this.path.slice(0, this.path.lastIndexOf('/')) + join(name));
      return typeof value === 'number' ? value : undefined;
    };
    const ties: Tie[] = [];
    if (knob.rule) {
      const { of } = knob.rule;
      const usual = others.find(({ name }) => name === of)?.default;
      const other = given(of)
        ?? (typeof usual === 'number' ? usual : sizeOf(this.store.sessions.result?.directory, of));
      if (other !== undefined) ties.push({ rule: knob.rule, other, back: false });
    }
    for (const { name, rule } of others) {
      const other = rule?.of === knob.name ? given(name) : undefined;
      if (rule && other !== undefined) ties.push({ rule, other, back: true });
    }
    return ties;
  }

  private reach(value: number | undefined): Knob {
    return upToKeys(this.knob, this.keys?.value, value);
  }

  override render(): unknown {
    const { knob } = this;
    const refused = this.store.errorAt(this.path);
    const problem = this.typed ?? (refused === undefined ? undefined
      : notes.use(this)?.inTitles(refused, knob, this.of) ?? objection(knob.title, refused));
    return html`<div class="row ${knob.type === 'matrix' ? 'whole' : ''}" @input=${this.corrected}>
      <span class="label" id="name" lang=${knob.lang ?? nothing}>${knob.title}</span>
      <div class="right">${this.control(problem !== undefined)}</div>
      ${notes.use(this)?.insteadSaid(this.store, this.of, knob, this.path)}
      ${notes.use(this)?.layersSaid(this.store, this.path, 'below note')}
      ${problem === undefined ? nothing : html`<div class="below error" role="alert"
        id="problem">${problem} ${this.store.sessions.error ? strings.stillShown : ''}</div>`}
    </div>`;
  }

  private control(wrong: boolean): unknown {
    const { knob, value } = this;
    const put = (next: Json | undefined, gesture?: string) => {
      this.typed = undefined;
      const paths = this.store.targets(this.path);
      this.store.documents.change((draft) => paths.forEach((path) => set(draft, path, next)), gesture);
    };
    switch (knob.type) {
      case 'choice':
        return html`<select aria-labelledby="name" @change=${(e: Event) => put((e.target as HTMLSelectElement).value)}>
          ${(knob.choices ?? []).map((c) =>
            html`<option value=${c} ?selected=${c === (value ?? knob.default)}>${
              choiceCalled(c, this.of?.id)}</option>`)}</select>`;
      case 'boolean':
        return html`<button class="switch" role="switch" aria-labelledby="name" aria-checked=${value === true}
          @click=${() => put(value !== true)}><i></i></button>`;
      case 'words':
        return html`<textarea class="wide" rows="2" dir="auto" aria-labelledby="name" aria-invalid=${wrong}
          .value=${Array.isArray(value) ? value.join(' ') : ''}
          @change=${(e: Event) => put(wordsOf((e.target as HTMLTextAreaElement).value))}></textarea>`;
      case 'matrix':
        return isSwitches(value) ? this.switches(value, put) : this.rows(value, wrong, put);
      case 'list':
        return html`<input class="wide" aria-labelledby="name" aria-invalid=${wrong}
          .value=${Array.isArray(value) ? value.map(inList).join(' ') : value === undefined ? '' : inList(value)}
            @change=${(e: Event) => this.list((e.target as HTMLInputElement).value, put)} />`;
      case 'integer':
      case 'number':
        return this.number(typeof value === 'number' ? value : undefined, wrong, put);
    }
  }

  private number(value: number | undefined, wrong: boolean, put: (next: Json, gesture?: string) => void): unknown {
    const knob = this.reach(value);
    const slides = typeof knob.minimum === 'number' && typeof knob.maximum === 'number' && knob.maximum > knob.minimum;
    const share = value === undefined ? 0 : onTrack(knob, value);
    const standard = typeof knob.default === 'number' ? onTrack(knob, knob.default) : undefined;
    const text = value === undefined ? '' : tidy(value);
    return html`${slides ? html`<span class="track">
        ${standard === undefined ? nothing
          : html`<span class="tick" ${place({ left: onSlider(standard) })}></span>`}
        <input type="range" aria-labelledby="name" min="0" max=${STEPS} step="1"
          .value=${String(Math.round(share * STEPS))} aria-valuetext=${text}
          ${filled(share)}
          @input=${(e: Event) => put(this.slid(value, Number((e.target as HTMLInputElement).value)), this.path)}
          ${slid(this.store.documents)}
          @dblclick=${() => typeof knob.default === 'number' && put(knob.default)} /></span>` : nothing}
      <input class="num ${slides ? '' : 'wide'} ${text.length > SHORT ? 'long' : ''}" inputmode="decimal"
        aria-labelledby="name" aria-invalid=${wrong} aria-describedby=${wrong ? 'problem' : nothing} .value=${text}
        @change=${(e: Event) => this.type((e.target as HTMLInputElement).value, put)} />`;
  }

  // An arrow key on a whole number moves to the next one even where the track is coarse.
  private slid(value: number | undefined, position: number): number {
    const knob = this.reach(value);
    const kept = offered(knob, this.ties?.value ?? []);
    const wanted = fromTrack(knob, position / STEPS);
    const next = kept ? nearest(kept, wanted) : wanted;
    if (knob.type !== 'integer' || value === undefined || next !== value) return next;
    const before = Math.round(onTrack(knob, value) * STEPS);
    if (kept) return position === before ? value : beside(kept, value, position > before);
    return position === before ? value
      : Math.min(knob.maximum ?? value, Math.max(knob.minimum ?? value, value + Math.sign(position - before)));
  }

  // Undo inside a field brings back what was there without leaving the field: then nothing is wrong any more.
  private corrected({ target }: Event): void {
    if (typedNumbers((target as HTMLInputElement).value).every(Number.isFinite)) this.typed = undefined;
  }

  private type(text: string, put: (next: Json) => void): void {
    const value = typedNumber(text);
    if (!Number.isFinite(value)) this.typed = strings.numberWanted(text);
    else put(value);
  }

  private list(text: string, put: (next: Json) => void): void {
    const parts = typedNumbers(text);
    if (parts.some((part) => !Number.isFinite(part))) this.typed = strings.numberWanted(text);
    else put(parts);
  }

  // Rows of numbers, typed: a row a line, or behind a semicolon.
  private rows(value: Json | undefined, wrong: boolean, put: (next: Json | undefined) => void): unknown {
    const text = Array.isArray(value)
      ? value.map((row) => (Array.isArray(row) ? row.map(inList).join(' ') : inList(row))).join('\n')
      : typeof value === 'number' ? inList(value) : '';
    const commit = (event: Event) => {
      const lines = (event.target as HTMLTextAreaElement).value.split(/[\n;]+/).map(typedNumbers)
        .filter((row) => row.length > 0);
      if (lines.flat().some((one) => !Number.isFinite(one)))
        this.typed = strings.numberWanted((event.target as HTMLTextAreaElement).value);
      else put(lines.length === 0 ? undefined : lines);
    };
    return html`<textarea class="wide" rows=${Math.min(8, Math.max(2, text.split('\n').length))} dir="ltr"
      aria-labelledby="name" aria-invalid=${wrong}
      placeholder=${strings.rowsOfNumbers} title=${strings.rowsOfNumbers} .value=${text} @change=${commit}></textarea>`;
  }

  // A matrix of zeros and ones, pressed on and off; the words of the module's map, if that is as large, tell which pair
  // a number is.
  private switches(rows: Json[][], put: (next: Json) => void): unknown {
    const { result } = this.store.sessions;
    const along = (places: readonly string[], axis: -2 | -1) => result?.labels(places.at(axis) ?? '');
    const map = result && mapAt(this.store.documents.document, this.path, result);
    const fits = map?.shape.at(-2) === rows.length && map.shape.at(-1) === rows[0]!.length;
    const shown = fits && along(map.places, -2) && along(map.places, -1) ? map : undefined;
    const word = (axis: -2 | -1, at: number) => (shown && along(shown.places, axis)?.[at]) ?? at;
    const pair = (i: number, j: number) => `${word(-2, i)}${strings.comma}${word(-1, j)}`;
    return html`<div class="over"><table class="grid"
      aria-labelledby="name"><tbody>${rows.map((row, i) => html`<tr>${row.map((cell, j) => html`<td><button
      aria-pressed=${cell === 1} aria-label="${this.knob.title} ${pair(i, j)}: ${cell}" title=${pair(i, j)}
      @click=${() => put(rows.map((r, a) => r.map((c, b) => (a === i && b === j ? (c === 1 ? 0 : 1) : c))))}>${
        cell}</button></td>`)}</tr>`)}</tbody></table></div>`;
  }
}

const wordsOf = (text: string): string[] | undefined => {
  const words = text.split(/\s+/).filter(Boolean);
  return words.length === 0 ? undefined : words;
};

const isSwitches = (value: Json | undefined): value is Json[][] =>
  Array.isArray(value) && value.length > 1
    && value.every((row) => Array.isArray(row) && row.length > 1 && row.every((one) => one === 0 || one === 1));

// Every digit counts in a list; only the sign is the language's.
const inList = (value: Json): string => (typeof value === 'number' ? withSign(String(value)) : String(value));

// So many characters have room in a field beside a slider.
const SHORT = 5;

const tidy = (value: number): string => {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e-3 ? withSign(Number(value.toPrecision(4)).toExponential()) : digits(value, 4);
};

customElements.define('ap-knob', KnobElement);
