// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { full, inCell } from '../colour/numbers.ts';
import { type Domain, domainOf } from '../colour/scale.ts';
import { chosenFor, headAt } from '../directory/heads.ts';
import { HEAD } from '../directory/places.ts';
import { isMap, typed } from '../directory/typed.ts';
import { lettersOf } from '../directory/letters.ts';
import { contextOf } from '../directory/outcome.ts';
import { arrange, maskOf, weightsOf } from '../directory/modules.ts';
import { plane, type Plane, Plane as PlaneClass, type Result, type Tensor } from '../engine/result.ts';
import { type MapMeasure, summaryOf } from '../heads/map-measures.ts';
import { SHARE } from '../heads/singular.ts';
import { words as heads } from '../heads/words.ts';
import { Later } from '../lazy-fetch.ts';
import { modelOf } from '../models/model-metadata.ts';
import { Part, property } from '../part.ts';
import { select } from '../select.ts';
import { isModel } from '../state/model.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { withMap } from '../strings/heads.ts';
import { direction } from '../strings/language.ts';
import { fixed, percent } from '../strings/numerals.ts';
import { reasonOf } from '../state/choice-rescue.ts';
import type { Side } from '../state/parse.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { place } from '../styles/place.ts';
import { lines } from '../styles/roles.ts';
import { uncover } from '../avoid-covering.ts';
import { compareStyles } from './compare.styles.ts';
import { type Hidden, hiddenOf } from './hidden.ts';
import { factsOf, headShown, largestGap } from './measure.ts';
import { called as calledBeside, isDefault, sideCalled } from './side-names.ts';
import { words } from './words.ts';
import '../flow/legend.ts';
import '../flow/matrix.ts';

// The first few of them: a model may have hundreds.
const NAMED = 4;
// So many keys of a row have bars.
const BARS = 24;
// Measures of a map beside the entropy, which the table has first.
const FURTHER: readonly MapMeasure[] = ['effective', 'first', 'itself', 'previous'];
// So wide the caption of a map is, where there is room, however few columns the map has.
const CAPTION = 208;
const named = (tensors: readonly Tensor[]): string =>
  [...tensors.slice(0, NAMED).map(({ name }) => quote(name)), ...(tensors.length > NAMED ? ['…'] : [])]
    .join(strings.comma);

const nextWords = new Later(() => import('./both-next.ts'), false);
const alike = ({ shape, data }: Tensor, other: Tensor | undefined): boolean =>
  other?.shape.join() === shape.join() && (data === other.data || data.every((value, k) => value === other.data[k]));
// What was found for each A and its last B. The page renders again whenever the pointer moves, and a large model has
// millions of weights.
const found = new WeakMap<Result, { b: Result; map: Tensor | undefined }>();

/** The first map that differs between two results; each pair of results is compared once. */
export function firstDifferent(a: Result, b: Result): Tensor | undefined {
  const known = found.get(a);
  if (known?.b === b) return known.map;
  const map = a === b ? undefined : a.all('outputs').find((one) => one.role === 'weights' && isMap(one)
    && !alike(one, b.whole(one.name, 'outputs')));
  found.set(a, { b, map });
  return map;
}
const signed = (text: string, value: number): string => (value > 0 ? `+${text}` : text);

/** A and B on the same inputs: both maps on one scale, their difference, and what it amounts to. */
export class CompareElement extends Part {
  @property({ type: Number }) width!: number;

  static override styles = compareStyles;

  // The button stands in the bar, and who presses it may have scrolled on.
  override firstUpdated(): void {
    uncover(this);
  }

