// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { Result, Tensor } from '../engine/result.ts';
import { equation, naming } from '../directory/naming.ts';
import { secondLoss } from '../directory/second-loss.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { percents } from '../colour/numbers.ts';
import '../styles/math.ts';
import { latexTable } from './latex-table.ts';
import { everything } from './everything.ts';
import { fileOf, type Piece, plain } from './in-pieces.ts';
import { allJson, beyondText, csvOf, csvZip, jsonOf, npz } from './numbers.ts';
import { plainNames } from './plain-names.ts';
import { save } from '../state/save.ts';
import { savedName } from './saved-name.ts';
import { takeStyles } from './take.styles.ts';
import { words as own } from './words.ts';

const words = strings.take;
// A table of more columns fits on no page.
const WIDEST = 40;
const asMatrix = ({ shape }: Tensor): boolean => shape.length > 0 && (shape.at(-1) ?? 0) <= WIDEST;
type Group = keyof typeof words.groups;
type Write = (result: Result, lacks: readonly string[], beyond: ReadonlySet<Tensor>) => Iterable<Piece>;
// Milliseconds between two pictures of how much is written, and before the first.
const STEP = 200;
const LONG = 300;

/** Every tensor with a file for each; and all of them at once. Whoever closes the dialog still gets the file. */
export class TensorsElement extends Part {
  /** What became of the file with everything that was asked for last. */
  @reactive said: readonly string[] = [];
  @reactive failed = false;
  /** Which share of the file that is being made is written; 'computes' before there is anything to write. */
  @reactive making: number | 'computes' | undefined;
  /** It takes long enough to be shown. */
  @reactive late = false;
  private turn = 0;
  /** The engine computes what the page's result leaves out. */
  private asks = false;
  /** The button that was pressed, to which the keyboard returns. */
  private pressed: HTMLElement | undefined;

  static override styles = [takeStyles, css`
    h3 { margin-top: var(--space-4); color: var(--ink2); }
    li { display: grid; grid-template-columns: minmax(0, 1fr) 96px minmax(132px, auto); gap: var(--space-6);
      align-items: center; min-height: var(--control-large); border-bottom: 1px solid var(--line); }
    li > span:first-child { display: flex; flex-wrap: wrap; gap: 0 var(--space-4); align-items: baseline;
      min-width: 0; }
    li b { font-weight: 600; overflow-wrap: anywhere; }
    ap-math { min-width: 0; }
    .button[aria-disabled='true'] { opacity: 0.6; cursor: default; }
    .left-out { overflow-wrap: anywhere; }
    .making progress { width: 160px; height: var(--space-3); accent-color: var(--ink); }
    .files { display: flex; gap: var(--space-1); }
    .files button { padding: 0 var(--space-4); height: var(--press); border-radius: var(--radius);
      text-decoration: underline dotted; text-underline-offset: 3px; }
    .files button:hover { background: var(--hover); }
    @media (max-width: 560px) { li { grid-template-columns: minmax(0, 1fr) 72px auto; } b + ap-math { display: none; }
    }
    @media (pointer: coarse) { li { grid-template-columns: minmax(0, 1fr) auto; }
    li .shape { display: none; } }
  `];

  override render(): unknown {
    const { result } = this.store.sessions;
    if (!result) return html`<p>${words.waiting}</p>`;
    return html`<p class="quiet">${words.numbersNote}</p>
      <div class="row"><b>${words.all}</b>
        <button class="button first" data-save="all-json" aria-disabled=${this.making !== undefined}
          @click=${() => void this.all(allJson, 'application/json', 'json')}>${words.json}</button>
        <button class="button" data-save="all-csv" aria-disabled=${this.making !== undefined}
          @click=${() => void this.all(csvZip, 'application/zip', 'zip')}>${words.csvZip}</button>
        <button class="button" data-save="all-npz" aria-disabled=${this.making !== undefined}
          @click=${() => void this.all(npz, 'application/zip', 'npz')}>${words.npz}</button></div>
      ${this.late && this.making !== undefined ? this.progress(this.making) : nothing}
      <p class="left-out ${this.failed ? 'error' : 'note'}" role="status">${
        this.failed ? words.failed : this.said.join(' ')}</p>
      ${guard([result, this.store.view.words], () => this.list(result))}`;
  }

  // Hundreds of lines, which do not change while a file is made.
  private list(result: Result): unknown {
    const names = plainNames(result);
    return (Object.keys(words.groups) as Group[]).map((group) => {
      const every = result.all(group);
      const twice = group === 'outputs' ? secondLoss(every) : undefined;
      const all = every.filter((tensor) => tensor !== twice);
      return all.length === 0 ? nothing : html`<div><h3>${words.groups[group]}</h3><ul>${
        all.map((tensor) => this.line(result, tensor, names.get(tensor) ?? ''))}</ul></div>`;
    });
  }

