// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { sideName } from '../compare/side-names.ts';
import { asMs, counted, full, SHORTEST } from '../colour/numbers.ts';
import { growth, type Leaving, leavings, type Point, rising } from '../cost/fit.ts';
import { rowsIn, sizesFor } from '../cost/grow.ts';
import { type Job, jobsOf } from '../cost/jobs.ts';
import { plot, type Plot } from '../cost/log-chart.ts';
import { COLUMNS as COUNTS } from '../cost/part-costs.ts';
import { table } from '../cost/table.ts';
import { OwnEngine, type Work } from '../engine/own-engine.ts';
import type { Doc } from '../engine/types.ts';
import { naming } from '../directory/naming.ts';
import { isMap } from '../directory/typed.ts';
import { plane, type Plane } from '../engine/result.ts';
import { givenBy } from '../directory/outcome.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import { strings } from '../strings/en.ts';
import { isolated } from '../strings/language.ts';
import { raised, whole } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { csvText } from '../files/csv.ts';
import { crossing, type Crossing, goOn, near } from './crossing.ts';
import { ended, uncounted } from './engine-stopped.ts';
import { count, type Grown, nothingYet, runsMore, type Sample, SIZES, time, timedSizes,
  type Wanted } from './growth.ts';
import { isCausal, plainOf, withoutMasks } from './softmax-document.ts';
import { plotStyles } from './styles.ts';
import type { Study } from './study.ts';
import { words } from './words.ts';

// An expression of the number of queries or keys.
const OF_LENGTH = /(?<![a-z])[mn](?![a-z])/;
const BYTES = 4;
type Counted = (typeof COUNTS)[number];

interface Side extends Job {
  grown: Grown;
}

const memoryOf = ({ times }: Grown): Point[] => times.map(({ n, numbers }) => ({ n, value: numbers * BYTES }));

/**
 * What a document costs over the number of words. With a study, what is counted and measured of its context, beside
 * softmax attention or all pairs; else every map of the page's document is measured.
 */
export class GrowthElement extends Part {
  @reactive study: Study | undefined;
  @reactive sides: readonly Side[] = [];
  @reactive which: Counted = 'multiply_adds';
  @reactive halted = false;
  private readonly counter = new OwnEngine(this);
  private readonly timer = new OwnEngine(this);

  static override styles = plotStyles;

  override willUpdate(): void {
    const { study, store: { book, comparison: { held }, documents: { document: { mechanism, model } } } } = this;
    if (!book.whole || (study && !study.result)) return;
    this.counter.of([JSON.stringify([mechanism, model, held])], async (client, goesOn) => {
      this.timer.stop();
      this.halted = false;
      this.sides = this.jobs().map((job) => ({ ...job,
        grown: nothingYet(study ? SIZES : sizesFor(job.document, rowsIn(this.store.sessions.result))) }));
      if (!study) return this.measure();
      for (const { document, grown } of this.sides)
        if (!await count(client, book, document, this.wanted, grown, () => goesOn() && this.requestUpdate())) return;
    });
  }

  private jobs(): Job[] {
    const { store, study } = this;
    if (!study) return jobsOf(store);
    const { form, given } = study;
    const { book, comparison, documents: { document } } = store;
    const pair = (one: () => string, other: Doc, name: () => string): Job[] =>
      [{ letter: 'A', name: one, document: other }, { letter: 'B', name, document }];
    if (form) return pair(() => words().softmax, plainOf(book, document, form, given?.mask !== undefined),
      () => form.mechanism.title);
    // Softmax attention is held against the other side of a comparison, or else against itself without masks.
    if (comparison.on) return jobsOf(store);
    const open = withoutMasks(book, document, isCausal(this.masks()));
    return open ? pair(() => open.mechanism['mask'] === undefined ? words().allPairs : words().allCausal, open,
      () => sideName(book, document, open).own.map(({ mechanism }) => mechanism!.title).join(strings.comma))
      : [{ letter: 'B', name: () => book.module(document)?.title ?? words().ownResults, document }];
  }

