// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
import { html, nothing, svg } from 'lit';
import { domainIn } from '../colour/scale.ts';
import { kindOf, naming } from '../directory/naming.ts';
import { plane, type Result, type Tensor } from '../engine/result.ts';
import type { TensorRole } from '../engine/types.ts';
import { bounded } from '../flow/bounded.ts';
import { moduleShown } from '../flow/open.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { place } from '../styles/place.ts';
import { base, fields } from '../styles/tokens.ts';
import '../flow/matrix.ts';
import { type Graph, graphOf, type Node, pictureOf } from './graph.ts';
import { type Laid, laid, path, type Place } from './layout.ts';
import { structureStyles } from './structure.styles.ts';

// More modules than this are shown a part at a time.
const MOST = 24;
const MOST_SMALL = 6;
const NARROW = 560;
// A wide diagram is drawn smaller, as long as it can be read; then it scrolls.
const SMALLEST = 0.68;
/** Which choice of the panel makes a matrix of this role. */
const CHOSEN_BY: Partial<Record<TensorRole, string>> =
  { query: 'query', key: 'query', value: 'query', scores: 'score', mask: 'mask', weights: 'alignment', context: 'heads',
  output: 'output' };
const COLOURED = new Set<TensorRole | undefined>(['query', 'key', 'value']);

/** The computation as a diagram: what follows from what. Pointing shows a part's matrices, pressing goes there. */
export class StructureElement extends Part {
  static override properties = { width: { type: Number }, over: { state: true }, at: { state: true },
    more: { state: true } };
  declare width: number;
  declare over: string | undefined;
  /** The part that the Tab key comes to. */
  declare at: string | undefined;
  declare more: number;
  private seen: string | undefined;
  private drawn: { result: Result; down: boolean; more: number; graph: Graph; laid: Laid } | undefined;

  static override styles = [base, fields, structureStyles];

  constructor() {
    super();
    this.more = 0;
  }

  private picture(): { graph: Graph; laid: Laid; left: number } | undefined {
    const { result } = this.store.sessions;
    if (!result) return undefined;
    const down = this.width < NARROW;
    const whole = graphOf(result);
    const most = MOST + this.more;
    const kept = new Set(whole.nodes.slice(0, most).map(({ id }) => id));
    if (this.drawn?.result !== result || this.drawn.down !== down || this.drawn.more !== this.more) {
      const graph = { nodes: whole.nodes.slice(0, most),
        edges: whole.edges.filter(({ from, to }) => kept.has(from) && kept.has(to)) };
      const small = graph.nodes.length > 9;
      const size = (id: string) => this.size(graph.nodes.find((node) => node.id === id)!, small);
      this.drawn = { result, down, more: this.more, graph, laid: laid(graph, size, down) };
    }
    return { graph: this.drawn.graph, laid: this.drawn.laid, left: whole.nodes.length - kept.size };
  }

  private size(node: Node, small: boolean): { w: number; h: number } {
    const letters = Math.max(this.called(node).length, this.under(node).length * 0.8);
    return { w: Math.min(168, Math.max(64, letters * 6.6 + 18)),
      h: node.kind === 'module' ? (small ? 74 : 96) : node.parameters.length > 0 ? 46 : 32 };
  }

  private called({ kind, module, tensors }: Node): string {
    if (kind !== 'module') return naming(tensors[0]!).short;
    return module!.name === '' ? (this.store.book.named(module!.type)?.title ?? module!.type)
      : module!.name.replaceAll('-', ' ');
  }

