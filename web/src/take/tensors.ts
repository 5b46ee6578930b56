// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { Result, Tensor } from '../engine/result.ts';
import { equation, naming } from '../directory/naming.ts';
import { secondLoss } from '../directory/second-loss.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import '../styles/math.ts';
import { latexTable } from './latex-table.ts';
import { everything } from './everything.ts';
import { allJson, beyondText, csvOf, csvZip, jsonOf, npz } from './numbers.ts';
import { plainNames } from './plain-names.ts';
import { fileName, save } from './save.ts';
import { takeStyles } from './take.styles.ts';
import { words as own } from './words.ts';

const words = strings.take;
// A table of more columns fits on no page.
const WIDEST = 40;
const asMatrix = ({ shape }: Tensor): boolean => shape.length > 0 && (shape.at(-1) ?? 0) <= WIDEST;
type Group = keyof typeof words.groups;
type Write = (result: Result, lacks: readonly string[], beyond: ReadonlySet<Tensor>) => string | Uint8Array;
// Milliseconds: more than a frame.
const PAINT = 40;

/** Every tensor with a file for each; and all of them at once. */
export class TensorsElement extends Part {
  /** What became of the file with everything that was asked for last. */
  @reactive said: readonly string[] = [];
  @reactive failed = false;
  /** While such a file is being made. */
  @reactive making = false;

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
    const names = plainNames(result);
    return html`<p class="quiet">${words.numbersNote}</p>
      <div class="row"><b>${words.all}</b>
        <button class="button first" data-save="all-json" aria-disabled=${this.making}
          @click=${() => void this.all(allJson, 'application/json', 'json')}>${words.json}</button>
        <button class="button" data-save="all-csv" aria-disabled=${this.making}
          @click=${() => void this.all(csvZip, 'application/zip', 'zip')}>${words.csvZip}</button>
        <button class="button" data-save="all-npz" aria-disabled=${this.making}
          @click=${() => void this.all(npz, 'application/zip', 'npz')}>${words.npz}</button></div>
      <p class="left-out ${this.failed ? 'error' : 'note'}" role="status">${
        this.failed ? words.failed : this.said.join(' ')}</p>
      ${(Object.keys(words.groups) as Group[]).map((group) => {
        const every = result.all(group);
        const twice = group === 'outputs' ? secondLoss(every) : undefined;
        const all = every.filter((tensor) => tensor !== twice);
        return all.length === 0 ? nothing
          : html`<div><h3>${words.groups[group]}</h3><ul>${
          all.map((tensor) => this.line(result, tensor, names.get(tensor) ?? ''))}</ul></div>`;
      })}`;
  }

  private line(result: Result, tensor: Tensor, name: string): unknown {
    const { title } = naming(tensor);
    const latex = equation(tensor);
    return html`<li data-tensor=${name}><span>${title ? html`<b>${title}</b>` : nothing}${
      latex ? html`<ap-math block .latex=${latex}></ap-math>` : nothing}</span>
      <span class="note shape">${tensor.shape.join(' × ') || '1'}</span>
      <span class="files"><button data-save="csv" aria-label=${words.as(words.csv, name)}
        @click=${() => this.put(csvOf(tensor, result), 'text/csv', 'csv', name)}>${words.csv}</button>
        <button data-save="json" aria-label=${words.as(words.json, name)}
          @click=${() => this.put(jsonOf(tensor), 'application/json', 'json', name)}>${
          words.json}</button>${asMatrix(tensor) ? html`<button data-save="tex" aria-label=${words.as('LaTeX', name)}
        @click=${() => this.put(latexTable(tensor, result, title || name), 'text/plain', 'tex', name)}>LaTeX</button>`
        : nothing}</span></li>`;
  }

  // With what the page's result leaves out. A file may need more memory than the browser gives.
  private async all(write: Write, type: string, ending: string): Promise<void> {
    const { client, sessions: { result } } = this.store;
    // Not `disabled`, which would take the focus from the button that was pressed.
    if (!result || this.making) return;
    [this.making, this.failed, this.said] = [true, false, []];
    try {
      const found = await everything(client, result);
      const beyond = write === npz ? new Set<Tensor>() : beyondText(found.result, write === csvZip);
      const names = plainNames(found.result);
      const large = [...found.lacks, ...[...beyond].map((tensor) => names.get(tensor)!)];
      const { names: missed, why } = found.missed ?? { names: [] };
      // The buttons show that they are disabled before the page is busy with the file.
      await new Promise((resolve) => setTimeout(resolve, PAINT));
      this.put(write(found.result, [...large, ...missed], beyond), type, ending);
      this.said = [...(large.length > 0 ? [own().leftOut(large)] : []), ...(why ? [own().missed(missed, why)] : [])];
    } catch {
      this.failed = true;
    } finally {
      this.making = false;
    }
  }

  private put(content: string | Uint8Array, type: string, ending: string, what?: string): void {
    save(new Blob([content as BlobPart], { type }), fileName(this.store.documents.document, ending, what,
      this.store.view.lesson));
  }
}
customElements.define('ap-tensors', TensorsElement);
