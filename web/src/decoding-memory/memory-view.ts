// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { chart } from '../cost/chart.ts';
import { chartStyles } from '../cost/chart.styles.ts';
import { positionsOf, rowsIn } from '../cost/grow.ts';
import { table, tableStyles } from '../cost/table.ts';
import type { Client } from '../engine/client.ts';
import { OwnEngine } from '../engine/own-engine.ts';
import type { Doc, Held, Json } from '../engine/types.ts';
import { maximum } from '../lists.ts';
import { Part, reactive } from '../part.ts';
import { whole } from '../strings/numerals.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { type Answer, bytesAfter, type Kept, keptBy, sizesUpTo, whyNot } from './kept-numbers.ts';
import { nameOfHeld } from './tensor-name.ts';
import { words } from './words.ts';
import type { Book } from '../state/catalogue.ts';

const CAUSAL = 'mask-causal';

/**
 * The masks of a document of one module with a causal mask among them: then a word no longer depends on later words, so
 * its keys and values can be kept. Undefined where the module has no masks, or has such a mask already.
 */
function masksWithCausal(book: Book, document: Doc): Json[] | undefined {
  const slot = book.module(document)?.slots.find(({ kind, list }) => kind === 'mask' && list);
  const has = book.choices(document).some(({ mechanism }) => mechanism?.id === CAUSAL);
  if (!slot || has) return undefined;
  const now = document.mechanism[slot.name] ?? [];
  return [...(Array.isArray(now) ? now : [now]), CAUSAL];
}

const withCausal = (document: Doc, mask: Json[]): Doc => ({ ...document,
  mechanism: { ...document.mechanism, mask } });

/** What a document keeps, and where it keeps nothing without a causal mask, what it keeps with it. */
interface Counted {
  answer: Answer;
  causal?: { kept: Kept; mask: Json[] };
}

export interface Job {
  name: string;
  document: Doc;
}

const AFTER = [128, 1024, 16_384] as const;
const SIZES = Array.from({ length: 12 }, (_, k) => 8 * 2 ** k);

const isKept = (answer: Answer | undefined): answer is Kept => answer !== undefined && 'numbers' in answer;

/** What documents must keep to write the next word: their bytes against the number of words, and what they are. */
export class KeptElement extends Part {
  @reactive jobs: readonly Job[] = [];
  @reactive answers: readonly (Counted | undefined)[] = [];
  private readonly engine = new OwnEngine(this);

  static override styles = [chartStyles, tableStyles, css`
    :host { display: block; min-width: 0; }
    .charts { max-width: 460px; margin: var(--space-4) 0; }
  `];

  override updated(): void {
    const { jobs } = this;
    if (jobs.length > 0) this.engine.of([JSON.stringify(jobs)], async (client, goesOn) => {
      const answers: (Counted | undefined)[] = [];
      for (const { document } of jobs) if (goesOn()) answers.push(await this.count(client, document));
      if (goesOn()) this.answers = answers;
    });
  }

  private async count(client: Client, document: Doc): Promise<Counted | undefined> {
    const { book } = this.store;
    const answer = await keptBy(client, book, document);
    const mask = answer && !isKept(answer) ? masksWithCausal(book, document) : undefined;
    if (!mask) return answer && { answer };
    const masked = await keptBy(client, book, withCausal(document, mask));
    return { answer: answer!, ...(isKept(masked) ? { causal: { kept: masked, mask } } : {}) };
  }

