// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { sideCalled, sideName } from '../compare/side-names.ts';
import { asMs, counted, full, SHORTEST } from '../colour/numbers.ts';
import type { Point } from '../cost/fit.ts';
import { plot, type Plot } from '../cost/log-chart.ts';
import { table } from '../cost/table.ts';
import type { Client } from '../engine/client.ts';
import { load } from '../engine/load.ts';
import type { Cost, Doc } from '../engine/types.ts';
import type { Result } from '../engine/result.ts';
import { givenBy } from '../directory/outcome.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { isolated } from '../strings/language.ts';
import { whole } from '../strings/numerals.ts';
import { crossing, type Crossing, goOn } from './crossing.ts';
import { ended } from './engine-stopped.ts';
import { count, type Grown, runsMore, SIZES, time, type Wanted } from './growth.ts';
import { plainOf, withoutMasks } from './softmax-document.ts';
import { plotStyles } from './styles.ts';
import type { Study } from './study.ts';
import { words } from './words.ts';

// An expression of the number of queries or keys.
const OF_LENGTH = /(?<![a-z])[mn](?![a-z])/;
type Counted = Exclude<keyof Cost, 'exact'>;
const BYTES = 4;
const COUNTS: readonly Counted[] = ['multiply_adds', 'exponentials', 'bytes'];

interface Side {
  letter: 'A' | 'B';
  /** In the language of the page, which may change while a side is shown. */
  name: () => string;
  document: Doc;
  grown: Grown;
}

/** Two digits are all that a crossing between doubled sizes is good for. */
const near = (n: number): number => Number(n.toPrecision(2));

/**
 * What is counted and what is measured over the number of words, for the form and for softmax attention in its place.
 */
export class GrowthElement extends Part {
  @reactive study!: Study;
  @reactive sides: readonly Side[] = [];
  @reactive which: Counted = 'multiply_adds';
  @reactive running = false;
  @reactive halted = false;
  private counter: Client | undefined;
  private timer: Client | undefined;
  private asked = '';
  private waits: ReturnType<typeof setTimeout> | undefined;

