// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { asMs, full } from '../colour/numbers.ts';
import type { Client } from '../engine/client.ts';
import { load } from '../engine/load.ts';
import { asOpened } from '../part-by-part/other-document.ts';
import { words as besideWords } from '../part-by-part/words.ts';
import { documentCalled } from '../gallery/document-name.ts';
import '../decoding-memory/memory-view.ts';
import type { Job } from '../decoding-memory/memory-view.ts';
import { Part, reactive } from '../part.ts';
import { reasonOf } from '../state/choice-rescue.ts';
import { strings } from '../strings/en.ts';
import { raised, whole } from '../strings/numerals.ts';
import { quote, told } from '../strings/quote.ts';
import { chart } from './chart.ts';
import { chartStyles } from './chart.styles.ts';
import './part-table.ts';
import { growth, leavings, type Point, rising } from './fit.ts';
import { LARGEST } from './grow.ts';
import { type Curve, measure, type Sample } from './measure.ts';
import { table, tableStyles } from './table.ts';

const BYTES = 4;
const megabytes = ({ numbers }: Sample): number => (numbers * BYTES) / 1e6;

// What the engine advises is of no use here, where the number of words grows until it is refused.
const whyOf = (message: string): string =>
  reasonOf(message).split('; ')[0]!.replace(/\b\d{5,}\b/g, (digits) => whole(Number(digits)));

/** How time and memory grow with the number of words, measured in this browser. */
export class CostElement extends Part {
  @reactive curves: Curve[] = [];
  /** How much is done; undefined when nothing is being measured. */
  @reactive share: number | undefined;
  @reactive stopped = false;
  private client: Client | undefined;

  static override styles = [chartStyles, tableStyles, css`
    :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-7);
      padding: 0 var(--space-10) var(--space-10); }
    .run { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--space-6); align-items: center;
    min-height: var(--control-large); }
    progress { width: 100%; height: 8px; accent-color: var(--ink); }
    .button { min-width: 84px; }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
      gap: var(--space-8); }
    .found { display: grid; gap: var(--space-2); }
    .found b { font-weight: 600; }
  `];

  override connectedCallback(): void {
    super.connectedCallback();
    queueMicrotask(() => void this.begin());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  private get jobs(): Job[] {
    const { comparison, book, documents: { document } } = this.store;
    if (comparison.on) return (['A', 'B'] as const).map((side) =>
      ({ name: side, document: comparison.documentOf(side) }));
    const name = documentCalled(book, document) ?? strings.structure.together;
    const { base } = this.store.documents;
    // Of a model that was changed it is seen what the change saves.
    const before = JSON.stringify(document['model']) === JSON.stringify(base['model']) ? []
      : [{ name: besideWords().opened(name), document: asOpened(document, base).document }];
    return [{ name, document }, ...before];
  }

  /** Measures anew, in a worker of its own: the page goes on, and stopping ends the run that is under way. */
  async begin(): Promise<void> {
    if (this.share !== undefined || !this.store) return;
    const { book } = this.store;
    const client = load();
    this.client = client;
    this.curves = [];
    this.stopped = false;
    this.share = 0;
    const { jobs } = this;
    for (const [k, job] of jobs.entries()) {
      await measure(client, book, job.name, job.document, (curve, share) => {
        if (this.client !== client) return;
        this.curves = [...this.curves.filter((one) => one !== curve), curve];
        this.share = (k + share) / jobs.length;
      });
      if (this.client !== client) return;
    }
    client.close();
    this.client = this.share = undefined;
  }

  stop(): void {
    if (this.share === undefined) return;
    const { client } = this;
    this.client = this.share = undefined;
    this.stopped = true;
    client?.close();
  }

  override render(): unknown {
    const { curves, share } = this;
    const words = strings.cost;
    const lines = (value: (sample: Sample) => number) =>
      curves.map(({ name, samples }) => ({ name, points: points(samples, value) }));
    const kept = lines(megabytes).map((line, k) => ({ ...line, from: leavings(curves[k]!.samples).map(({ n }) => n) }));
    return html`<p class="quiet">${words.about}</p>
      <div class="run">${share === undefined
        ? html`<span class="note" role="status">${
        this.stopped ? words.stopped : curves.length ? words.done : ''}</span><button class="button" data-part="again"
        @click=${() => void this.begin()}>${words.again}</button>`
        : html`<progress max="1" .value=${share} aria-label=${words.measuring}></progress><button class="button"
        data-part="stop" @click=${() => this.stop()}>${words.stop}</button>`}</div>
      <div class="charts" data-part="measured">${chart(words.time, words.milliseconds,
        lines(({ ms }) => ms), LARGEST)}${
        chart(words.memory, words.megabytes, kept, LARGEST, curves.map((curve) => this.left(curve)))}</div>
      ${curves.map((curve) => this.found(curve))}
      ${curves.map((curve) => this.table(curve))}
      <ap-kept .jobs=${this.jobs}></ap-kept>
      <ap-cost-parts></ap-cost-parts>
      <p class="note">${words.honest}</p>`;
  }

  private found({ name, samples, refused }: Curve): unknown {
    // Where memory falls, another way of computing begins: both powers are of the sizes before. While sizes are still
    // to come, what a first run costs would be taken for growth.
    const kept = samples.slice(0, rising(points(samples, megabytes)).length);
    const [time, memory] = [growth(points(kept, ({ ms }) => ms)), growth(points(kept, megabytes))];
    return html`<div class="found" data-curve=${name}>
      ${time && memory && this.share === undefined ? html`<p><b>${name}</b>: ${
        strings.cost.grows(raised(time.exponent, 1), raised(memory.exponent, 1), time.from,
          kept.at(-1)!.n)}</p>` : nothing}
      ${refused ? html`<p class="note">${this.curves.length > 1 ? html`<b>${name}</b>: ` : nothing}${
        told(strings.cost.refused(refused.n, quote(whyOf(refused.message))))}</p>` : nothing}</div>`;
  }

  // Beside the curve, which falls there or grows more slowly.
  private left({ name, samples }: Curve): unknown {
    const { left, falls } = strings.cost;
    return leavings(samples).map(({ n, names, before }) => html`<p class="note" data-part="left">${
      this.curves.length > 1 ? html`<b>${name}</b>: ` : nothing}${told(left(n, names.map(quote)))}${
      before === undefined ? nothing : ` ${falls(n, before)}`}</p>`);
  }

  private table({ name, samples }: Curve): unknown {
    if (samples.length === 0) return nothing;
    const words = strings.cost;
    return html`<details data-curve=${name}><summary>${words.numbers(name)}</summary>${table(words.numbers(name),
      ['n', words.milliseconds, words.megabytes, words.runs], samples.map((sample) => html`<tr><th
      scope="row">${sample.n}</th><td>${asMs(sample.ms)}</td><td>${full(megabytes(sample))}</td><td>${
      sample.runs}</td></tr>`))}</details>`;
  }
}

const points = (samples: Sample[], value: (sample: Sample) => number): Point[] =>
  samples.map((sample) => ({ n: sample.n, value: value(sample) }));

customElements.define('ap-cost', CostElement);
