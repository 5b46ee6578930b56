// SPDX-License-Identifier: Apache-2.0
import { maximum } from '../lists.ts';
import '../strings/en-later.ts';
import { css, html, nothing, svg } from 'lit';
import { inCell } from '../colour/numbers.ts';
import { domainIn } from '../colour/scale.ts';
import { kindOf, naming } from '../directory/naming.ts';
import { axisOf, typed } from '../directory/typed.ts';
import { type Plane, sameNumbers, type Tensor } from '../engine/result.ts';
import '../flow/matrix.ts';
import { numbersOf } from '../image/edit.ts';
import { paintImage } from '../image/paint.ts';
import { sizeOf } from '../image/pixels.ts';
import { overlays } from '../image/scene.ts';
import { lineOf, type Overlay } from '../image/shares.ts';
import { words as imageWords } from '../image/words.ts';
import { Part, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { fixed } from '../strings/numerals.ts';
import { icons } from '../styles/icons.ts';
import { filled, slider } from '../styles/slider.ts';
import { palette } from '../styles/tokens.ts';
import { cellOf, type Course, courseOf, entropy, largest, type Step, stepAt, values } from
  '../directory/steps-in-time.ts';
import { words } from './words.ts';

const FRAME = 96;
const PAUSE = 1100;
const MOST_CIRCLES = 24;

/** Decoder steps or hops side by side: what each asks with, where it looks, what it finds. */
export class TimelineElement extends Part {
  /** One of the maps of the course. */
  @reactive tensor!: Tensor;
  @reactive playing!: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private focus_ = false;

  static override styles = [slider, css`
    :host { display: block; max-width: 100%; }
    h2 { margin-bottom: var(--space-1); }
    .says { margin: var(--space-2) 0 var(--space-4); min-height: 18px; }
    .frames { display: flex; gap: var(--space-4); overflow-x: auto; padding: var(--space-2);
      margin: calc(-1 * var(--space-2)); scrollbar-width: thin; }
    .frame { min-height: var(--finger); position: relative; display: grid; gap: var(--space-2);
      width: ${FRAME + 14}px; padding: var(--space-3); border: 1px solid var(--line); border-radius: var(--radius);
      align-content: start; justify-items: start; }
    .frame[aria-current] { border-color: var(--ink); box-shadow: 0 0 0 1px var(--ink); }
    .frame:hover { background: var(--hover); }
    .frame b { max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .frame[aria-current] b { color: var(--query); }
    .frame small { font-size: var(--text-mark); color: var(--ink2); max-width: 100%; overflow: hidden;
      text-overflow: ellipsis; white-space: nowrap; }
    .frame small.query { color: var(--query); }
    .frame small.weight { color: var(--weight); }
    .frame small.context { color: var(--context); }
    canvas { display: block; border: 1px solid var(--line2); }
    .bar { display: flex; gap: var(--space-2); align-items: center; margin-top: var(--space-4); max-width: 640px; }
    .bar input { flex: 1; min-width: 60px; }
    .path { display: block; overflow: visible; max-width: 100%; height: auto;
      margin: var(--space-3) 0 var(--space-5); direction: ltr; }
    .path circle { fill: var(--weight); }
    .path .way { fill: none; stroke: var(--ink); stroke-width: 1.4; }
    .path text { font-size: var(--text-mark); fill: var(--ink2); }
    .path .now { fill: var(--query); font-weight: 600; }
  `];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  // Of hops, the row of the question that is chosen.
  private get row(): number {
    const axis = axisOf(typed(this.tensor), 'query');
    const { active, places } = this.store.selection;
    const maps = this.store.sessions.result?.all('outputs')
      .filter((one) => one.shape.join() === this.tensor.shape.join()
      && one.places.join() === this.tensor.places.join());
    const mine = active && maps?.some(({ name }) => name === active.tensor) ? active.index[axis] : undefined;
    return mine ?? places[this.tensor.places[axis] ?? ''] ?? 0;
  }

  private get course(): Course | undefined {
    const { result } = this.store.sessions;
    const now = result?.whole(this.tensor.name, this.tensor.group);
    return result && now && courseOf(now, result, this.store.selection.chosen, this.row);
  }

  private get overlay(): Overlay | undefined {
    return this.overlayAt(0);
  }

  // Each step may look at an image of its own.
  private overlayAt(at: number): Overlay | undefined {
    const all = overlays(this.store).filter(({ tensor, key }) =>
      key && this.course?.maps.some((map) => sameNumbers(map, tensor)));
    return all.find(({ row }) => row === at) ?? all[0];
  }

  private at(course: Course): number {
    const { active, places } = this.store.selection;
    const map = course.maps[0]!;
    const { result } = this.store.sessions;
    const found = (result && stepAt(course, active, result))
      ?? (course.kind === 'time' ? places[map.places[axisOf(typed(map), 'query')] ?? ''] : undefined) ?? 0;
    return Math.min(found, course.steps.length - 1);
  }

  private called(course: Course, at: number): string {
    if (course.kind === 'hops') return words().hop(at + 1);
    const map = course.maps[0]!;
    return this.store.sessions.result?.labels(map.places[axisOf(typed(map), 'query')] ?? '')?.[at]
      ?? words().step(at + 1, course.steps.length);
  }

  private key({ weights }: Step, at: number): string {
    const grid = this.overlay?.key;
    if (grid && at >= grid.extra) return imageWords()
      .patch(Math.floor((at - grid.extra) / grid.cols), (at - grid.extra) % grid.cols);
    return this.store.sessions.result?.labels(weights.tensor.places[weights.colAxis] ?? '')?.[at] ?? String(at + 1);
  }

  /** The course in one sentence. */
  private says(course: Course, at: number): string {
    const say = words();
    if (course.kind === 'hops') {
      const path = course.steps.map((step) => this.key(step, largest(step).at));
      return new Set(path).size === 1 ? say.stays(path[0]!) : say.moves(path.join(say.then));
    }
    const step = course.steps[at]!;
    return say.looks(this.called(course, at), this.key(step, largest(step).at), inCell(largest(step).value, true));
  }

  override render(): unknown {
    const { course } = this;
    if (!course) return nothing;
    const say = words();
    const { steps, kind } = course;
    const now = this.at(course);
    const leftward = direction() === 'rtl';
    return html`<h2>${say[kind]} <span
      class="note">${kind === 'time' ? say.countTime(steps.length) : say.countHops(steps.length)}</span></h2>
      <p class="says" role="status" aria-live=${this.playing || this.shadowRoot?.activeElement
        ? 'polite' : 'off'}>${this.says(course, now)}</p>
      ${kind === 'hops' && !this.overlay && steps[0]!.weights.cols <= MOST_CIRCLES ? this.path(course, now) : nothing}
      <ol class="frames" aria-label="${say[kind]}. ${say.help}"
        @keydown=${this.keys}>${steps.map((step, at) =>
        html`<li><button class="frame" data-step=${at} tabindex=${at === now ? 0 : -1}
        aria-current=${at === now ? 'step' : nothing} @click=${() => this.go(course, at)}>
        <b>${this.called(course, at)}</b>${this.frame(step, at)}<small>${strings.bits(fixed(entropy(step), 2))}</small>
        <span class="unseen">${say.looks(this.called(course, at), this.key(step, largest(step).at),
          inCell(largest(step).value, true))}</span></button></li>`)}</ol>
      <div class="bar"><button class="icon" aria-label=${say.previous} ?disabled=${now === 0}
        @click=${() => this.go(course, now - 1)}>${leftward ? icons.forward : icons.back}</button>
        <button class="icon" aria-label=${this.playing ? say.pause : say.play}
          @click=${() => this.play()}>${this.playing ? icons.pause : icons.play}</button>
        <button class="icon" aria-label=${say.next} ?disabled=${now === steps.length - 1}
          @click=${() => this.go(course, now + 1)}>${leftward ? icons.back : icons.forward}</button>
        <input type="range" min="0" max=${steps.length - 1} .value=${String(now)} aria-label=${say.scrub}
          ${filled(now / Math.max(1, steps.length - 1))}
          aria-valuetext="${say.step(now + 1, steps.length)}: ${this.called(course, now)}"
          @input=${(e: Event) => this.go(course, Number((e.target as HTMLInputElement).value))} />
        <span class="note">${say.step(now + 1, steps.length)}</span></div>`;
  }

  private frame({ weights, beside }: Step, at: number): unknown {
    const before = beside.filter(({ tensor }) => tensor.role !== 'context');
    const after = beside.filter(({ tensor }) => tensor.role === 'context');
    return html`${before.map((plane) => this.strip(plane))}
      ${this.overlay ? html`<small class="weight">${naming(weights.tensor).short}</small><canvas data-frame=${at}
        aria-hidden="true"></canvas>` : this.strip(weights)}
      ${after.map((plane) => this.strip(plane))}`;
  }

  private strip(shown: Plane): unknown {
    const kind = kindOf(shown.tensor);
    const { short, role } = naming(shown.tensor);
    return html`<small class=${shown.tensor.role === 'query' || shown.tensor.role === 'state' ? 'query' : role}>${
      short}</small>
      <ap-matrix still .plane=${shown} .domain=${domainIn(shown.tensor.data, kind)} .w=${FRAME} .h=${14}></ap-matrix>`;
  }

  // Circles as large as the weights, a line through the largest.
  private path(course: Course, now: number): unknown {
    const { steps } = course;
    const cols = steps[0]!.weights.cols;
    const gap = Math.min(72, Math.max(24, 560 / cols));
    const letters = Math.floor(gap / 6) + 6;
    const longest = Math.min(letters,
      maximum(Array.from({ length: cols }, (_, at) => this.key(steps[0]!, at).length)));
    const [line, left, top] = [34, 64, 18 + longest * 3.6];
    const x = (at: number) => left + (at + 0.5) * gap;
    const y = (hop: number) => top + (hop + 0.5) * line;
    const [w, h] = [left + cols * gap + 40, top + steps.length * line];
    return html`<svg class="path" width=${w} height=${h} viewBox="0 0 ${w} ${h}" role="img"
      aria-label="${words().path}. ${this.says(course, now)}">
      ${Array.from({ length: cols },
        (_, at) => svg`<text transform="translate(${x(at)} ${top - 4}) rotate(-35)">${
        short(this.key(steps[0]!, at), letters)}</text>`)}
      ${steps.map((step, hop) => svg`<text class=${hop === now ? 'now' : ''} x="0"
        y=${y(hop) + 4}>${words().hop(hop + 1)}</text>
        ${values(step).map((value, at) =>
          svg`<circle cx=${x(at)} cy=${y(hop)}
          r=${Math.sqrt(Math.max(0, value)) * 14}><title>${this.key(step, at)}: ${
          inCell(value, true)}</title></circle>`)}`)}
      <path class="way" d=${steps.map((step, hop) => `${hop === 0 ? 'M' : 'L'}${x(largest(step).at)} ${y(hop)}`)
        .join('')} /></svg>`;
  }

  override updated(): void {
    const { course } = this;
    if (course) {
      for (const canvas of this.renderRoot.querySelectorAll<HTMLCanvasElement>('canvas[data-frame]')) {
        const at = Number(canvas.dataset['frame']);
        const overlay = this.overlayAt(at);
        const numbers = overlay && numbersOf(this.store, overlay.input);
        if (!overlay || !numbers) continue;
        const size = sizeOf(numbers.shape);
        const [w, h] = [FRAME * Math.min(1, size.width / size.height), FRAME * Math.min(1, size.height / size.width)];
        const tensor = course.kind === 'hops' ? course.maps[at]! : overlay.tensor;
        const shares = lineOf({ ...overlay, tensor }, 'row', course.kind === 'hops' ? this.row : at,
          this.store.selection.chosen);
        [canvas.style.width, canvas.style.height] = [`${w}px`, `${h}px`];
        paintImage(canvas, w, h, numbers.data, size, undefined,
          { shares, way: 'light', strength: 0.9, grid: false, theme: this.theme, paper: palette[this.theme] });
      }
    }
    if (!this.focus_) return;
    this.focus_ = false;
    this.renderRoot.querySelector<HTMLElement>('.frame[aria-current]')?.focus();
  }

  private go(course: Course, at: number): void {
    const step = course.steps[Math.min(course.steps.length - 1, Math.max(0, at))];
    if (step) this.store.selection.hold(cellOf(step));
  }

  private readonly keys = (event: KeyboardEvent) => {
    const { course } = this;
    if (!course || event.altKey || event.ctrlKey || event.metaKey) return;
    const now = this.at(course);
    const on = direction() === 'rtl' ? -1 : 1;
    const to: Record<string, number> =
      { ArrowRight: now + on, ArrowLeft: now - on, ArrowDown: now + 1, ArrowUp: now - 1, Home: 0,
      End: course.steps.length - 1 };
    const next = to[event.key];
    if (event.key === 'Escape') this.store.selection.hold(undefined);
    else if (next === undefined) return;
    else {
      this.focus_ = true;
      this.go(course, next);
      this.requestUpdate();
    }
    event.preventDefault();
  };

  private play(): void {
    if (this.playing) return this.stop();
    const onward = (): boolean => {
      const { course } = this;
      const now = course ? this.at(course) : 0;
      if (!course || now + 1 >= course.steps.length) return false;
      this.go(course, now + 1);
      return true;
    };
    const { course } = this;
    if (course && this.at(course) === course.steps.length - 1) this.go(course, 0);
    // Without motion one press is one step.
    else if (matchMedia('(prefers-reduced-motion: reduce)').matches) return void onward();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.playing = true;
    const tick = () => {
      if (onward()) this.timer = setTimeout(tick, PAUSE);
      else this.stop();
    };
    this.timer = setTimeout(tick, PAUSE);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }
}
customElements.define('ap-timeline', TimelineElement);

const short = (text: string, letters: number): string =>
  (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);

/** A timeline for each course of the result. */
export const timelines = (tensors: Tensor[]): unknown =>
  tensors.map((tensor) => html`<ap-timeline data-course=${tensor.name} .tensor=${tensor}></ap-timeline>`);