  override render(): unknown {
    const { answers, jobs } = this;
    const found = jobs.map((job, k) => ({ job, answer: answers[k] }));
    // Where nothing is held, what comes after the counted part is what a reader would ask about: 0 bytes would mislead.
    const counted = found.flatMap(({ job, answer }) => {
      const one = isKept(answer?.answer) ? answer.answer : answer?.causal?.kept;
      return one ? [{ job, kept: one }] : [];
    });
    const kept = counted.filter(({ kept: one }) => one.tensors.length > 0);
    // No model runs beyond its positions.
    const most = new Map(kept.map(({ job }) => [job, this.mostOf(job.document)]));
    const listed = [...new Set([...most.values()].flatMap((one) => sizesUpTo(one, AFTER)))].toSorted((a, b) => a - b);
    const at = (job: Job, one: Kept, n: number) => (n > most.get(job)! ? undefined : bytesAfter(one, n));
    const sizes = (job: Job) => sizesUpTo(most.get(job)!, SIZES);
    const drawn = maximum([...most.keys()].map((job) => sizes(job).at(-1)!), SIZES[0]);
    const lines = kept.map(({ job, kept: one }) => ({ name: job.name, points: sizes(job).flatMap((n) => {
      const value = bytesAfter(one, n);
      return value === undefined ? [] : [{ n, value }];
    }) }));
    return html`<h3>${words().title}</h3><p class="note">${words().about}</p>
      ${found.map(({ job, answer }) => (answer ? this.refused(job, answer) : nothing))}
      ${counted.filter((one) => !kept.includes(one)).map(({ job, kept: { until } }) => html`<p class="note"
        data-part="nothing">${withQuotes(words().nothing(job.name, quote(until)))}</p>`)}
      ${kept.length === 0 ? nothing : html`<div class="charts">${
        chart(words().curve, words().bytes, lines, drawn)}</div>
        ${table(words().title, [words().after, ...kept.map(({ job }) => job.name)], listed.map((n) => html`<tr><th
        scope="row">${words().words(n)}</th>${kept.map(({ job, kept: one }) =>
          this.bytes(at(job, one, n)))}</tr>`),
        'kept')}
        ${kept.map(({ job, kept: { over, besides } }) => (besides === undefined ? nothing : html`<p class="note"
          data-part="besides">${kept.length > 1 ? `${job.name}: ` : ''}${words().written(over, besides)}</p>`))}
        ${kept.map(({ job }) => (most.get(job)! > SIZES.at(-1)! ? nothing : html`<p class="note"
          data-part="positions">${words().positions(job.name, most.get(job)!)}</p>`))}
        ${this.ends(kept)}${kept.map(({ job, kept: one }) => this.made(job, one))}
        <p class="note">${words().note}</p>`}`;
  }

  private mostOf(document: Doc): number {
    return positionsOf(document, rowsIn(this.store.sessions.result), Infinity);
  }

  private refused({ name, document }: Job, { answer, causal }: Counted): unknown {
    if (isKept(answer)) return nothing;
    const { documents } = this.store;
    // Of two documents, the controls set one.
    const add = causal && document === documents.document ? html` <button class="link inline" data-part="add-causal"
      @click=${() => documents.set('/mechanism/mask', causal.mask)}>${words().addCausal}</button>` : nothing;
    const { why, mask } = whyNot(answer.error.message);
    return html`<p class="note" data-part="refused">${withQuotes(words().refused(name, quote(why)))}${
      causal ? html` ${withQuotes(words().causal(name))}${add}` : mask ? ` ${words().addMask}` : nothing}</p>`;
  }

  // What is counted up to different results is said to be so before anything is unfolded.
  private ends(kept: readonly { job: Job; kept: Kept }[]): unknown {
    if (new Set(kept.map(({ kept: { until } }) => until)).size < 2) return nothing;
    return kept.map(({ job, kept: { until } }) => html`<p class="note" data-part="until">${job.name}: ${
      words().until(until)}</p>`);
  }

  private bytes(value: number | undefined): unknown {
    return html`<td data-bytes=${value ?? nothing}>${value === undefined ? '–' : words().inBytes(whole(value))}</td>`;
  }

  private made({ name }: Job, { tensors, until }: Kept): unknown {
    const { module, tensor, numbers, grows } = words();
    return html`<details data-kept=${name}><summary>${words().madeOf(name)}</summary>${table(words().madeOf(name),
      [module, tensor, numbers, grows], tensors.map((one) => html`<tr><th scope="row">${one.module}</th><td>${
      called(one)}</td><td>${whole(one.numbers)}</td><td>${growth(one)}</td></tr>`))}<p class="note">${
      words().until(until)}</p></details>`;
  }
}

function called(one: Held): unknown {
  const { said, latex } = nameOfHeld(one);
  return html`${said ?? nothing} ${latex === undefined ? nothing : html`<ap-math .latex=${latex}></ap-math>`}`;
}

function growth({ rows }: Held): string {
  if (!rows) return words().fixed;
  const most = rows.at(-1)!;
  return rows.length > 1 && most === rows.at(-2) ? words().rowsAtMost(most) : words().eachWord;
}
customElements.define('ap-kept', KeptElement);