  override render(): unknown {
    const { comparison } = this.store;
    const unlike = comparison.unlike();
    const both = comparison.results();
    return html`<div class="bar" dir=${direction()}><span class="seg" role="group"
      aria-label=${strings.compare}>${(['A', 'B'] as const).map((side) => html`<button
        aria-pressed=${comparison.editing === side}
        @click=${() => comparison.edit(side)}>${strings.side(side)}</button>`)}</span>
        <span class="note">${strings.sideChosen(comparison.editing)}. ${strings.sideHelp}</span>
        ${comparison.shared().length > 0
          ? html`<button class="text" data-part="share-parameters" title=${strings.giveParametersNote}
          @click=${() => comparison.share()}>${
          strings.giveParameters(comparison.editing, comparison.editing === 'B' ? 'A' : 'B')}</button>` : nothing}
        ${unlike.length > 0 ? html`<span class="note" data-part="unlike">${
          withQuotes(strings.unlikeShapes(named(unlike)))}</span>` : nothing}
        <button class="text" @click=${() => comparison.stop()}>${strings.compareStop}</button></div>
      ${(['A', 'B'] as const).map((side) => this.refused(side, both !== undefined))}
      ${both ? this.maps(both.a, both.b) : nothing}`;
  }

  private maps(a: Result, b: Result): unknown {
    const [one, two] = [weightsOf(a, this.module), weightsOf(b, this.module)];
    if (!one || !two) return html`<p class="note">${strings.unlike}</p>`;
    const { chosen } = this.store.selection;
    const [pa, pb] = [plane(one, chosen), plane(two, chosen)];
    const alike = pa.rows === pb.rows && pa.cols === pb.cols;
    // One scale for both, so that the same colour is the same number.
    const [da, db] = [domainOf(one.data, 'weights'), domainOf(two.data, 'weights')];
    const domain: Domain = [Math.min(da[0], db[0]), Math.max(da[1], db[1])];
    const gap = alike ? difference(pa, pb) : undefined;
    const reach = gap ? domainOf(gap.tensor.data, 'signed') : undefined;
    const columns = this.width > 720 ? 3 : this.width > 480 ? 2 : 1;
    const labels = 74;
    const room = (this.width - labels - (columns - 1) * 28) / columns;
    const w = Math.max(120, Math.min(pa.cols * 46, room));
    const h = Math.min(Math.max(24, pa.rows * Math.max(6, Math.min(30, w / pa.cols, 400 / pa.rows))), 480);
    const mask = (result: Result, shown: Plane) => maskShown(result, shown, chosen);
    const [ma, mb] = [mask(a, pa), mask(b, pb)];
    const hidden = gap && hiddenOf(gap, ma, mb);
    const same = gap?.tensor.data.every((x) => x === 0) ?? false;
    // Between the two where there is room for three, else below them.
    const between = gap && reach ? this.map(strings.difference,
      html`<span class="note">${strings.differenceNote}</span>`, gap, hidden?.mask, reach, w, h, 'signed',
      columns < 3 ? this.rows(gap, h) : nothing, hidden) : html`<p class="note">${strings.unlike}</p>`;
    const other = this.map('B', this.caption('B'), pb, mb, domain, w, h, 'weights',
      columns === 1 ? this.rows(pb, h) : nothing);
    return html`${this.places(a, pa)}${same ? html`<p class="hint">${this.hint(a, b)}</p>` : nothing}
      <div class="maps" ${place({ 'padding-left': `${labels}px`,
        'grid-template-columns': `repeat(${columns}, ${Math.max(w, Math.min(CAPTION, room))}px)` })}>
        ${this.map('A', this.caption('A'), pa, ma, domain, w, h, 'weights', this.rows(pa, h))}
        ${columns === 3 ? [between, other] : [other, between]}
      </div>
      ${alike ? this.bars(pa, pb, ma, mb) : nothing}
      ${this.table(a, b, pa, pb, ma, mb)}${this.nextWords()}`;
  }

  // Of a model, whose attention is shown; of a single module its one map.
  private get module(): string | undefined {
    return isModel(this.store.documents.document) ? this.store.view.module : undefined;
  }

  // A change may act in another module only.
  private hint(a: Result, b: Result): string {
    const differs = firstDifferent(a, b);
    return differs ? words().otherMaps(moduleCalled(differs.within ?? '')) : isModel(this.store.documents.document)
      ? words().sameModel : strings.compareSame;
  }

