// SPDX-License-Identifier: Apache-2.0
import { effect, untracked } from '@preact/signals-core';
import { css, html, nothing } from 'lit';
import { arrange, tensorsOf } from '../directory/modules.ts';
import type { FlowElement } from '../flow/flow.ts';
import { type Stage, stageOf, stageShown, stagesOf, stageUnder } from '../flow/stages.ts';
import { type Stop, stopsOf } from '../flow/walk.ts';
import { measured } from '../measured.ts';
import { Part, property, reactive } from '../part.ts';
import { strings } from '../strings/en.ts';
import { direction } from '../strings/language.ts';
import { icons } from '../styles/icons.ts';
import './live.ts';
import { rank, type Rank } from '../turns.ts';

const PAUSE = 1300;

/** The stages of the computation: a bar to step through them, or tabs on a narrow screen. */
export class StepsElement extends Part {
  @property({ type: Boolean }) tabs!: boolean;
  @reactive playing!: boolean;
  private ignore: (() => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The words of the strip that was measured last, the chosen one in front. */
  private held = '';

  // :host([tabs]): What is only heard stands in here, too, and is cut where the tabs are.
  // :host([cut~='left']): Where the tabs go on, they fade.
  static override styles = css`
    :host { display: flex; align-items: center; gap: var(--space-2); height: 40px; padding: 0 var(--space-8);
    border-top: 1px solid var(--line); background: var(--background); }
    :host([tabs]) { position: relative; height: 48px; border-top: 0; border-bottom: 1px solid var(--line);
    overflow-x: auto; padding: 0 var(--space-4); scrollbar-width: none; }
    :host([cut~='left']) { --from: transparent; }
    :host([cut~='right']) { --to: transparent; }
    :host([cut]) { mask-image: linear-gradient(to right, var(--from, black), black 32px calc(100% - 32px),
      var(--to, black)); }
    .icon { height: 100%; }
    ol { display: flex; align-items: center; height: 100%; margin-inline-start: var(--space-4); }
    :host([tabs]) ol { margin: 0; }
    li { display: flex; align-items: center; height: 100%; }
    li:not(:first-child)::before { content: ''; width: 8px; height: 1px; background: var(--line2);
      margin: 0 var(--space-2); }
    :host([tabs]) li::before { display: none; }
    li button { height: 100%; padding: 0 var(--space-2); color: var(--ink2); border-bottom: 2px solid transparent;
      white-space: nowrap; }
    :host([tabs]) li button { padding: 0 var(--space-5); font-size: var(--text-read); min-width: 44px; }
    li button[aria-current] { color: var(--ink); font-weight: 600; border-bottom-color: var(--ink); }
    li button:hover { color: var(--ink); }
    :focus-visible { outline-offset: -3px; }
    ap-live[seen] { margin-inline-start: auto; }
  `;

  constructor() {
    super();
    measured(this, this.ends);
    this.addEventListener('keydown', this.keys);
    this.addEventListener('scroll', this.ends, { passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.ignore?.();
    this.stop();
  }

  // They take room from the picture, which would move if they came later.
  protected override get rank(): Rank {
    return rank.picture;
  }

  override render(): unknown {
    const { result } = this.store.sessions;
    const stages = result ? stagesOf(arrange(result)) : [];
    const shown = stageShown(this.store) ?? (this.tabs ? 'weights' : undefined);
    const list = html`<ol aria-label=${strings.stages}>${
      stages.map((stage) => html`<li><button aria-current=${stage === shown ? 'step' : nothing}
      @click=${() => this.go(stage)}>${strings.stageNames[stage]}</button></li>`)}</ol>`;
    const walking = this.store.view.walk !== undefined;
    const play = html`<button class="icon" aria-label=${this.playing ? strings.pause : strings.play}
      title=${strings.walkHelp} @click=${() => this.play()}>${this.playing ? icons.pause : icons.play}</button>`;
    const leftward = direction() === 'rtl';
    const back = html`<button class="icon" aria-label=${strings.previousStage}
      @click=${() => this.step(-1)}>${leftward ? icons.forward : icons.back}</button>`;
    const on = html`<button class="icon" aria-label=${strings.nextStage}
      @click=${() => this.step(1)}>${leftward ? icons.back : icons.forward}</button>`;
    if (this.tabs) return html`${walking ? back : nothing}${play}${walking ? on : nothing}${list}<ap-live></ap-live>`;
    return html`${back}${play}${on}${list}<ap-live seen></ap-live>`;
  }

  // Which of its ends the strip hides.
  private readonly ends = (): void => {
    const { scrollLeft, scrollWidth, clientWidth } = this;
    // From right to left, the strip scrolls below 0.
    const [left, right] = direction() === 'rtl' ? [scrollWidth - clientWidth + scrollLeft, -scrollLeft]
      : [scrollLeft, scrollWidth - clientWidth - scrollLeft];
    const cut = this.tabs ? [left > 1 ? 'left' : '', right > 1 ? 'right' : ''].join(' ').trim() : '';
    if (cut) this.setAttribute('cut', cut);
    else this.removeAttribute('cut');
  };

  // Its ends are measured only where it holds something else: measuring has the browser lay out the whole page.
  override updated(): void {
    const chosen = this.renderRoot.querySelector('[aria-current]');
    const held = this.tabs ? `${chosen?.textContent} ${this.renderRoot.querySelector('ol')?.textContent}` : '';
    if (held === this.held) return;
    this.held = held;
    this.ends();
    if (!this.tabs || !chosen) return;
    // Only this strip moves: scrollIntoView would move the page that it stands on.
    const [box, at] = [this.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (at.left < box.left) this.scrollLeft -= box.left - at.left;
    else if (at.right > box.right) this.scrollLeft += at.right - box.right;
  }

  // Pressing the stage that is shown brings the whole picture back.
  private go(stage: Stage): void {
    this.stop();
    const again = this.store.view.stage === stage && !this.tabs;
    const at = this.stops().findLastIndex((stop) => stop.stage === stage);
    const walking = this.store.view.walk !== undefined && at >= 0 && !again;
    this.store.view.show({ stage: again ? undefined : stage, walk: walking ? at : undefined });
    if (!again && !this.tabs) this.bring(stage);
  }

  // What the reader stepped to may be out of sight.
  private bring(stage: Stage): void {
    const { result } = this.store.sessions;
    const name = result && arrange(result).modules.flatMap(tensorsOf).find((one) => stageOf(one) === stage)?.name;
    const flow = (this.getRootNode() as ShadowRoot).querySelector<FlowElement>('ap-flow');
    if (name !== undefined) void flow?.updateComplete.then(() => flow.bring(name));
  }

  // Whoever locks a cell of another stage is there from then on; a walk goes on by itself.
  private follow(): () => void {
    const { selection, view } = this.store;
    let { lock } = selection;
    let { stage } = view;
    return effect(() => {
      const other = selection.lock !== lock && view.stage === stage;
      ({ lock } = selection);
      ({ stage } = view);
      const own = other && stage !== undefined && view.walk === undefined ? untracked(() => stageUnder(this.store))
        : undefined;
      if (own !== undefined && own !== stage) queueMicrotask(() => view.show({ stage: undefined }));
    });
  }

  private stops(): Stop[] {
    return this.store.sessions.result ? stopsOf(this.store.sessions.result) : [];
  }

  private step(by: number): void {
    this.stop();
    this.move(by);
  }

  private move(by: number): boolean {
    const stops = this.stops();
    const now = this.store.view.walk ?? (by > 0 ? -1 : stops.length);
    const next = stops[now + by];
    this.store.view.show({ walk: next && now + by, stage: next?.stage });
    return next !== undefined;
  }

  private play(): void {
    if (this.playing) return this.stop();
    // Without motion one press is one step.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return void this.move(1);
    this.playing = true;
    if (this.store.view.walk === undefined) this.move(1);
    const tick = () => {
      if (this.move(1)) this.timer = setTimeout(tick, PAUSE);
      else this.stop();
    };
    this.timer = setTimeout(tick, PAUSE);
    addEventListener('pointerdown', this.skip, { capture: true });
    addEventListener('keydown', this.skip, { capture: true });
  }

  // Any input ends the playing; the step that is shown stays.
  private readonly skip = (event: Event) => {
    if (!event.composedPath().includes(this)) this.stop();
  };

  private readonly keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      this.stop();
      this.store.view.show({ walk: undefined, stage: undefined });
    } else if (event.key === 'ArrowRight') this.step(1);
    else if (event.key === 'ArrowLeft') this.step(-1);
    else if (event.key === ' ' && this.playing) this.stop();
    else return;
    event.preventDefault();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    this.ignore = this.follow();
  }

  private stop(): void {
    clearTimeout(this.timer);
    removeEventListener('pointerdown', this.skip, { capture: true });
    removeEventListener('keydown', this.skip, { capture: true });
    this.playing = false;
  }
}
customElements.define('ap-steps', StepsElement);