  private progress(making: number | 'computes'): unknown {
    const writes = making !== 'computes';
    return html`<div class="row making" data-part="making"><progress max="1" value=${writes ? making : nothing}
      aria-label=${own().making}></progress><span class="note">${
      writes ? own().written(percents(making, 1)) : strings.computing}</span><button class="button"
      data-part="cancel" @click=${() => this.cancel()}>${own().cancel}</button></div>`;
  }

  private line(result: Result, tensor: Tensor, name: string): unknown {
    const { title } = naming(tensor);
    const latex = equation(tensor);
    return html`<li data-tensor=${name}><span>${title ? html`<b>${title}</b>` : nothing}${
      latex ? html`<ap-math block .latex=${latex}></ap-math>` : nothing}</span>
      <span class="note shape">${tensor.shape.join(' × ') || '1'}</span>
      <span class="files"><button data-save="csv" aria-label=${words.as(words.csv, name)}
        @click=${() => void this.one(tensor, () => csvOf(tensor, result), 'text/csv', 'csv', name)}>${
          words.csv}</button>
        <button data-save="json" aria-label=${words.as(words.json, name)}
          @click=${() => void this.one(tensor, () => jsonOf(tensor), 'application/json', 'json', name)}>${
          words.json}</button>${asMatrix(tensor) ? html`<button data-save="tex" aria-label=${words.as('LaTeX', name)}
        @click=${() => void this.one(tensor, () => [plain(latexTable(tensor, result, title || name))], 'text/plain',
          'tex', name)}>LaTeX</button>`
        : nothing}</span></li>`;
  }

  // With what the page's result leaves out. A file may need more memory than the browser gives.
  private all(write: Write, type: string, ending: string): Promise<void> {
    return this.make(async (turn, result) => {
      this.asks = true;
      const found = await everything(this.store.client, result);
      if (turn === this.turn) this.asks = false;
      if (turn !== this.turn) return undefined;
      const beyond = write === npz ? new Set<Tensor>() : beyondText(found.result, write === csvZip);
      const names = plainNames(found.result);
      const large = [...found.lacks, ...[...beyond].map((tensor) => names.get(tensor)!)];
      const { names: missed, why } = found.missed ?? { names: [] };
      const all = found.result.tensors.reduce((sum, tensor) => sum + (beyond.has(tensor) ? 0 : tensor.data.length), 0);
      const file = await this.written(turn, write(found.result, [...large, ...missed], beyond), type, all);
      if (!file) return undefined;
      this.put(file, ending);
      return [...(large.length > 0 ? [own().leftOut(large)] : []), ...(why ? [own().missed(missed, why)] : [])];
    });
  }

  private one({ data }: Tensor, pieces: () => Iterable<Piece>, type: string, ending: string, name: string):
    Promise<void> {
    return this.make(async (turn) => {
      const file = await this.written(turn, pieces(), type, data.length);
      if (file) this.put(file, ending, name);
      return [];
    });
  }

  // One file at a time.
  private async make(work: (turn: number, result: Result) => Promise<string[] | undefined>): Promise<void> {
    const { result } = this.store.sessions;
    // Not `disabled`, which would take the focus from the button that was pressed.
    if (!result || this.making !== undefined) return;
    const turn = ++this.turn;
    this.pressed = this.renderRoot.querySelector<HTMLElement>(':focus') ?? undefined;
    [this.making, this.failed, this.said, this.late] = ['computes', false, [], false];
    const timer = setTimeout(() => (this.late = true), LONG);
    try {
      const said = await work(turn, result);
      if (turn === this.turn) this.said = said ?? [];
    } catch {
      if (turn === this.turn) this.failed = true;
    }
    clearTimeout(timer);
    if (turn === this.turn) [this.making, this.asks] = [undefined, false];
  }

  private written(turn: number, pieces: Iterable<Piece>, type: string, all: number): Promise<Blob | undefined> {
    let shown = performance.now();
    return fileOf(pieces, type, all, (share) => {
      if (turn !== this.turn) return false;
      const now = performance.now();
      if (now - shown >= STEP) [this.making, shown] = [share, now];
      return true;
    });
  }

  // The engine is stopped, too, unless it computes the document itself.
  private cancel(): void {
    const { sessions, client } = this.store;
    if (this.making === undefined) return;
    this.turn++;
    if (this.asks && !sessions.busy) client.stop();
    this.asks = false;
    this.making = undefined;
    this.pressed?.focus();
  }

  private put(file: Blob, ending: string, what?: string): void {
    save(file, savedName(this, ending, what));
  }
}
customElements.define('ap-tensors', TensorsElement);