  // Of a model with several maps, which of them is compared.
  private places(a: Result, shown: Plane): unknown {
    const modules = arrange(a).modules.filter(({ weights }) => weights).map(({ name }) => name);
    if (!isModel(this.store.documents.document) || modules.length === 0) return nothing;
    const { tensor, held } = shown;
    const axis = tensor.places.indexOf(HEAD);
    const { selection, view } = this.store;
    const turn = (index: number): void => Object.entries(chosenFor(tensor, axis, index, selection.chosen))
      .forEach(([name, at]) => selection.turnTo(name, at));
    const called = (index: number): string => {
      const { head, map } = headAt(tensor, index);
      return withMap(strings.head(head), map);
    };
    return html`<div class="bar" dir=${direction()}><label>${words().attention} ${select<string>(modules.map((name) =>
      [name, moduleCalled(name)] as const), tensor.within ?? '', (name) => view.show({ module: name }),
      { part: 'module', label: words().attention })}</label>
      ${axis < 0 || tensor.shape[axis]! < 2 ? nothing : html`<label>${words().head} ${select<number>(
        Array.from({ length: tensor.shape[axis]! }, (_, k) => [k, called(k)] as const), held[axis]!, turn,
        { part: 'head', label: words().head })}</label>`}</div>`;
  }

  private nextWords(): unknown {
    const { document } = this.store.documents;
    const model = isModel(document) ? modelOf(document) : undefined;
    if (!model || model.writes.kind === 'classes') return nothing;
    void nextWords.wanted();
    return nextWords.use(this) ? html`<ap-compare-words .model=${model}></ap-compare-words>` : nothing;
  }

  // Beside the other side's map the last one of this side stays, under its own name. The page itself announces why the
  // side that is being edited is refused.
  private refused(side: Side, shown: boolean): unknown {
    const { comparison } = this.store;
    const error = comparison.refusalOf(side);
    return error === undefined ? nothing : html`<p class="error" data-refused=${side}
      role=${side === comparison.editing ? nothing : 'alert'}
      dir=${direction()}>${withQuotes(strings.compareFailed(side, quote(reasonOf(error.message))))}${
      shown ? html`. ${words().lastShown(side)}` : nothing}</p>`;
  }

  // Where nothing differs yet, it is the document that both are. A map that is not of the side's document is called by
  // the document that it is of.
  private caption(side: Side): unknown {
    const { comparison } = this.store;
    const both = comparison.results();
    const [mine, other] = side === 'A' ? [both?.a, both?.b] : [both?.b, both?.a];
    const { own, called } = mine && other && comparison.refusalOf(side)
      ? calledBeside(this.store, mine.directory.document, other.directory.document) : sideCalled(this.store, side);
    const [choice] = own;
    return html`<b>${called}</b>
      ${choice && own.length === 1 && isDefault(choice) ? lines(choice.mechanism!.formula).slice(0, 1)
        .map((latex) => html`<ap-math block class="formula" .latex=${latex}
        .others=${lettersOf(choice.mechanism!.parameters)}></ap-math>`) : nothing}`;
  }