  private masks(): Plane[] {
    return this.study?.result?.all('outputs').filter((one) => one.role === 'mask' && isMap(one) && one.data.length > 0)
      .map((one) => plane(one, {})) ?? [];
  }

  // Of what is computed here: what it gives, and the first thing on the way to it.
  private get wanted(): Wanted {
    const { result, given } = this.study ?? {};
    const first = given?.query ?? result?.all('outputs').toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0))[0];
    return { cheap: first?.name, whole: result ? givenBy(result) : [] };
  }

  /** Measures in a worker of its own, a point at a time; the page goes on. */
  measure(): Promise<void> {
    this.halted = false;
    for (const { grown } of this.sides) {
      grown.times = [];
      delete grown.long;
    }
    return this.timer.begin(this.times);
  }

  private readonly times: Work = async (client, goesOn) => {
    for (const { document, grown } of this.sides)
      if (!await time(client, this.store.book, document, this.wanted, grown, () => goesOn() && this.requestUpdate()))
        return;
  };

  stop(): void {
    this.halted = this.timer.runs;
    this.timer.stop();
  }

  override render(): unknown {
    // Beside a form its maps say what A and B are.
    const sides = this.study?.form || this.sides.length < 2 ? nothing : html`<p class="note" data-part="sides">${
      this.sides.map(({ letter, name }, k) => html`${
        k > 0 ? strings.semicolon : nothing}<b>${letter}</b> ${name()}`)}</p>`;
    return html`${sides}<div class="two">${this.study ? this.counting() : nothing}${this.timing()}${
      this.memory()}</div>${this.study ? nothing : this.sides.map((side) => this.powers(side))}`;
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
    // The counts grow with it as well as with the words.
    const { given, result } = this.study!;
    const width = (given?.query ?? result?.all('outputs').find(({ role }) => role === 'query'))?.shape.at(-1);
    const note = [words().countNote, ...(width === undefined ? [] : [words().queryWidth(width)]),
      ...(exact ? [] : [words().atMost])].join(strings.semicolon);
    const chart = this.chart(words().countTitle, note, words().counts[which], lines, counted, 'fewer');
    return html`<div class="one" data-part="counts">${plot(chart)}<div class="row"><label>${
      words().countMenu} ${select(COUNTS.map((one) => [one, words().counts[one]]), which,
        (one) => (this.which = one))}</label></div>
      ${this.following()}${this.said(lines, 'fewer', exact)}${this.sides.map(({ letter, grown }) =>
        uncounted(this.lettered(letter), grown))}${this.kept()}${
        this.table(words().counts[which], lines, counted)}</div>`;
  }

  // A table of parts, which keeps every map, counts more than these lines.
  private kept(): unknown {
    const { which, sides } = this;
    const found = sides.flatMap(({ letter, grown: { counts: [first], kept } }) =>
      (!first || !kept || first[which] === kept[which] ? [] : [{ letter, n: first.n,
        said: words().insteadOf(this.lettered(letter), whole(kept[which]), whole(first[which])) }]));
    const [any] = found;
    return any === undefined ? nothing : html`<p class="note" data-part="kept">${words().mapsKept(any.n,
      words().counts[which], found.map(({ said }) => said))}${this.study?.form && which === 'multiply_adds'
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
    const { form } = this.study ?? {};
    const knobs = (form?.mechanism.knobs ?? []).filter(({ name, type, default: standard }) =>
      type !== 'choice' && typeof standard === 'string' && OF_LENGTH.test(standard) && form?.own[name] === undefined);
    return knobs.map((knob) => html`<p class="note" data-part="follows">${
      words().follows(knob.title, isolated(String(knob.default)))}</p>`);
  }

  private timing(): unknown {
    const { sides, timer: { runs } } = this;
    const lines = this.points(({ times }) => times.map(({ n, ms }) => ({ n, value: Math.max(ms, SHORTEST) })));
    const onward = sides.map(({ grown }, k) =>
      (grown.long === undefined || runsMore(grown) ? []
      : goOn(lines[k]!, grown.counts.map((one) => ({ n: one.n, value: one.multiply_adds })))));
    const chart = this.chart(words().timeTitle, words().timeNote, 'ms', lines, asMs, 'faster', onward);
    // From the quickest to the slowest round: where bands lie on each other, the times do not tell the sizes apart.
    chart.curves = chart.curves.map((curve, k) => ({ ...curve,
      band: sides[k]!.grown.times.map(({ n, ms, slowest = ms }) =>
        ({ n, low: Math.max(ms, SHORTEST), high: Math.max(slowest, SHORTEST) })) }));
    const done = sides.reduce((sum, { grown }) => sum + (grown.long === undefined && !grown.refused
      ? grown.times.length / timedSizes(grown.sizes).length : 1), 0) / Math.max(1, sides.length);
    const measured = lines.some((line) => line.length > 0);
    // Before there is a curve, what makes one stands in its place.
    const doing = runs ? html`<progress max="1" .value=${done}
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
          runsMore(grown) || grown.counts.length === 0 ? nothing : ` ${words().estimated}`}</p>`}
        ${ended(this.lettered(letter), grown)}`)}
      ${this.ranMore()}
      ${this.study && sides.length > 1 ? html`<p class="note">${words().honest}</p>` : nothing}${
      this.table(words().timeTitle, lines, asMs, sides.map(({ grown: { times } }) => times))}</div>`;
  }

  // All numbers of one run: as many whatever the machine does, so a size that is not reached has no estimate.
  private memory(): unknown {
    const lines = this.points(memoryOf);
    if (lines.every((line) => line.length === 0)) return nothing;
    const left = this.sides.map(({ grown }) => leavings(grown.times));
    const chart = this.chart(words().memoryTitle, words().memoryNote, words().memoryUnit, lines, counted, 'fewer');
    return html`<div class="one" data-part="memory">${plot({ ...chart, changes: left.flat().map(({ n }) => n) })}${
      this.leftOut(left)}${this.said(lines, 'fewer')}${
      this.table(words().memoryTitle, lines, counted)}</div>`;
  }

  // What is true of both sides is written once, with both letters before it.
  private leftOut(left: Leaving[][]): unknown {
    const { result } = this.store.sessions;
    const called = (name: string): string => {
      const { title } = naming(result?.find(name, 'outputs')
        ?? { name, group: 'outputs', role: 'output', within: name.split('.').slice(0, -1).join('.'), dimensions: [] });
      return title === name ? quote(name) : title;
    };
    const told = new Map<string, { letters: string[]; one: Leaving }>();
    for (const [k, all] of left.entries())
      for (const one of all) {
        const same = told.get(JSON.stringify(one));
        if (same) same.letters.push(this.sides[k]!.letter);
        else told.set(JSON.stringify(one), { letters: [this.sides[k]!.letter], one });
      }
    return [...told.values()].map(({ letters, one: { n, names, before } }) => html`<p class="note" data-part="left">${
      this.sides.length > 1 ? html`<b>${letters.join(strings.comma)}</b>: ` : nothing}${
      withQuotes(strings.cost.left(n, names.map(called)))}${
      before === undefined ? nothing : ` ${strings.cost.falls(n, before)}`}</p>`);
  }

  // Where memory falls, another way of computing begins: both powers are of the sizes before. While sizes are still to
  // come, what a first run costs would be taken for growth.
  private powers({ letter, grown }: Side): unknown {
    const kept = rising(memoryOf(grown));
    const [time, memory] = [growth(grown.times.slice(0, kept.length).map(({ n, ms }) => ({ n, value: ms }))),
      growth(kept)];
    if (!time || !memory || this.timer.runs) return nothing;
    return html`<p data-part="powers"><b>${this.lettered(letter)}</b>: ${strings.cost.grows(raised(time.exponent, 1),
      raised(memory.exponent, 1), time.from, kept.at(-1)!.n)}</p>`;
  }

  private chart(title: string, note: string, unit: string, lines: Point[][], written: (value: number) => string,
    kind: 'fewer' | 'faster', onward: Point[][] = []): Plot {
    const cross = this.crossed(lines, kind);
    const said = cross?.kind === 'from' ? { mark: { n: cross.n, text: `B: ${
      kind === 'fewer' ? words().fewerFrom(near(cross.n)) : words().fasterFrom(near(cross.n))}` } } : {};
    const { sizes } = this;
    return {
      title, note: `${unit}${strings.semicolon}${note}`, unit, axis: words().axisWords,
      ends: [sizes[0]!, sizes.at(-1)!], written, ...said, ...(this.study ? {} : { powers: true, sizes }),
      curves: this.sides.map(({ letter, name }, k) =>
        ({ name: name(), ...(lines.length > 1 ? { letter } : {}), style: letter === 'A' ? 'a' : 'b', points: lines[k]!,
        onward: onward[k] ?? [] })),
    };
  }

  private get sizes(): readonly number[] {
    const all = [...new Set(this.sides.flatMap(({ grown: { sizes } }) => sizes))].toSorted((a, b) => a - b);
    return all.length > 0 ? all : SIZES;
  }

  // Times are measured, all else is counted.
  private crossed(lines: Point[][], kind: 'fewer' | 'faster'): Crossing | undefined {
    return lines.length === 2 ? crossing(lines[0]!, lines[1]!, kind === 'faster') : undefined;
  }

  // Where nothing crosses, it is said which lies below; a bound that lies above says nothing of what it bounds.
  private said(lines: Point[][], kind: 'fewer' | 'faster', exact = true): unknown {
    const cross = this.crossed(lines, kind);
    if (!cross || cross.kind === 'from') return nothing;
    const all = kind === 'fewer'
      ? { always: words().fewerAlways, never: exact ? words().fewerNever : words().fewerUnknown }
      : { always: words().fasterAlways, never: words().fasterNever };
    return html`<p class="note">B: ${all[cross.kind]}</p>`;
  }

  private timed(sample: Sample | undefined): unknown {
    return html`<td>${sample?.slowest === undefined ? '–' : asMs(sample.slowest)}</td><td>${sample?.runs ?? '–'}</td>`;
  }

  /** The numbers of a chart; `what` names the file of them. */
  private table(what: string, lines: Point[][], written: (value: number) => string, samples?: Sample[][]): unknown {
    const sizes = this.sizes.filter((n) => lines.some((line) => line.some((one) => one.n === n)));
    if (sizes.length === 0) return nothing;
    const named = this.sides.map(({ letter, name }) => `${lines.length > 1 ? letter : ''} ${name()}`.trim());
    const runs = named.flatMap((name) => [words().slowest, strings.cost.runs].map((said) =>
      name + strings.comma + said));
    const heads = ['n', ...named, ...(samples ? runs : [])];
    const at = <T extends { n: number }>(list: readonly T[], n: number) => list.find((one) => one.n === n);
    const csv = () => csvText([heads, ...sizes.map((n) => [n, ...lines.map((line) => at(line, n)?.value),
      ...(samples ?? []).flatMap((list) => [at(list, n)?.slowest, at(list, n)?.runs])])]);
    return html`<details><summary>${words().numbers}</summary>${table(words().numbers, heads, sizes.map((n) =>
      html`<tr><th scope="row">${whole(n)}</th>${lines.map((line) => {
        const found = at(line, n);
        return html`<td title=${found ? full(found.value) : ''}>${found ? written(found.value) : '–'}</td>`;
      })}${samples?.map((list) => this.timed(at(list, n)))}</tr>`))}<button class="text" data-part="csv"
        @click=${() => save(new Blob([csv()], { type: 'text/csv' }), savedName(this, 'csv', what))}>
        ${words().saveTable}</button></details>`;
  }
}
customElements.define('ap-growth', GrowthElement);
