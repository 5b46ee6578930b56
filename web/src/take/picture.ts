// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { plane, type Result, type Tensor } from '../engine/result.ts';
import { arrange } from '../directory/modules.ts';
import { sideCalled } from '../compare/side-names.ts';
import { openModule } from '../flow/open.ts';
import { linkOf } from '../state/hash.ts';
import { titleOf } from '../state/model.ts';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { digits, typedNumber } from '../strings/numerals.ts';
import { asTitled } from './changed-title.ts';
import { calledIn } from './chip.ts';
import { type Offered, offeredTo } from './offered.ts';
import { drawable, type Figure, figure, gapOf, type Wanted } from './figure.ts';
import { captionOf } from './panel.ts';
import { drawOn, pixelSize, pngOf } from '../elements/png.ts';
import { save } from '../state/save.ts';
import { savedName } from './saved-name.ts';
import { software } from './software.ts';
import { CENTIMETRES, pixelsOf, POINTS, pointsOf, type Sheet, USUAL_POINTS } from '../elements/sheet.ts';
import { svgOf } from '../elements/svg.ts';
import { takeStyles } from './take.styles.ts';
import { words as own } from './words.ts';
import regular from 'basic-fonts/source-sans-3-basic-400-normal.woff2?url';
import semibold from 'basic-fonts/source-sans-3-basic-600-normal.woff2?url';
import { type Lettering, weightOf } from '../elements/lettering.ts';
import type { About, Drawing } from '../elements/shapes.ts';
import { bytesAt } from '../engine/bytes.ts';
import { absolute } from '../engine/weight-files.ts';
import { base64 } from '../files/base64.ts';

// The page's font, for a figure that leaves the page.
const FAMILY = "'Source Sans 3'";
// Sizes differ by a factor only, so that one serves to measure.
const SIZE = 100;
/** A longer link, which carries weights, would be most of the file. */
const LONGEST_SOURCE = 20_000;