  private map(name: string, title: unknown, shown: Plane, mask: Plane | undefined, domain: Domain, w: number, h: number,
    kind: 'weights' | 'signed', rows: unknown, hidden?: Hidden): unknown {
    const side = name.length === 1;
    const head = side ? headShown(shown) : undefined;
    const keys = this.store.sessions.result?.labels(shown.axis('col') ?? '');
    const at = this.store.selection.places[shown.axis('col') ?? ''];
    // All three light up together: a cell of each stands for the same cell of the document's own.
    const own = this.store.sessions.result && weightsOf(this.store.sessions.result, this.module);
    const stand = own && plane(own, this.store.selection.chosen);
    const slant = shown.cols <= 24 ? shown.cols : 0;
    return html`<figure data-side=${side ? name : 'difference'}><figcaption>${
      side ? html`<i class="side ${name}">${name}</i>` : html`<b>${name}</b>`} ${title}
      ${head ? html`<span class="note" data-part="head">${
        withMap(strings.headOf(head.head, head.count), head.map)}</span>` : nothing}</figcaption>
      <div class="keys" aria-hidden="true" ${place({ width: w })}>${
        Array.from({ length: slant }, (_, j) => html`<span class="slant ${at === j ? 'key' : ''}"
        ${place({ left: ((j + 0.5) * w) / shown.cols })}>${keys?.[j] ?? j + 1}</span>`)}</div>
      <div class="picture">${rows}<ap-matrix .plane=${shown} .mask=${mask} .domain=${domain} .kind=${kind}
        .marks=${hidden?.says} .stand=${stand} ?fine=${!side} .w=${w} .h=${h}></ap-matrix></div>
      <div class="foot"><ap-legend .domain=${domain} .kind=${kind} .kinds=${hidden?.legend ?? []}
        .width=${Math.max(40, Math.min(116, w - 112))}></ap-legend>
        ${side ? html`<span class="note">${strings.sharedScale}</span>` : nothing}</div></figure>`;
  }

  private rows(shown: Plane, h: number): unknown {
    const queries = this.store.sessions.result?.labels(shown.axis('row') ?? '');
    if (!queries || h / shown.rows < 11) return nothing;
    const at = this.store.selection.places[shown.axis('row') ?? ''];
    return html`<div class="rows" aria-hidden="true">${
      queries.map((text, i) => html`<span
      class=${at === i ? 'query' : ''} ${place({ height: h / shown.rows })}>${text}</span>`)}</div>`;
  }

  private bars(a: Plane, b: Plane, ma: Plane | undefined, mb: Plane | undefined): unknown {
    const at = this.store.selection.places;
    const row = Math.min(at[a.axis('row') ?? ''] ?? a.rows - 1, a.rows - 1);
    // A key that one side hides may have weight on the other.
    const keys = Array.from({ length: a.cols }, (_, j) => j)
      .filter((j) => ma?.at(row, j) !== 0 || mb?.at(row, j) !== 0);
    // Of many keys the chosen one and those with the largest weights on either side, largest first.
    const all = keys.length;
    if (all > BARS) {
      const height = (j: number) => Math.max(a.at(row, j), b.at(row, j));
      const chosen = at[a.axis('col') ?? ''];
      keys.sort((i, j) => (i === chosen ? -1 : j === chosen ? 1 : height(j) - height(i))).splice(BARS);
      keys.sort((i, j) => height(j) - height(i));
    }
    const most = maximum(keys.flatMap((j) => [a.at(row, j), b.at(row, j)]), 1e-9);
    const query = this.store.sessions.result?.labels(a.axis('row') ?? '')?.[row] ?? String(row + 1);
    const names = this.store.sessions.result?.labels(a.axis('col') ?? '');
    const bar = (value: number, side: string) =>
      html`<i class=${side} ${place({ height: `${Math.max(1, (Math.max(0, value) / most) * 84)}px` })}><span
      dir="ltr">${inCell(value, true)}</span></i>`;
    return html`<h2 class="row-title"
      dir=${direction()}>${strings.row} <b class="query">${query}</b> <span
      class="note" data-part="row-note">${strings.rowOfBoth}${
        all > BARS ? `${strings.semicolon}${words().rowLargest(BARS, all)}` : nothing}</span></h2>
      <ol class="row-bars" tabindex="0"
        aria-label=${strings.rowOfBoth}>${keys.map((j) => html`<li class=${at[a.axis('col') ?? ''] === j ? 'key' : ''}>
        <span class="pair">${bar(a.at(row, j), 'A')}${bar(b.at(row, j), 'B')}</span><span>${
          names?.[j] ?? j}</span></li>`)}</ol>`;
  }