  static override styles = plotStyles;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    clearTimeout(this.waits);
    this.counter?.close();
    this.asked = '';
  }

  override willUpdate(): void {
    const { result } = this.study;
    if (!result || !this.store.book.whole) return;
    const { documents: { document: { mechanism, model } }, comparison: { held } } = this.store;
    const asked = JSON.stringify([mechanism, model, held]);
    if (asked === this.asked) return;
    const first = this.asked === '';
    this.asked = asked;
    clearTimeout(this.waits);
    // What is dragged rests first.
    this.waits = setTimeout(() => void this.counts(result), first ? 0 : 400);
  }

  private documents(): Side[] {
    const { form, given } = this.study;
    const { book, documents } = this.store;
    const own = documents.document;
    const none = (): Grown => ({ counts: [], times: [] });
    if (!form) return this.pairs(none) ?? [{ letter: 'B', name: () => book.module(own)?.title ?? words().ownResults,
      document: own, grown: none() }];
    return [{ letter: 'A', name: () => words().softmax, document: plainOf(book, own, form, given?.mask !== undefined),
      grown: none() }, { letter: 'B', name: () => form.mechanism.title, document: own, grown: none() }];
  }

  // Softmax attention is held against the other side of a comparison, or else against itself without masks.
  private pairs(none: () => Grown): Side[] | undefined {
    const { book, comparison, documents: { document } } = this.store;
    if (comparison.on) return (['A', 'B'] as const).map((letter) => ({ letter,
      name: () => sideCalled(this.store, letter).called, document: comparison.documentOf(letter), grown: none() }));
    const open = withoutMasks(book, document);
    if (!open) return undefined;
    const masks = () => sideName(book, document, open).own.map(({ mechanism }) => mechanism!.title).join(strings.comma);
    return [{ letter: 'A', name: () => words().allPairs, document: open, grown: none() },
      { letter: 'B', name: masks, document, grown: none() }];
  }

  // Of what is computed here: what it gives, and the first thing on the way to it.
  private wanted(result: Result): Wanted {
    const first = this.study.given?.query ?? result.all('outputs').toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0))[0];
    return { cheap: first?.name, whole: givenBy(result) };
  }

  private async counts(result: Result): Promise<void> {
    this.stop();
    this.halted = false;
    this.counter?.close();
    const client = load();
    this.counter = client;
    const sides = this.documents();
    this.sides = sides;
    for (const { document, grown } of sides) {
      const going = await count(client, this.store.book, document, this.wanted(result), grown,
        () => this.counter === client && this.requestUpdate());
      if (!going || this.counter !== client) return;
    }
    client.close();
    this.counter = undefined;
    this.requestUpdate();
  }

  /** Measures in a worker of its own, a point at a time; the page goes on. */
  async measure(): Promise<void> {
    const { result } = this.study;
    if (this.running || !result) return;
    const client = load();
    this.timer = client;
    this.running = true;
    this.halted = false;
    for (const { grown } of this.sides) {
      grown.times = [];
      delete grown.long;
    }
    for (const { document, grown } of this.sides) {
      const going = await time(client, this.store.book, document, this.wanted(result), grown,
        () => this.timer === client && this.requestUpdate());
      if (!going || this.timer !== client) return;
    }
    this.finish();
  }

  stop(): void {
    if (!this.running) return;
    this.finish();
    this.halted = true;
  }

  private finish(): void {
    const { timer } = this;
    this.timer = undefined;
    timer?.close();
    this.running = false;
  }

  override render(): unknown {
    // Beside a form its maps say what A and B are.
    const sides = this.study.form || this.sides.length < 2 ? nothing : html`<p class="note" data-part="sides">${
      this.sides.map(({ letter, name }, k) => html`${k > 0 ? strings.comma : nothing}<b>${letter}</b> ${name()}`)}</p>`;
    return html`${sides}<div class="two">${this.counting()}${this.timing()}${this.memory()}</div>`;
  }

  // One line alone needs no letter: its name says what it is.
  private lettered(letter: string): string {
    return this.sides.length > 1 ? letter : (this.sides[0]?.name() ?? letter);
  }

  private points(of: (grown: Grown) => Point[]): Point[][] {
    return this.sides.map(({ grown }) => of(grown));
  }

  private counting(): unknown {
    const { which } = this;
    const lines = this.points(({ counts }) => counts.map((one) => ({ n: one.n, value: one[which] })));
    const exact = this.sides.every(({ grown }) => grown.counts.every((one) => one.exact));
    const chart = this.chart(words().countTitle, `${words().countNote}${exact ? '' : `; ${words().atMost}`}`,
      words().counts[which], lines, counted, 'fewer');
    return html`<div class="one" data-part="counts">${plot(chart)}<div
      class="row"><label>${words().countMenu} <select
      @change=${(e: Event) => (this.which = COUNTS[(e.target as HTMLSelectElement).selectedIndex]!)}>
      ${COUNTS.map((one) => html`<option
        ?selected=${one === which}>${words().counts[one]}</option>`)}</select></label></div>
      ${this.following()}${this.said(lines, 'fewer', exact)}${this.kept()}${this.table(lines, counted)}</div>`;
  }

  // A table of parts, which keeps every map, counts more than these lines.
  private kept(): unknown {
    const { which, sides } = this;
    const found = sides.flatMap(({ letter, grown: { counts: [first], kept } }) =>
      (!first || !kept || first[which] === kept[which] ? [] : [{ letter, n: first.n,
        said: words().insteadOf(this.lettered(letter), whole(kept[which]), whole(first[which])) }]));
    const [any] = found;
    return any === undefined ? nothing : html`<p class="note" data-part="kept">${words().mapsKept(any.n,
      words().counts[which], found.map(({ said }) => said))}${this.study.form && which === 'multiply_adds'
      && found.some(({ letter }) => letter === 'A') ? ` ${words().scaledQueries}` : ''}</p>`;
  }

  // The same of what was measured, for the sides whose runs compute more.
  private ranMore(): unknown {
    const found = this.sides.filter(({ grown }) => runsMore(grown) && grown.times.length > 0)
      .map(({ letter, grown: { counts, measured } }) => ({ name: this.lettered(letter), n: measured!.n,
        said: words().insteadOf(this.lettered(letter), whole(measured!.multiply_adds),
          whole(counts[0]!.multiply_adds)) }));
    const [any] = found;
    return any === undefined ? nothing : html`<p class="note" data-part="runs-more">${words().runsMore(
      found.map(({ name }) => name), any.n, found.map(({ said }) => said))}</p>`;
  }

  // A number that nobody set and that grows with the words is another one at every size.
  private following(): unknown {
    const { form } = this.study;
    const knobs = (form?.mechanism.knobs ?? []).filter(({ name, type, default: standard }) =>
      type !== 'choice' && typeof standard === 'string' && OF_LENGTH.test(standard) && form?.own[name] === undefined);
    return knobs.map((knob) => html`<p class="note" data-part="follows">${
      words().follows(knob.title, isolated(String(knob.default)))}</p>`);
  }

  private timing(): unknown {
    const { sides, running } = this;
    const lines = this.points(({ times }) => times.map(({ n, ms }) => ({ n, value: Math.max(ms, SHORTEST) })));
    const onward = sides.map(({ grown }, k) =>
      (grown.long === undefined || runsMore(grown) ? []
      : goOn(lines[k]!, grown.counts.map((one) => ({ n: one.n, value: one.multiply_adds })))));
    const chart = this.chart(words().timeTitle, words().timeNote, 'ms', lines, asMs, 'faster', onward);
    const done = sides.reduce((sum, { grown }) =>
      sum + (grown.long === undefined && !grown.refused ? grown.times.length : SIZES.length), 0)
      / Math.max(1, sides.length * SIZES.length);
    const measured = lines.some((line) => line.length > 0);
    // Before there is a curve, what makes one stands in its place.
    const doing = running ? html`<progress max="1" .value=${done}
        aria-label=${words().measuring}></progress><button class="button" data-part="stop"
        @click=${() => this.stop()}>${words().stop}</button>`
      : html`<button class="button" data-part="measure" ?disabled=${sides.length === 0}
        @click=${() => void this.measure()}>${measured ? words().measureAgain : words().measure}</button>${
        this.halted ? html`<span class="note" role="status">${words().stopped}</span>` : nothing}`;
    return html`<div class="one" data-part="times">${plot(measured ? chart
      : { ...chart, empty: html`<div class="row">${doing}</div>` })}${
      measured ? html`<div class="row">${doing}</div>` : nothing}
      ${this.said(lines, 'faster')}
      ${sides.map(({ letter, grown }) =>
        html`${grown.long === undefined ? nothing
        : html`<p class="note">${words().endedLong(this.lettered(letter), grown.long)}${
          runsMore(grown) ? nothing : ` ${words().estimated}`}</p>`}
        ${grown.refused ? ended(this.lettered(letter), grown.refused) : nothing}`)}
      ${this.ranMore()}
      ${sides.length > 1 ? html`<p class="note">${words().honest}</p>` : nothing}${this.table(lines, asMs)}</div>`;
  }

  // All numbers of one run: as many whatever the machine does, so a size that is not reached has no estimate.
  private memory(): unknown {
    const lines = this.points(({ times }) => times.map(({ n, numbers }) => ({ n, value: numbers * BYTES })));
    if (lines.every((line) => line.length === 0)) return nothing;
    const chart = this.chart(words().memoryTitle, words().memoryNote, words().counts.bytes, lines, counted, 'fewer');
    return html`<div class="one" data-part="memory">${plot(chart)}${this.said(lines, 'fewer')}${
      this.table(lines, counted)}</div>`;
  }

  private chart(title: string, note: string, unit: string, lines: Point[][], written: (value: number) => string,
    kind: 'fewer' | 'faster', onward: Point[][] = []): Plot {
    const cross = this.crossed(lines);
    const said = cross?.kind === 'from'
      ? { mark: { n: cross.n, text: kind === 'fewer' ? words().fewerFrom(near(cross.n))
      : words().fasterFrom(near(cross.n)) } } : {};
    return {
      title, note: `${unit}; ${note}`, unit, axis: words().axisWords, ends: [SIZES[0]!, SIZES.at(-1)!], written,
      ...said,
      curves: this.sides.map(({ letter, name }, k) =>
        ({ name: name(), ...(lines.length > 1 ? { letter } : {}), style: letter === 'A' ? 'a' : 'b', points: lines[k]!,
        onward: onward[k] ?? [] })),
    };
  }

  private crossed(lines: Point[][]): Crossing | undefined {
    return lines.length === 2 ? crossing(lines[0]!, lines[1]!) : undefined;
  }

  // Where nothing crosses, it is said which lies below; a bound that lies above says nothing of what it bounds.
  private said(lines: Point[][], kind: 'fewer' | 'faster', exact = true): unknown {
    const cross = this.crossed(lines);
    if (!cross || cross.kind === 'from') return nothing;
    const all = kind === 'fewer'
      ? { always: words().fewerAlways, never: exact ? words().fewerNever : words().fewerUnknown }
      : { always: words().fasterAlways, never: words().fasterNever };
    return html`<p class="note">B: ${all[cross.kind]}</p>`;
  }

  private table(lines: Point[][], written: (value: number) => string): unknown {
    const sizes = SIZES.filter((n) => lines.some((line) => line.some((one) => one.n === n)));
    if (sizes.length === 0) return nothing;
    const heads = ['n', ...this.sides.map(({ letter, name }) => `${lines.length > 1 ? letter : ''} ${name()}`)];
    return html`<details><summary>${words().numbers}</summary>${table(words().numbers, heads, sizes.map((n) =>
      html`<tr><th scope="row">${whole(n)}</th>${lines.map((line) => {
        const found = line.find((one) => one.n === n);
        return html`<td title=${found ? full(found.value) : ''}>${found ? written(found.value) : '–'}</td>`;
      })}</tr>`))}</details>`;
  }
}
customElements.define('ap-growth', GrowthElement);
