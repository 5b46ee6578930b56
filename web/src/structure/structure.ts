// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import '../strings/en-flow.ts';
import '../strings/en-later.ts';
import { html, nothing } from 'lit';
import { domainIn } from '../colour/scale.ts';
import { kindOf, naming } from '../directory/naming.ts';
import { plane, type Result, type Tensor } from '../engine/result.ts';
import type { ModuleEntry, TensorRole } from '../engine/types.ts';
import { timeOf, typed } from '../directory/typed.ts';
import { bounded } from '../bounded.ts';
import { largeShown } from '../flow/open.ts';
import { Part, property, reactive } from '../part.ts';
import { isModel } from '../state/model.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import { place } from '../styles/place.ts';
import '../flow/matrix.ts';
import { flag, loop, LOOP, wire } from './drawing.ts';
import { cut, withDrawnWires, type Edge, type Frame, type Graph, graphOf, type Node, pictureOf } from './graph.ts';
import { type Band, fold, type Folded, type Framed, isWidest, type Piece } from './fold.ts';
import { frame, joined, stem } from './joined.ts';
import { type Laid, laid, lookOf, path, type Place } from './layout.ts';
import { structureStyles } from './structure.styles.ts';
import { Told } from './labels.ts';
import { words } from './words.ts';
import { coarse } from '../coarse-pointer.ts';
import { crowded, inTurn } from '../turns.ts';
import { above } from '../avoid-covering.ts';