  private table(a: Result, b: Result, pa: Plane, pb: Plane, ma: Plane | undefined, mb: Plane | undefined): unknown {
    const [fa, fb] = [factsOf(pa, ma), factsOf(pb, mb)];
    const line = (name: string, x: number | undefined, y: number | undefined, places: number, id?: string) =>
      html`<tr data-measure=${id ?? nothing}><th scope="row">${name}</th>${[x, y].map((one) => html`<td>${
        one === undefined ? '–' : fixed(one, places)}</td>`)}
      <td>${x === undefined || y === undefined ? nothing
        : html`<bdi>${signed(fixed(y - x, places), y - x)}</bdi>`}</td></tr>`;
    const [sa, sb] = [summaryOf(pa, a), summaryOf(pb, b)];
    const gap = largestGap(pa, pb);
    const name = (which: 'row' | 'col', at: number) =>
      this.store.sessions.result?.labels(pa.axis(which) ?? '')?.[at] ?? String(at);
    const [ca, cb] = this.module === undefined ? [contextOf(a), contextOf(b)] : [];
    const context = ca && cb && ca.shape.join() === cb.shape.join()
      ? ca.data.reduce((most, x, k) => Math.max(most, Math.abs(x - cb.data[k]!)), 0) : undefined;
    return html`<table class="facts"
      dir=${direction()}><thead><tr><th scope="col">${strings.overRows(pa.rows)}</th><th scope="col">A</th><th
      scope="col">B</th><th scope="col">${strings.difference}</th></tr></thead>
      <tbody data-part="facts">${line(`${strings.entropyMean} (bit)`, fa.entropy, fb.entropy, 2)}${
        line(strings.keysAbove, fa.support, fb.support, 2)}
        ${FURTHER.map((id) => (sa.means[id] ?? sb.means[id]) === undefined ? nothing
          : line(heads().measured[id], sa.means[id], sb.means[id], 2, id))}
        ${line(heads().rankHead, sa.rank?.rank, sb.rank?.rank, 0, 'rank')}${
          line(heads().rankMost(percent(String(100 * SHARE))), sa.rank?.most, sb.rank?.most, 0, 'most')}
        ${fa.unmasked === fb.unmasked ? line(strings.exactZeros(fa.unmasked), fa.zeros, fb.zeros, 0) : nothing}
        ${gap ? html`<tr><th scope="row">${strings.largestGapWeights}</th><td></td><td></td><td
          data-part="gap"><bdi>${full(gap.value)}</bdi> ${
          strings.at(`${name('row', gap.row)} → ${name('col', gap.col)}`)}</td></tr>` : nothing}
        ${context === undefined ? nothing
          : html`<tr><th scope="row">${strings.largestGapContext}</th><td></td><td></td><td
          data-part="context-gap"><bdi>${full(context)}</bdi></td></tr>`}</tbody></table>`;
  }
}

function maskShown(result: Result, shown: Plane, chosen: Record<string, number>): Plane | undefined {
  const mask = maskOf(result, shown.tensor) ?? arrange(result).modules.find((module) => module.mask)?.mask;
  const at = mask && plane(mask, chosen);
  return at?.rows === shown.rows && at.cols === shown.cols ? at : undefined;
}

/** B − A as a matrix of its own, whose cells stand for the same places. */
export function difference(a: Plane, b: Plane): Plane {
  const data = new Float32Array(a.rows * a.cols);
  for (let i = 0; i < a.rows; i++) for (let j = 0; j < a.cols; j++) data[i * a.cols + j] = b.at(i, j) - a.at(i, j);
  const places = [a.axis('row') ?? '', a.axis('col') ?? ''];
  const dimensions = [a.rowAxis, a.colAxis].map((axis) =>
    typed(a.tensor).dimensions[axis] ?? { role: 'feature' as const });
  const tensor: Tensor = { ...a.tensor, shape: [a.rows, a.cols], places, dimensions, data };
  return new PlaneClass(tensor, 0, 1, [0, 0]);
}

customElements.define('ap-compare', CompareElement);
