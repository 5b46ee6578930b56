// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { onLegend } from '../colour/numbers.ts';
import { OwnEngine, type Work } from '../engine/own-engine.ts';
import { plotStyles } from '../efficient/styles.ts';
import { words } from '../efficient/words.ts';
import { words as heads } from '../heads/words.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import { strings } from '../strings/en.ts';
import { fixed, whole } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { rowsIn, sizesFor } from './grow.ts';
import { type Job, jobsOf } from './jobs.ts';
import { plot } from './log-chart.ts';
import { curveOf, EVEN, type Length, LONGEST, overLengths, type Spread, SPREAD } from './map-growth.ts';
import { table } from './table.ts';

interface Line extends Job {
  lengths: Length[];
  refused?: string;
  /** No length was tried. */
  without?: boolean;
}

/** How widely the document's attention is spread over the length of a text; it is run when the reader asks for it. */
export class SpreadGrowthElement extends Part {
  @reactive lines: readonly Line[] = [];
  @reactive which: Spread = 'effective';
  private readonly engine = new OwnEngine(this);
  private of = '';

  static override styles = [plotStyles, css`.one { margin-top: var(--space-6); }`];

  // Of another model the lines are no longer those of the page.
  override willUpdate(): void {
    const { comparison: { held }, documents: { document: { mechanism, model } } } = this.store;
    const now = JSON.stringify([mechanism, model, held]);
    if (now === this.of) return;
    this.of = now;
    if (this.engine.runs) this.engine.stop();
    this.lines = [];
  }

  private readonly work: Work = async (client, goesOn) => {
    const { store } = this;
    const lines: Line[] = jobsOf(store).map((job) => ({ ...job, lengths: [] }));
    this.lines = lines;
    for (const line of lines) {
      const sizes = sizesFor(line.document, rowsIn(store.sessions.result)).filter((n) => n <= LONGEST);
      if (sizes.length === 0) line.without = true;
      const ended = await overLengths(client, store.book, line.document, sizes, (length) => {
        line.lengths.push(length);
        if (goesOn()) this.lines = [...lines];
      });
      if (ended === 'closed' || !goesOn()) return;
      if (ended) line.refused = ended.refused;
      this.lines = [...lines];
    }
  };

  override render(): unknown {
    const { lines, which, engine: { runs } } = this;
    const say = words().spreadGrowth;
    const curves = lines.map(({ lengths }) => curveOf(lengths, which));
    const sizes = [...new Set(curves.flatMap((curve) => curve.map(({ n }) => n)))].toSorted((a, b) => a - b);
    const button = runs ? html`<button class="button" data-part="stop-spread" @click=${() => this.engine.stop()}>${
      words().stop}</button>` : html`<button class="button" data-part="compute-spread"
      @click=${() => void this.engine.begin(this.work)}>${say.compute}</button>`;
    const done = !runs && lines.length > 0;
    return html`<h3>${say.title}</h3><p class="note">${say.about}</p>
      <div class="row">${button}<label>${say.measure} ${select(SPREAD.map((id) => [id, heads().measured[id]]), which,
        (id) => (this.which = id), { part: 'spread-of' })}</label></div>
      ${sizes.length === 0 ? nothing : html`<div class="one" data-part="spread-growth">${plot({
        title: heads().measured[which], note: say.note, unit: heads().measured[which], axis: words().axisWords,
        ends: [sizes[0]!, Math.max(sizes.at(-1)!, sizes[0]! * 2)], sizes, written: onLegend,
        curves: [...lines.map(({ letter, name }, k) => ({ name: name(),
          style: letter === 'A' ? 'a' as const : 'b' as const, ...(lines.length > 1 ? { letter } : {}),
          points: curves[k]!, band: curves[k]! })),
          { name: say.even, style: 'a' as const, points: [],
            onward: sizes.map((n) => ({ n, value: EVEN[which](n) })) }],
      })}<p class="note">${say.dashed}</p></div>${this.table(sizes, curves)}`}
      ${done && sizes.length === 0 ? html`<p class="note" role="status">${
        lines.every(({ without }) => without) ? say.noLength : say.none}</p>` : nothing}
      ${lines.map(({ name, refused }) => (refused === undefined ? nothing
        : html`<p class="note">${withQuotes(say.refused(name(), quote(refused)))}</p>`))}`;
  }

  private table(sizes: readonly number[], curves: readonly ReturnType<typeof curveOf>[]): unknown {
    const say = words().spreadGrowth;
    const named = this.lines.map(({ letter, name }) => `${this.lines.length > 1 ? `${letter} ` : ''}${name()}`);
    return html`<details><summary>${words().numbers}</summary>${table(words().numbers,
      ['n', ...named.flatMap((name) => [name, `${name}${strings.comma}${say.range}`])], sizes.map((n) =>
        html`<tr><th scope="row">${whole(n)}</th>${curves.map((curve) => {
          const one = curve.find((point) => point.n === n);
          return html`<td data-n=${n}>${one ? fixed(one.value, 3) : '–'}</td><td>${
            one ? strings.fromTo(fixed(one.low, 3), fixed(one.high, 3)) : '–'}</td>`;
        })}</tr>`), 'spread-table')}</details>`;
  }
}
customElements.define('ap-spread-growth', SpreadGrowthElement);