// What pops up lies inside what can be seen.
/** From where to where things around an element can be seen: inside the window and inside whatever scrolls. */
function seenAround(element: Element): { top: number; bottom: number } {
  let [top, bottom] = [0, innerHeight];
  for (let at = above(element); at; at = above(at)) {
    if (getComputedStyle(at).overflowY === 'visible') continue;
    const box = at.getBoundingClientRect();
    [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  }
  return { top, bottom };
}

const GAP = 4;

/** Moves what popped up below an element above it where there is too little room below. */
function bringInto(popped: HTMLElement, pointed: Element | null): void {
  popped.style.transform = '';
  const { top, bottom, height } = popped.getBoundingClientRect();
  const seen = seenAround(popped);
  if (bottom <= seen.bottom) return;
  const over = pointed ? pointed.getBoundingClientRect().top - GAP - height : seen.top;
  // Where there is room neither below nor above, it ends with what can be seen.
  const to = over >= seen.top ? over : Math.max(seen.top, seen.bottom - height);
  popped.style.transform = `translateY(${to - top}px)`;
}

// More modules than this are shown a part at a time.
const MOST = 24;
const MOST_SMALL = 6;
const NARROW = 560;
// From top to bottom it is drawn smaller, as long as it can be read; then it scrolls.
const SMALLEST = 0.68;
// No box is wider: its lines are broken.
const WIDEST = 112;
/** Which choice of the panel makes a matrix of this role. */
const CHOSEN_BY: Partial<Record<TensorRole, string>> =
  { query: 'query', key: 'query', value: 'query', scores: 'score', mask: 'mask', weights: 'alignment', context: 'heads',
  output: 'output' };
const LINE = 16;
// How wide a letter is.
const BOLD = 6.6;
const SMALL = 5.7;
const NAMED = 22;
// What runs in time hands something to its own next step.
const repeats = ({ tensors, kind }: Node): boolean =>
  kind === 'module' && tensors.some((tensor) => timeOf(typed(tensor)) >= 0);
/** As one band, as it is. */
const asOne = ({ places, frames, lines, width, height }: Laid, scale: number): Folded => ({ width, scale,
  gutter: 0, bands: [{
  places, height, flags: [], frames: frames.map((one) => ({ ...one, began: false, goesOn: false })),
  pieces: lines.map(({ from, to, points }) => ({ from, to, d: path(points), end: points.at(-1) })) }] });
const keyOf = ({ from, to }: { from: string; to: string }): string => `${from}\n${to}`;

interface Drawn {
  result: Result;
  /** Names of another language need other boxes. */
  language: string;
  width: number;
  more: number;
  graph: Graph;
  placed: Placed;
  left: number;
}

/** Where everything stands, and the look of what stands there. */
interface Placed {
  look: string;
  laid: Laid;
  folded: Folded;
}

/** The computation as a diagram: what follows from what. Pointing shows a part's matrices, pressing goes there. */
export class StructureElement extends Part {
  @property({ type: Number }) width!: number;
  /** The module that is drawn large is handed over, to stand below its box. */
  @property({ type: Boolean }) holds = false;
  @reactive over: string | undefined;
  /** The part that the Tab key comes to. */
  @reactive at: string | undefined;
  @reactive more = 0;
  /** The wire that is pointed at. */
  @reactive wire: string | undefined;
  private seen: string | undefined;
  private drawn: Drawn | undefined;
  private naming: { by: unknown[]; told: Told } | undefined;

  static override styles = structureStyles;

  private get down(): boolean {
    return this.width < NARROW;
  }

  private picture(): Drawn | undefined {
    const { result } = this.store.sessions;
    if (!result) return undefined;
    const { width, more } = this;
    const asked = { result, language: language(), width, more };
    const { drawn } = this;
    if (!drawn || Object.entries(asked).some(([key, value]) => drawn[key as keyof Drawn] !== value)) {
      const whole = graphOf(result);
      const graph = cut(whole, MOST + more);
      this.drawn = { ...asked, graph, left: whole.nodes.length - graph.nodes.length,
        placed: this.place(graph) };
    }
    return this.drawn;
  }

  // New numbers move nothing: what was found for the same parts, as large as these, holds.
  private place(graph: Graph): Placed {
    const { down, width } = this;
    const small = graph.nodes.length > 9;
    const sizes = new Map(graph.nodes.map((node) => [node.id, this.size(node, graph, small)]));
    const size = (id: string) => sizes.get(id)!;
    const wired = withDrawnWires(graph);
    const look = `${width} ${lookOf(wired, size, down)}`;
    const before = this.drawn?.placed;
    if (before?.look === look) return before;
    const sheet = laid(wired, size, down);
    return { look, laid: sheet, folded: down
      ? asOne(sheet, Math.max(SMALLEST, Math.min(1, (width - 10) / sheet.width))) : fold(sheet, width) };
  }

  private size(node: Node, graph: Graph, small: boolean): { w: number; h: number } {
    const again = repeats(node) ? LOOP : 0;
    const [w, lines] = this.text(node, graph);
    const h = node.kind === 'module' ? (small ? 40 : 62) + LINE * lines : Math.max(32, LINE * lines + 14);
    return { w: w + (this.down ? again : 0), h: h + (this.down ? 0 : again) };
  }

  // How wide a box is, and how many lines stand in it: words that do not fit go to the next line.
  private text(node: Node, graph: Graph): [width: number, lines: number] {
    const { told } = this;
    const texts = [told.called(node), ...told.under(node), ...told.said(node, graph).map(({ text }) => text)];
    const widths = texts.map((text, k) => text.length * (k === 0 ? BOLD : SMALL));
    const w = Math.min(this.down ? 224 : WIDEST, Math.max(64, maximum(widths) + 18));
    const lines = texts.map((text, k) => {
      let [count, left] = [1, 0];
      for (const word of text.split(' ')) {
        const long = word.length * (k === 0 ? BOLD : SMALL);
        if (left > 0 && left + long > w - 14) [count, left] = [count + 1, 0];
        count += Math.floor(long / (w - 14));
        left += (long % (w - 14)) + SMALL;
      }
      return count;
    });
    return [w, lines.reduce((sum, one) => sum + one, 0)];
  }

  // To find where everything stands may take a task of its own.
  protected override scheduleUpdate(): void | Promise<unknown> {
    if (this.hasUpdated) return super.scheduleUpdate();
    const find = (): void => void (this.isConnected && this.picture());
    if (crowded()) return inTurn(find).then(() => super.scheduleUpdate());
    find();
    return super.scheduleUpdate();
  }

  private get told(): Told {
    const { sessions: { result }, documents: { document }, book, view } = this.store;
    const wired = isModel(document);
    const by = [result?.directory.modules, wired, book, book.catalogue, view.words, language()];
    if (!this.naming?.by.every((one, k) => one === by[k]))
      this.naming = { by, told: new Told(book, wired, result?.directory.modules) };
    return this.naming!.told;
  }

  override render(): unknown {
    const picture = this.picture();
    if (!picture) return html`<slot></slot>`;
    const { graph, placed: { folded: { bands } }, left } = picture;
    const by = new Map(graph.nodes.map((node) => [node.id, node]));
    const edges = new Map(graph.edges.map((edge) => [keyOf(edge), edge]));
    const shown = this.holds || graph.nodes.some(({ kind }) => kind === 'module') ? largeShown(this.store) : undefined;
    const large = graph.nodes.filter(({ kind, module }) => kind === 'module' && module!.name === shown);
    const draw = (band: Band, k: number) => html`${this.band(band, picture, by, edges, shown,
      k === bands.length - 1)}${this.down ? nothing : under(k)}`;
    const pointed = this.small(by.get(this.over ?? ''), edges.get(this.wire ?? ''));
    // Under the row of what is pointed at, over whatever stands there: nothing makes room and nothing moves.
    const to = edges.get(this.wire ?? '')?.to ?? this.over;
    const row = Math.max(0, bands.findIndex(({ places }) => places.some(({ id }) => id === to)));
    const under = (k: number) => (k === row ? html`<div class="under">${pointed}</div>` : nothing);
    const help = html`<p class="note help" data-part="hint">${
      coarse.matches ? strings.structure.helpTap : strings.structure.help} ${
      graph.nodes.some(repeats) ? words().later : nothing}</p>`;
    const more = left > 0 ? html`<button class="link" data-part="more"
        @click=${() => (this.more += MOST)}>${strings.showMore(Math.min(left, MOST), left)}</button>` : nothing;
    // The large picture stands below the diagram, which it never parts.
    const joins = this.holds && !this.down && large.length > 0;
    return html`${help}<div @keydown=${this.key} role="group"
      aria-label=${strings.structure.title}><div class=${this.down ? 'scroll' : ''}>${
        bands.map(draw)}</div>${this.down ? under(row) : nothing}
      ${this.holds && !joins ? html`<slot></slot>` : nothing}
      ${joins ? joined({ graph, told: this.told, node: large.at(-1)!, go: (node) => this.go(node) }) : nothing}</div>
      ${more}`;
  }

  private band(band: Band, { graph, placed }: Drawn, by: Map<string, Node>, edges: Map<string, Edge>,
    shown: string | undefined, joined: boolean): unknown {
    const { width, scale, gutter } = placed.folded;
    const { places, frames, pieces, flags, height } = band;
    const known = this.at !== undefined && (by.has(this.at) || graph.frames.some(({ id }) => id === this.at));
    const first = known ? this.at : graph.nodes[0]?.id;
    const large = joined && this.holds && !this.down
      ? places.filter(({ id }) => by.get(id)!.module?.name === shown).at(-1) : undefined;
    const again = places.filter(({ id }) => repeats(by.get(id)!));
    return html`<div ${place({ width: width * scale, height: height * scale })}><div
      class="sheet" ${place({ width, height, transform: `scale(${scale})` })}>
        ${frames.map(({ x, y, w, h, began, goesOn }) => html`<div
          class="frame ${began ? 'began' : ''} ${goesOn ? 'goeson' : ''}" ${
          place({ left: x, top: y, width: w, height: h })}></div>`)}
        ${large ? stem(large, height) : nothing}
        <svg width=${width} height=${height}
          aria-hidden="true"><defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
          orient="auto"><path d="M1 1 7 4 1 7" /></marker></defs>
          ${pieces.map((piece) => this.line(piece, edges.get(keyOf(piece))!))}
          ${again.map((spot) => loop(spot, this.down))}
          ${flags.map((one) => flag(one, gutter, (id) => this.told.brief(by.get(id)!, graph),
            (id) => this.told.whole(by.get(id)!, graph)))}</svg>
        ${frames.filter((one) => isWidest(one, placed.folded)).map((spot) =>
          this.named(graph.frames.find(({ id }) => id === spot.id)!, spot, first === spot.id))}
        ${places.map((spot) => this.node(by.get(spot.id)!, spot, graph, shown, first === spot.id))}
      </div></div>`;
  }

  private line(piece: Piece, edge: Edge): unknown {
    const key = keyOf(piece);
    const lit = this.wire === key || piece.from === this.over || piece.to === this.over;
    return wire(piece, { roles: edge.roles, lit, press: () => this.follow(edge),
      point: (over) => (this.wire = over ? key : undefined) }, this.down);
  }

  private named({ id, module }: Frame, { x, y, w }: Framed, stop: boolean): unknown {
    return html`<button class="named" data-node=${id} tabindex=${stop ? 0 : -1} @focus=${() => (this.at = id)}
      ${place({ left: x + 1, top: y + 1, 'max-width': w - 2 })}
      @click=${() => this.open(module)}><b>${this.told.short(module)}</b> ${this.told.titled(module)}</button>`;
  }

  // The module that is shown large is in sight here, too.
  override updated(): void {
    const popped = this.renderRoot.querySelector<HTMLElement>('.small');
    const pointed = this.drawn?.graph.edges.find((one) => keyOf(one) === this.wire)?.to ?? this.over;
    if (popped) bringInto(popped, this.renderRoot.querySelector(`[data-node="${CSS.escape(pointed ?? '')}"]`));
    const node = this.renderRoot.querySelector<HTMLElement>('[aria-current]');
    const around = this.renderRoot.querySelector<HTMLElement>('.scroll');
    if (!node || !around || this.seen === node.dataset['node']) return;
    this.seen = node.dataset['node'];
    const [inner, outer] = [node.getBoundingClientRect(), around.getBoundingClientRect()];
    if (inner.right > outer.right || inner.left < outer.left) around.scrollLeft += inner.left - outer.left - 40;
    if (inner.bottom > outer.bottom || inner.top < outer.top) around.scrollTop += inner.top - outer.top - 40;
  }

  private node(node: Node, { x, y, w, h }: Place, graph: Graph, shown: string | undefined, stop: boolean): unknown {
    const picture = node.kind === 'module' ? pictureOf(node) : undefined;
    const current = node.kind === 'module' && node.module!.name === shown;
    const under = this.told.under(node);
    const again = repeats(node) ? LOOP : 0;
    const [width, height] = [w - (this.down ? again : 0), h - (this.down ? 0 : again)];
    const asks = (one: string | undefined, other: string | undefined) =>
      graph.edges.some(({ from, to, said }) => said && from === one && to === other);
    const near = asks(node.id, this.over) || asks(this.over, node.id);
    return html`<button class="node ${node.kind} ${near ? 'near' : ''}" data-node=${node.id} tabindex=${stop ? 0 : -1}
      aria-current=${current ? 'true' : nothing} aria-label=${this.told.says(node, graph)}
      ${place({ left: x, top: y, width, height })}
      @pointerenter=${() => (this.over = node.id)} @pointerleave=${() => (this.over = undefined)}
      @focus=${() => (this.over = this.at = node.id)} @blur=${() => (this.over = undefined)}
      @click=${() => this.go(node)}><b
        class=${node.kind === 'tensor' ? naming(node.tensors[0]!).role : ''}>${this.told.called(node)} </b>
      ${under.map((line) => html`<small>${line} </small>`)}${
        this.told.said(node, graph)
        .map(({ role, text }) => html`<small class=${role}>${text} </small>`)}${
        picture ? this.thumbnail(picture, width - 16, height - 14 - LINE * this.text(node, graph)[1])
          : nothing}</button>`;
  }

  private thumbnail(tensor: Tensor, width: number, height: number): unknown {
    const shown = plane(tensor, this.store.selection.chosen);
    const scale = Math.min(height / shown.rows, width / shown.cols, 12);
    return html`<ap-matrix still .plane=${shown} .domain=${domainIn(tensor.data, kindOf(tensor))}
      .w=${Math.max(8, shown.cols * scale)} .h=${Math.max(6, shown.rows * scale)}></ap-matrix>`;
  }

  // The matrices of the part that is pointed at, or what goes along a wire.
  private small(node: Node | undefined, edge: Edge | undefined): unknown {
    if (!node && !edge) return nothing;
    return html`<div class="small" data-part="carried"
      role="status"><span class="note">${
        node ? this.told.whole(node, this.drawn!.graph) : this.told.carried(edge!, this.drawn!.graph)}</span>${
      bounded(node ? [...node.tensors, ...node.parameters] : edge!.tensors, MOST_SMALL, (tensor) => html`<figure>
      ${this.thumbnail(tensor, 84, 40)}<figcaption>${naming(tensor).short} <span
        class="note">${tensor.shape.join(' × ') || '1'}</span></figcaption></figure>`)}</div>`;
  }

  // Its controls, and its matrices in the large picture.
  private go(node: Node): void {
    const { store } = this;
    const [tensor] = node.tensors;
    if (node.kind === 'module') this.open(node.module!);
    else if (tensor) {
      const kind = CHOSEN_BY[tensor.role ?? 'output'];
      const choice = store.book.choices(store.documents.document).find(({ slot }) => slot.kind === kind);
      store.view.show({ stage: undefined, control: choice && { path: choice.path } });
      this.dispatchEvent(new CustomEvent('to-matrix', { detail: tensor.name, bubbles: true, composed: true }));
    }
  }

  private open({ name, path = '' }: ModuleEntry): void {
    this.store.view.show({ module: name, control: { path: path === '/mechanism' ? '/mechanism/type' : path } });
  }

  // To the matrix that a wire brings, in the module that it ends in.
  private follow({ to, roles, tensors }: Edge): void {
    const target = this.drawn?.graph.nodes.find(({ id }) => id === to);
    if (!target) return;
    const brought = target.tensors.find(({ role }) => role !== undefined && roles.includes(role)) ?? tensors[0];
    if (target.module) this.store.view.show({ module: target.module.name });
    if (!brought) return;
    // The module is drawn large first.
    const there = new CustomEvent('to-matrix', { detail: brought.name, bubbles: true, composed: true });
    requestAnimationFrame(() => requestAnimationFrame(() => this.dispatchEvent(there)));
  }

  // To the nearest part in that direction.
  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const { places: boxes = [], frames = [] } = this.drawn?.placed.laid ?? {};
    // Of a frame it is its name that can be pressed.
    const places = [...boxes, ...frames.map((frame) => ({ ...frame, h: NAMED, w: Math.min(frame.w, WIDEST) }))];
    const here = places.find(({ id }) => id === (this.at ?? places[0]?.id));
    if (!step || !here) return;
    event.preventDefault();
    const middle = ({ x, y, w, h }: Place): [number, number] => [x + w / 2, y + h / 2];
    const [x, y] = middle(here);
    const far = (one: Place): number => {
      const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
      const along = dx * step[0] + dy * step[1];
      return along <= 1 ? Infinity : along + 2 * Math.abs(dx * step[1] + dy * step[0]);
    };
    const next = places.toSorted((a, b) => far(a) - far(b))[0];
    if (next && far(next) < Infinity)
      this.renderRoot.querySelector<HTMLElement>(`[data-node="${CSS.escape(next.id)}"]`)?.focus();
  }
}
export { frame };
customElements.define('ap-structure', StructureElement);