  /** A second line: what a module is, which parameters have a part in a matrix. */
  private under({ kind, module, parameters }: Node): string {
    if (kind === 'module') return module!.name === '' ? strings.structure.together
      : (this.store.book.named(module!.type)?.title ?? module!.type);
    return parameters.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)).join(', ');
  }

  override render(): unknown {
    const picture = this.picture();
    if (!picture) return nothing;
    const { graph, laid: { places, lines, width, height }, left } = picture;
    const by = new Map(graph.nodes.map((node) => [node.id, node]));
    const edge = (from: string, to: string) => graph.edges.find((one) => one.from === from && one.to === to);
    const lit = (id: string) => id === this.over;
    const shown = moduleShown(this.store);
    const first = this.at !== undefined && by.has(this.at) ? this.at : graph.nodes[0]?.id;
    const scale = Math.max(SMALLEST, Math.min(1, (this.width - 10) / width));
    return html`<div class="scroll"
      @keydown=${this.key}><div ${place({ width: width * scale, height: height * scale })}><div class="sheet"
      role="group" aria-label=${strings.structure.title} ${place({ width, height, transform: `scale(${scale})` })}>
        <svg width=${width} height=${height}
          aria-hidden="true"><defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
          orient="auto"><path d="M1 1 7 4 1 7" /></marker></defs>
          ${lines.map((line) => svg`<path
            class="${COLOURED.has(edge(line.from, line.to)?.role) ? edge(line.from, line.to)!.role
            : ''} ${lit(line.from) || lit(line.to) ? 'lit' : ''}" d=${path(line.points)}
            marker-end="url(#end)" />`)}</svg>
        ${places.map((spot) => this.node(by.get(spot.id)!, spot, graph, shown, first === spot.id))}
      </div></div></div>
      ${left > 0 ? html`<button class="link" data-part="more"
        @click=${() => (this.more += MOST)}>${strings.showMore(Math.min(left, MOST), left)}</button>` : nothing}
      ${this.small(by.get(this.over ?? ''))}`;
  }

  // The module that is shown large is in sight here, too.
  override updated(): void {
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
    const under = this.under(node);
    return html`<button class="node ${node.kind}" data-node=${node.id} tabindex=${stop ? 0 : -1}
      aria-current=${current ? 'true' : nothing} aria-label=${this.says(node, graph)}
      ${place({ left: x, top: y, width: w, height: h })}
      @pointerenter=${() => (this.over = node.id)} @pointerleave=${() => (this.over = undefined)}
      @focus=${() => (this.over = this.at = node.id)} @blur=${() => (this.over = undefined)}
      @click=${() => this.go(node)}><b
        class=${node.kind === 'tensor' ? naming(node.tensors[0]!).role : ''}>${this.called(node)}</b>
      ${under ? html`<small>${under}</small>` : nothing}${
        picture ? this.thumbnail(picture, w - 16, h - 48) : nothing}</button>`;
  }

  private thumbnail(tensor: Tensor, width: number, height: number): unknown {
    const shown = plane(tensor, this.store.selection.chosen);
    const scale = Math.min(height / shown.rows, width / shown.cols, 12);
    return html`<ap-matrix still .plane=${shown} .domain=${domainIn(tensor.data, kindOf(tensor))}
      .w=${Math.max(8, shown.cols * scale)} .h=${Math.max(6, shown.rows * scale)}></ap-matrix>`;
  }

  // The matrices of the part that is pointed at.
  private small(node: Node | undefined): unknown {
    if (!node) return html`<div class="small"><span class="note">${strings.structure.help}</span></div>`;
    return html`<div class="small"
      role="status"><span class="note">${this.called(node)}</span>${
      bounded([...node.tensors, ...node.parameters], MOST_SMALL, (tensor) => html`<figure>
      ${this.thumbnail(tensor, 84, 40)}<figcaption>${naming(tensor).short} <span
        class="note">${tensor.shape.join(' × ') || '1'}</span></figcaption></figure>`)}</div>`;
  }

  private says(node: Node, { nodes, edges }: Graph): string {
    const name = (id: string) => this.called(nodes.find((one) => one.id === id)!);
    const before = edges.filter(({ to }) => to === node.id).map(({ from }) => name(from));
    const after = edges.filter(({ from }) => from === node.id).map(({ to }) => name(to));
    const picture = pictureOf(node);
    const { takes, gives } = strings.structure;
    const said = [this.called(node), this.under(node), before.length ? takes(before) : '',
      after.length ? gives(after) : '',
      picture?.shape.join(' × ') ?? ''];
    return said.filter(Boolean).join(strings.comma);
  }

  // Its controls, and its matrices in the large picture.
  private go(node: Node): void {
    const { store } = this;
    const [tensor] = node.tensors;
    if (node.kind === 'module') {
      const path = node.module!.path ?? '';
      store.view.show({ module: node.module!.name,
        control: { path: path === '/mechanism' ? '/mechanism/type' : path } });
    } else if (tensor) {
      const kind = CHOSEN_BY[tensor.role ?? 'output'];
      const choice = store.book.choices(store.documents.document).find(({ slot }) => slot.kind === kind);
      store.view.show({ stage: undefined, control: choice && { path: choice.path } });
      this.dispatchEvent(new CustomEvent('to-matrix', { detail: tensor.name, bubbles: true, composed: true }));
    }
  }

  // To the nearest part in that direction.
  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const places = this.drawn?.laid.places ?? [];
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
customElements.define('ap-structure', StructureElement);
