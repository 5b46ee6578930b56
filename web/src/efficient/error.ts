// SPDX-License-Identifier: Apache-2.0
import { maximum, minimum } from '../lists.ts';
import { html, nothing } from 'lit';
import { slid } from '../controls/slider-gesture.ts';
import { upTo } from '../colour/numbers.ts';
import { growth } from '../cost/fit.ts';
import { across, EDGE, plot, type Plot, WIDTH } from '../cost/log-chart.ts';
import { Result } from '../engine/result.ts';
import type { Doc, Knob } from '../engine/types.ts';
import { OwnEngine, type Work } from '../engine/own-engine.ts';
import { Part, reactive } from '../part.ts';
import { selectAt } from '../select.ts';
import { get, join } from '../engine/pointer.ts';
import { digits, fixed } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { place } from '../styles/place.ts';
import { alone } from './standalone-form.ts';
import { givenOf } from './form.ts';
import { plotStyles } from './styles.ts';
import { CONSTANT } from '../state/random-parameters.ts';
import type { Study } from './study.ts';
import { ROUNDING } from './size.ts';
import { middle, sweep, type Tried } from './sweep.ts';
import { tunable, valuesOf } from './values.ts';
import { words } from './words.ts';

const DRAWS = 8;
// Of the largest error: what is less lies on the lower edge of the chart.
const LEAST = 1e-3;
const TRACK = 1000;

/** The error of the form against a knob of its own; the ring is that knob's slider. */
export class KnobErrorElement extends Part {
  @reactive study!: Study;
  @reactive tried: readonly Tried[] = [];
  @reactive done = true;
  /** Of several knobs the one that is tried. */
  @reactive chosen = 0;
  private readonly engine = new OwnEngine(this);

  static override styles = plotStyles;

  private get knobs(): Knob[] {
    return this.study.form ? tunable(this.study.form.mechanism) : [];
  }

  private get knob(): Knob | undefined {
    return this.knobs[Math.min(this.chosen, this.knobs.length - 1)];
  }

  private get path(): string {
    return (this.study.form?.path ?? '') + join(this.knob?.name ?? '');
  }

  /** What is set, or the default that the engine filled in. */
  private get value(): number | undefined {
    const { result } = this.study;
    const found = get(this.store.documents.document, this.path) ?? (result && get(result.directory.document, this.path))
      ?? this.knob?.default;
    return typeof found === 'number' ? found : undefined;
  }

  override willUpdate(): void {
    const { maps, form } = this.study;
    const { knob } = this;
    if (!maps || !form || !knob) return;
    // Everything that the curve depends on but the knob itself.
    const { [knob.name]: _, ...others } = form.own;
    const asked = JSON.stringify([form.mechanism.id, knob.name, others, maps.rows, maps.cols, maps.query.start,
      this.store.view.words >= 0]);
    this.engine.of([asked, maps.a], this.tryValues);
  }

  private readonly tryValues: Work = async (client, goesOn) => {
    const { maps, form } = this.study;
    const { knob } = this;
    if (!maps || !form || !knob) return;
    this.tried = [];
    this.done = false;
    const answer = await client.ask({ kind: 'example', of: form.mechanism.id });
    if (!answer || !goesOn()) return;
    const example = JSON.parse(answer.text) as Doc;
    const values = valuesOf(form.mechanism, knob, maps.cols, this.value);
    await sweep({
      client, values, against: maps.a, shape: [maps.rows, maps.cols],
      draws: form.mechanism.parameters.some(({ distribution }) => !CONSTANT.has(distribution)) ? DRAWS : 1,
      document: (value, seed) => alone(example, form, maps.query, maps.key, { [knob.name]: value }, seed),
      map: (result) => this.mapIn(result),
      tell: (tried, done) => {
        if (!goesOn()) return;
        this.tried = [...tried];
        this.done = done;
      },
    });
  };

  // The form stands alone there, so that its map is the last that goes from queries to keys.
  private mapIn(result: Result) {
    const form = this.study.form!;
    if (result.all('outputs').length === 1) return result.all('outputs')[0];
    return givenOf(result, { ...form, path: '' })?.map;
  }