/** What a figure's text needs to look the same elsewhere: outlines, or the font and the widths of its texts. */
async function letteringFor({ shapes }: Drawing, outlined: boolean): Promise<Lettering> {
  const letters = shapes.map((shape) => (shape.kind === 'text' ? shape.text : '')).join('');
  await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} ${SIZE}px ${FAMILY}`, letters)));
  const to = document.createElement('canvas').getContext('2d')!;
  const widthOf = (text: string, size: number, bold: boolean): number => {
    to.font = `${weightOf(bold)} ${SIZE}px ${FAMILY}`;
    return (to.measureText(text).width * size) / SIZE;
  };
  if (outlined) return { widthOf, outlines: (await import('basic-fonts/outlines.json')).default };
  const faces = await Promise.all(([['400', regular], ['600', semibold]] as const).map(async ([weight, address]) =>
    ({ weight, file: base64(await bytesAt(absolute(address))) })));
  return { widthOf, faces };
}

const words = strings.take;

/** What the reader set for the figures of a page: it stays when the dialog is shut. */
interface Settings {
  heading: string;
  /** Titles by the names of tensors. */
  titles: Map<string, string>;
  centimetres: number | undefined;
  points: number;
  oneScale: boolean;
  /** Of a comparison both sides, unless the reader asks for the one that is edited. */
  bothSides: boolean;
  /** Between both sides, what B has more than A. */
  gap: boolean;
  /** What a place of the page shows and no result has, unless the reader asks for the document's matrices. */
  offered: boolean;
  /** Letters of an SVG are outlines, which need no font. */
  outlined: boolean;
  /** The names of the matrices that were chosen; undefined: those that a reader looks at first. */
  picked: ReadonlySet<string> | undefined;
}

const settings = new WeakMap<Store, Settings>();
function settingsOf(store: Store): Settings {
  let found = settings.get(store);
  if (!found) settings.set(store, found = { heading: '', titles: new Map(), centimetres: undefined,
    points: USUAL_POINTS, oneScale: false, bothSides: true, gap: true, offered: true, outlined: true,
    picked: undefined });
  return found;
}

/** The chosen matrices as one figure: drawn here, saved as SVG or PNG. */
export class PictureElement extends Part {
  @reactive colours: 'light' | 'dark' | undefined;
  @reactive failed!: boolean;
  /** The name of the file that was saved last. */
  @reactive saved: string | undefined;
  /** Whether size and titles are shown. */
  @reactive opened!: boolean;
  /** What stands in a field of numbers until it is left. */
  private typing: { part: string; text: string } | undefined;

  static override styles = [takeStyles, css`
    .paper { direction: ltr; overflow: auto; max-height: 380px; border: 1px solid var(--line);
      border-radius: var(--radius); }
    canvas { display: block; max-width: max(100%, 560px); }
    .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr));
      gap: var(--space-4) var(--space-8); align-items: end; }
    .fields label { display: grid; gap: var(--space-1); min-width: 0; color: var(--ink2); }
    .fields .wide { grid-column: 1 / -1; }
    .check, .fields .check { display: flex; align-items: center; gap: var(--space-4); min-height: var(--control);
      color: var(--ink); }
    .sides { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-8); align-items: center; }
    summary { min-height: var(--press); cursor: pointer; }
    details[open] summary { margin-bottom: var(--space-4); }
  `];

  // What a reader looks at first: the scores, the weights and what comes of them, in the module that is shown large.
  private chosen(result: Result): ReadonlySet<string> {
    const { picked } = settingsOf(this.store);
    // Of another document there may be no such matrices.
    if (picked && (picked.size === 0 || drawable(result).some(({ name }) => picked.has(name)))) return picked;
    const { modules, others } = arrange(result);
    const { scores, weights, context } = openModule(this.store, modules) ?? {};
    const main = [scores, weights, context].filter((t) => t !== undefined);
    return new Set((main.length > 0 ? main : others).map((tensor) => tensor.name));
  }

  private tensors(): Tensor[] {
    const { result } = this.store.sessions;
    if (!result) return [];
    const chosen = this.chosen(result);
    return drawable(result).filter(({ name }) => chosen.has(name));
  }

  private get bothSides(): boolean {
    return this.store.comparison.results() !== undefined && settingsOf(this.store).bothSides;
  }

  private sheet(): Sheet | undefined {
    const { centimetres, points } = settingsOf(this.store);
    return centimetres === undefined ? undefined : { centimetres, points };
  }

  private get offered(): Offered[] {
    return settingsOf(this.store).offered ? offeredTo(this.store) : [];
  }

  // Of a comparison each matrix once for each side that has it.
  private wanted(tensors: Tensor[]): Wanted[] {
    const { store } = this;
    const { titles } = settingsOf(store);
    const { offered } = this;
    if (offered.length > 0) return offered.map((one) => ({ ...one, title: titles.get(one.tensor.name) || one.title }));
    const sides = this.bothSides ? store.comparison.results() : undefined;
    return tensors.flatMap((tensor): Wanted[] => {
      const title = titles.get(tensor.name) || undefined;
      if (!sides) return [{ result: store.sessions.result!, tensor, title }];
      const found = ([['A', sides.a], ['B', sides.b]] as const).flatMap(([side, result]) => {
        const own = result.find(tensor.name, tensor.group);
        return own && own.data.length > 0 ? [{ result, tensor: own, title, side: this.sideTitle(side) }] : [];
      });
      const [a, b] = found;
      const gap = settingsOf(store).gap && a && b ? gapOf(a.tensor, b.tensor) : undefined;
      return gap ? [...found, { ...a!, tensor: gap, side: strings.difference, gap: { a: a!, b: b! } }] : found;
    });
  }

  // By what the sides differ in; sides that do not differ have but their letters.
  private sideTitle(side: 'A' | 'B'): string {
    const [own, other] = [side, side === 'A' ? 'B' as const : 'A' as const].map((one) =>
      sideCalled(this.store, one).called);
    return own === other ? side : `${side}${strings.comma}${own}`;
  }

  private get about() {
    const { documents: { document } } = this.store;
    const source = new URL(location.href);
    source.hash = linkOf(this.store);
    const seed = document['seed'];
    const { name, version } = software;
    const fits = source.href.length <= LONGEST_SOURCE;
    return { software: `${name} ${version}`, source: fits ? source.href : undefined,
      description: [own().madeBy(`${name} ${version}`), typeof seed === 'number' ? own().seedIs(seed) : '',
        fits ? own().sourceOpens : ''].filter(Boolean).join(' ') };
  }

  private made(about?: About): Figure | undefined {
    const { store } = this;
    const tensors = this.tensors();
    const wanted = store.sessions.result ? this.wanted(tensors) : [];
    if (wanted.length === 0) return undefined;
    const { heading, oneScale } = settingsOf(store);
    return figure(wanted, { chosen: store.selection.chosen, theme: this.colours ?? this.theme,
      title: titleOf(asTitled(store)) ?? strings.title, heading: heading || undefined, oneScale,
      about, sheet: this.sheet(), scale: (tensor, kind) => store.scales.of(tensor, kind) });
  }

  override render(): unknown {
    const { result } = this.store.sessions;
    if (!result) return html`<p>${words.waiting}</p>`;
    const chosen = this.chosen(result);
    const colours = this.colours ?? this.theme;
    const offered = this.offered.length > 0;
    const none = !offered && this.tensors().length === 0;
    return html`${this.offers()}${offered ? nothing : html`${this.sides()}<div class="pick" role="group"
      aria-label=${words.what}>${drawable(result).map((tensor) => html`<button aria-pressed=${chosen.has(tensor.name)}
        data-tensor=${tensor.name} @click=${() => this.toggle(result, tensor.name)}>${
          this.named(result, tensor)}</button>`)}</div>`}
      ${this.fields(result)}
      <div class="paper" tabindex="0" role="group"
        aria-label=${words.preview}><canvas role="img" aria-label=${words.preview}></canvas></div>
      <div class="row"><span class="seg" role="group"
          aria-label=${words.colours}>${
          (['light', 'dark'] as const).map((theme) => html`<button aria-pressed=${theme === colours}
          @click=${() => (this.colours = theme)}>${words[theme]}</button>`)}</span>
        <label class="of-text">${own().lettering}${select(
          (['outlines', 'text'] as const).map((one) => [one, own()[one]]),
          settingsOf(this.store).outlined ? 'outlines' : 'text', (one) =>
            this.change((set) => (set.outlined = one === 'outlines')), { part: 'lettering' })}</label>
        <button class="button first" data-save="svg" ?disabled=${none}
          @click=${() => void this.svg()}>${words.svg}</button>
        <button class="button" data-save="png" ?disabled=${none}
          @click=${() => void this.png()}>${words.png}</button></div>
      <p class="note" role="status">${none ? words.nothing : this.failed ? words.failed : this.size()
        ?? ''} ${this.saved === undefined || this.failed ? nothing : own().savedAs(this.saved)}</p>
      <p class="note" data-part="lettering-note">${
        settingsOf(this.store).outlined ? own().outlinesNote : own().textNote} ${own().pdfNote}</p>
      ${this.store.comparison.on && !this.bothSides && !offered
        ? html`<p class="note">${strings.sharing.oneSide}</p>` : nothing}`;
  }

  private size(): string | undefined {
    const made = this.made();
    const sheet = this.sheet();
    if (!made) return undefined;
    if (!sheet) return words.pictureNote(...pixelSize(made));
    const short = (value: number) => digits(value, 3);
    const smallest = pointsOf(made.smallest, made.width, sheet);
    return [own().sized(short(sheet.centimetres), short((sheet.centimetres * made.height) / made.width),
      short(sheet.points), digits(pixelsOf(sheet), 6)), made.crowded ? own().tooNarrow
      : smallest < sheet.points ? own().smallest(short(smallest)) : ''].join(' ');
  }

  private change(edit: (settings: Settings) => void): void {
    edit(settingsOf(this.store));
    this.requestUpdate();
  }

  private check(part: string, text: string, on: boolean, put: (settings: Settings, to: boolean) => void): unknown {
    return html`<label class="check"><input type="checkbox" data-part=${part} .checked=${on}
      @change=${(e: Event) => this.change((set) => put(set, (e.target as HTMLInputElement).checked))} />${
        text}</label>`;
  }

  // A place that shows matrices of its own offers them first.
  private offers(): unknown {
    if (offeredTo(this.store).length === 0) return nothing;
    const choice = (to: boolean, part: string, text: string) => html`<button data-part=${part}
      aria-pressed=${to === settingsOf(this.store).offered}
      @click=${() => this.change((set) => (set.offered = to))}>${text}</button>`;
    return html`<div class="sides"><span class="seg" role="group" aria-label=${words.what}>${
      choice(true, 'compared', own().compared)}${choice(false, 'of-document', own().ofDocument)}</span></div>`;
  }

  private sides(): unknown {
    const { comparison } = this.store;
    if (!comparison.results()) return nothing;
    const { bothSides, gap } = settingsOf(this.store);
    const choice = (both: boolean, part: string, text: string) => html`<button data-part=${part}
      aria-pressed=${both === bothSides} @click=${() => this.change((set) => (set.bothSides = both))}>${text}</button>`;
    return html`<div class="sides"><span class="seg" role="group" aria-label=${own().sides}>${
      choice(true, 'both-sides', own().bothSides)}${
      choice(false, 'one-side', own().onlySide(comparison.editing))}</span>${bothSides
      ? this.check('gap', strings.difference, gap, (set, to) => (set.gap = to)) : nothing}</div>`;
  }

  private fields(result: Result): unknown {
    const { heading, centimetres, points, oneScale } = settingsOf(this.store);
    return html`<details ?open=${this.opened} data-part="figure"
      @toggle=${(e: Event) => (this.opened = (e.target as HTMLDetailsElement).open)}>
      <summary>${own().figure}</summary><div class="fields">
      <label class="wide">${own().title}<input type="text" maxlength="200" data-part="heading" .value=${heading}
        placeholder=${own().none} @input=${(e: Event) => this.change((set) =>
          (set.heading = (e.target as HTMLInputElement).value))} /></label>
      ${this.number('width', own().width, centimetres, CENTIMETRES, (set, to) => (set.centimetres = to))}
      ${this.number('points', own().type, points, POINTS, (set, to) => (set.points = to ?? USUAL_POINTS),
        centimetres === undefined)}
      ${this.check('one-scale', own().oneScale, oneScale, (set, to) => (set.oneScale = to))}
      ${this.offered.length > 0 ? this.offered.map(({ tensor, title }) => this.titled(tensor.name, title, title))
        : this.tensors().map((tensor) => this.titled(tensor.name, this.named(result, tensor),
          captionOf(plane(tensor, this.store.selection.chosen))))}</div></details>`;
  }

  private number(part: string, text: string, value: number | undefined, [least, most]: readonly [number, number],
    put: (settings: Settings, to: number | undefined) => void, idle = false): unknown {
    const typed = (input: HTMLInputElement, left: boolean): void => {
      const to = input.value.trim() === '' ? undefined : typedNumber(input.value);
      const fits = to === undefined || (to >= least && to <= most);
      // Of what is not typed to its end nobody says that it is wrong.
      input.setCustomValidity(fits || !left ? '' : own().bounds(String(least), String(most)));
      input.setAttribute('aria-invalid', String(!fits && left));
      this.typing = left && fits ? undefined : { part, text: input.value };
      if (fits) this.change((set) => put(set, to));
      else if (left) input.reportValidity();
    };
    // The figure follows what is typed: who leaves the field for a button finds the button where it was.
    return html`<label>${text}<input type="text" inputmode="decimal" data-part=${part} ?disabled=${idle}
      .value=${this.typing?.part === part ? this.typing.text : value === undefined ? '' : digits(value, 4)}
      placeholder=${part === 'width' ? own().asDrawn : nothing}
      @input=${(e: Event) => typed(e.target as HTMLInputElement, false)}
      @change=${(e: Event) => typed(e.target as HTMLInputElement, true)} /></label>`;
  }

  private titled(name: string, called: string, usual: string): unknown {
    return html`<label>${own().panel(called)}<input type="text" maxlength="200"
      data-title=${name} placeholder=${usual} .value=${settingsOf(this.store).titles.get(name) ?? ''}
      @input=${(e: Event) => this.change((set) => void set.titles.set(name,
        (e.target as HTMLInputElement).value))} /></label>`;
  }

  override updated(): void {
    const canvas = this.renderRoot.querySelector('canvas');
    const made = this.made();
    if (!canvas) return;
    canvas.hidden = !made;
    if (!made) return;
    drawOn(canvas, made, Math.min(2, devicePixelRatio || 1));
    // On paper it has its size, as far as a screen knows it.
    canvas.style.width = made.centimetres === undefined ? `${made.width}px` : `${made.centimetres}cm`;
    canvas.style.maxWidth = made.centimetres === undefined ? '' : 'none';
  }

  private named(result: Result, tensor: Tensor): string {
    return calledIn(drawable(result), tensor);
  }

  private toggle(result: Result, name: string): void {
    const next = new Set(this.chosen(result));
    if (!next.delete(name)) next.add(name);
    this.change((set) => (set.picked = next));
  }

  private async keep(ending: 'svg' | 'png', make: (made: Figure) => Promise<Blob>): Promise<void> {
    const made = this.made(this.about);
    if (!made) return;
    const { heading } = settingsOf(this.store);
    const document = asTitled(this.store);
    const name = savedName(this, ending, this.offered.length > 0 ? own().compared : '',
      heading === '' ? document : { ...document, title: heading });
    try {
      save(await make(made), name);
      [this.failed, this.saved] = [false, name];
    } catch {
      [this.failed, this.saved] = [true, undefined];
    }
  }

  private svg(): Promise<void> {
    return this.keep('svg', async (made) => {
      const lettering = await letteringFor(made, settingsOf(this.store).outlined);
      return new Blob([svgOf(made, lettering)], { type: 'image/svg+xml' });
    });
  }

  private png(): Promise<void> {
    return this.keep('png', pngOf);
  }
}
customElements.define('ap-picture', PictureElement);
