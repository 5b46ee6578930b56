// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { css, html, nothing } from 'lit';
import { counted, percents } from '../colour/numbers.ts';
import { sideCalled } from '../compare/side-names.ts';
import { naming } from '../directory/naming.ts';
import { words } from '../efficient/words.ts';
import { OwnEngine, type Work } from '../engine/own-engine.ts';
import type { Result } from '../engine/result.ts';
import type { Cost } from '../engine/types.ts';
import { Part, reactive } from '../part.ts';
import type { Side } from '../state/parse.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { isolated } from '../strings/language.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { save } from '../state/save.ts';
import { savedName } from '../take/saved-name.ts';
import { asCsv, asJson, COLUMNS, type PartCost, partsOf } from './part-costs.ts';
import { table, tableStyles } from './table.ts';

/** The cost of any document, part by part: a table, and the same as a file; of a comparison a table for each side. */
export class CostPartsElement extends Part {
  override render(): unknown {
    return this.store.comparison.on
      ? (['A', 'B'] as const).map((side) => html`<ap-cost-table data-side=${side} .side=${side}></ap-cost-table>`)
      : html`<ap-cost-table></ap-cost-table>`;
  }
}
customElements.define('ap-cost-parts', CostPartsElement);

/** One such table. */
class CostTableElement extends Part {
  /** Which side of the comparison it counts; none where there is a single document. */
  @reactive side: Side | undefined;
  @reactive parts: readonly PartCost[] = [];
  @reactive total: Cost | undefined;
  @reactive share: number | undefined;
  @reactive problem: string | undefined;
  private readonly engine = new OwnEngine(this);

  static override styles = [tableStyles, css`
    :host { display: block; min-width: 0; }
    :host([data-side='B']) { margin-top: var(--space-8); }
    .scroll { margin-top: var(--space-4); }
    tbody th { color: var(--ink); }
    tfoot th, tfoot td { font-weight: 600; color: var(--ink); border: 0; }
    td small { color: var(--ink2); font-size: var(--text-mark); min-width: 34px; display: inline-block; }
    progress { height: 8px; accent-color: var(--ink); width: 160px; }
  `];

  override willUpdate(): void {
    const { side, store: { comparison, sessions } } = this;
    const result = side === undefined || side === comparison.editing ? sessions.result : comparison.result;
    if (result) this.engine.of([result], (client, goesOn) => this.count(result, client, goesOn));
  }

  private async count(result: Result, ...[client, goesOn]: Parameters<Work>): Promise<void> {
    this.problem = undefined;
    const found = await partsOf(client, result.directory.document, result, (parts, share) => {
      if (!goesOn()) return;
      // Numbers of another document stay together until all of these are there.
      if (this.total === undefined) this.parts = [...parts];
      this.share = share;
    });
    if (!goesOn()) return;
    this.share = undefined;
    if (typeof found === 'string') [this.problem, this.parts, this.total] = [found, [], undefined];
    else if (found) [this.parts, this.total] = [found.parts, found.total];
  }

  override render(): unknown {
    const { parts, total, share, problem } = this;
    const whole = total ?? parts.reduce((sum, one) =>
      ({ ...sum, multiply_adds: sum.multiply_adds + one.multiply_adds,
      exponentials: sum.exponentials + one.exponentials, bytes: sum.bytes + one.bytes }),
      { multiply_adds: 0, exponentials: 0, bytes: 0, exact: true });
    const exact = parts.every((one) => one.exact);
    const { side } = this;
    const title = side === undefined || !this.store.comparison.on ? words().partsTitle
      : words().partsOf(side, sideCalled(this.store, side).called);
    const notes = [side === 'B' ? '' : words().partsNote, exact ? '' : words().partsAtMost].filter(Boolean);
    return html`<h3>${title}</h3>${notes.length > 0 ? html`<p class="note">${notes.join(' ')}</p>` : nothing}
      ${share === undefined ? nothing
        : html`<progress max="1" .value=${share} aria-label=${words().measuring}></progress>`}
      ${problem === undefined ? nothing : html`<p class="error" role="alert">${withQuotes(quote(problem))}</p>`}
      ${parts.length === 0 ? nothing : html`${table(title,
        [words().part, ...COLUMNS.map((column) => words().counts[column])],
        parts.map((one) => html`<tr data-part-of=${one.name}><th scope="row">${this.named(one)}</th>${
          this.counts(one, whole)}</tr>`), undefined,
        total && html`<tfoot><tr><th scope="row">${words().total}</th>${this.counts(total)}</tr></tfoot>`)}
      ${total ? html`<button class="text" data-part="csv"
        @click=${() => this.save('csv', asCsv(parts, total))}>${words().saveTable}</button>
        <button class="text" data-part="json"
          @click=${() => this.save('json', asJson(parts, total))}>${words().saveJson}</button>` : nothing}`}`;
  }

  private counts(cost: Cost, whole?: Cost): unknown {
    return COLUMNS.map((column) => html`<td data-value=${cost[column]}>${isolated(counted(cost[column]))} <small>${
      whole ? isolated(percents(cost[column], whole[column])) : nothing}</small></td>`);
  }

  private named({ name, type, tensor }: PartCost): string {
    if (tensor) return naming(tensor).title;
    const title = type === undefined ? undefined
      : (this.store.book.named(type) ?? this.store.book.find(undefined, type))?.title;
    return [moduleCalled(name) || words().ownResults, title].filter(Boolean).join(' · ');
  }

  private save(ending: string, text: string): void {
    save(new Blob([text], { type: ending === 'csv' ? 'text/csv' : 'application/json' }),
      savedName(this, ending, [this.side, strings.cost.open].filter(Boolean).join(' ')));
  }
}
customElements.define('ap-cost-table', CostTableElement);