  override render(): unknown {
    const { knob, study } = this;
    if (!study.form || !study.maps) return nothing;
    if (!knob) return html`<figure
      class="plot"><figcaption><b>${words().errorTitle}</b> <span
      class="note">${words().noKnob}</span></figcaption></figure>`;
    const given = this.tried.filter(({ errors }) => errors.length > 0);
    // Where the form is softmax, up to rounding, there is nothing that a logarithm could show.
    const equal = given.filter(({ errors }) => maximum(errors) <= ROUNDING);
    const found = given.filter((one) => !equal.includes(one));
    const refused = this.tried.filter((one) => one.refused !== undefined);
    const linear = knob.type !== 'integer' && knob.scale !== 'log';
    const values = this.tried.map(({ value }) => value).filter((value) => linear || value > 0);
    const ends: [number, number] = [values[0] ?? 1, values.at(-1) ?? 2];
    const points = found.filter(({ value }) => linear || value > 0)
      .map(({ value, errors }) => ({ n: value, value: middle(errors) }));
    const falls = points.every(({ value }, k) => k === 0 || value < points[k - 1]!.value);
    const fit = points.length > 3 && !linear && falls ? growth(points) : undefined;
    const draws = maximum(found.map(({ errors }) => errors.length), 1);
    const chart: Plot = {
      title: words().errorTitle, note: words().errorNote(knob.title, draws), unit: '', axis: knob.title, ends, linear,
      // A draw that comes out as softmax does would stretch the axis down to the rounding.
      least: maximum(points.map(({ value }) => value), 0) * LEAST,
      written: (value) => upTo(value, value < 0.01 ? 4 : value < 0.1 ? 3 : 2),
      curves: [{ name: knob.title, style: 'b', points,
        band: found.filter(({ value }) => linear || value > 0)
        .map(({ value, errors }) => ({ n: value, low: minimum(errors), high: maximum(errors) })) }],
      ...(this.value === undefined ? {} : { ring: Math.min(ends[1], Math.max(ends[0], this.value)) }),
    };
    return html`${plot(chart)}${this.ring(chart, knob)}
      <div class="row">${this.knobs.length > 1
        ? html`<label>${words().knobMenu} ${selectAt(this.knobs.map(({ title }) => title), this.chosen,
        (k) => (this.chosen = k), { part: 'knob' })}</label>` : nothing}
        <span class="note" role="status" data-part="sweep"
          ?data-done=${this.done}>${this.done
          ? (fit && fit.exponent < -0.05 ? words().falls(knob.title, fixed(fit.exponent, 2)) : nothing)
          : words().trying}</span></div>
      ${equal.length > 0 ? html`<p class="note"
        data-part="equal">${words().equalAt(equal.map(({ value }) => digits(value, 4)))}</p>` : nothing}
      ${this.done && refused.length > 0
        ? html`<p class="note" data-part="refused">${
        withQuotes(words().refusedValues(refused.map(({ value }) => digits(value, 4)),
        quote(refused[0]!.refused ?? '')))}</p>` : nothing}`;
  }

  // As wide as the axis, with half a thumb on each side.
  private ring(chart: Plot, knob: Knob): unknown {
    const { value } = this;
    if (value === undefined || chart.ends[0] === chart.ends[1]) return nothing;
    const [low, high] = chart.ends;
    const inner = WIDTH - EDGE.left - EDGE.right;
    const share = (across(chart)(value) - EDGE.left) / inner;
    const from = (position: number): number => {
      const exact = chart.linear ? low + position * (high - low) : low * (high / low) ** position;
      return knob.type === 'integer' ? Math.round(exact) : Number(exact.toPrecision(3));
    };
    return html`<div dir="ltr"><input class="ring" type="range" min="0" max=${TRACK}
      .value=${String(Math.round(Math.min(1, Math.max(0, share)) * TRACK))}
      aria-label=${`${knob.title}. ${words().ringHelp}`} aria-valuetext=${value} title=${words().ringHelp}
      ${place({ 'margin-left': `calc(${((100 * EDGE.left) / WIDTH).toFixed(3)}% - 8px)`,
        width: `calc(${((100 * inner) / WIDTH).toFixed(3)}% + 16px)` })}
      @input=${(e: Event) => {
        const position = Number((e.target as HTMLInputElement).value);
        const next = from(position / TRACK);
        // An arrow key on a whole number moves to the next one even where the track is coarse.
        const step = knob.type === 'integer' && next === value ? Math.sign(position - Math.round(share * TRACK)) : 0;
        this.set(Math.min(high, Math.max(low, next + step)), this.path);
      }} ${slid(this.store.documents)} /></div>`;
  }

  private set(value: number, gesture: string): void {
    this.store.documents.set(this.path, value, gesture);
  }
}
customElements.define('ap-knob-error', KnobErrorElement);
