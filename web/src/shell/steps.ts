// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import { full } from '../colour/numbers.ts';
import { inWords } from '../flow/highlight.ts';
import { arrange } from '../flow/modules.ts';
import { naming } from '../flow/names.ts';
import { type Stage, stageShown, stagesOf } from '../flow/stages.ts';
import { Part } from '../part.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { base, fields } from '../styles/tokens.ts';

const PAUSE = 900;

/** The stages of the computation: a bar to step through them, or tabs on a narrow screen. */
export class StepsElement extends Part {
  static override properties = { ...Part.properties, tabs: { type: Boolean }, playing: { state: true } };
  declare tabs: boolean;
  declare playing: boolean;
  private timer: ReturnType<typeof setTimeout> | undefined;

  static override styles = [
    base,
    fields,
    css`
      :host { display: flex; align-items: center; gap: 4px; height: 40px; padding: 0 16px; border-top: 1px solid var(--line); background: var(--background); }
      :host([tabs]) { height: 48px; border-top: 0; border-bottom: 1px solid var(--line); overflow-x: auto; padding: 0 8px; scrollbar-width: none; }
      ol { display: flex; align-items: center; height: 100%; margin-left: 8px; }
      :host([tabs]) ol { margin: 0; }
      li { display: flex; align-items: center; height: 100%; }
      li:not(:first-child)::before { content: ''; width: 12px; height: 1px; background: var(--line2); margin: 0 4px; }
      :host([tabs]) li::before { display: none; }
      li button { height: 100%; padding: 0 4px; color: var(--ink2); border-bottom: 2px solid transparent; white-space: nowrap; }
      :host([tabs]) li button { padding: 0 11px; font-size: 14px; min-width: 44px; }
      li button[aria-current] { color: var(--ink); font-weight: 600; border-bottom-color: var(--ink); }
      li button:hover { color: var(--ink); }
      :focus-visible { outline-offset: -3px; }
      .live { margin-left: auto; color: var(--ink2); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .live b { font-weight: 600; color: var(--ink); }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  override render(): unknown {
    const { result } = this.store;
    const stages = result ? stagesOf(arrange(result)) : [];
    const shown = stageShown(this.store) ?? (this.tabs ? 'weights' : undefined);
    const list = html`<ol aria-label=${strings.stages}>${stages.map((stage) => html`<li><button aria-current=${stage === shown ? 'step' : nothing}
      @click=${() => this.go(stage)}>${strings.stageNames[stage]}</button></li>`)}</ol>`;
    if (this.tabs) return list;
    return html`<button class="icon" aria-label=${strings.previousStage} @click=${() => this.step(stages, -1)}>${icons.back}</button>
      <button class="icon" aria-label=${this.playing ? strings.pause : strings.play} @click=${() => this.play(stages)}>${this.playing ? icons.pause : icons.play}</button>
      <button class="icon" aria-label=${strings.nextStage} @click=${() => this.step(stages, 1)}>${icons.forward}</button>
      ${list}<span class="live" role="status" aria-live="polite" id="live">${this.live()}</span>`;
  }

  override updated(): void {
    if (!this.tabs) return;
    this.renderRoot.querySelector('[aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }

  private live(): unknown {
    const target = this.store.hover ?? this.store.lock;
    const value = target && this.store.numberAt(target);
    if (!target || value === undefined) return '';
    return html`${inWords(this.store, target)}, ${naming({ name: target.tensor, group: target.group }).one.toLowerCase()} <b>${full(value)}</b>`;
  }

  // Pressing the stage that is shown brings the whole picture back.
  private go(stage: Stage): void {
    this.stop();
    this.store.show({ stage: this.store.stage === stage && !this.tabs ? undefined : stage });
  }

  private step(stages: Stage[], by: number): void {
    this.stop();
    this.move(stages, by);
  }

  private move(stages: Stage[], by: number): boolean {
    const now = this.store.stage === undefined ? (by > 0 ? -1 : stages.length) : stages.indexOf(this.store.stage as Stage);
    const next = stages[now + by];
    this.store.show({ stage: next });
    return next !== undefined;
  }

  private play(stages: Stage[]): void {
    if (this.playing) return this.stop();
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return void this.move(stages, 1);
    this.playing = true;
    this.store.show({ stage: stages[0] });
    const tick = () => {
      if (this.move(stages, 1)) this.timer = setTimeout(tick, PAUSE);
      else this.stop();
    };
    this.timer = setTimeout(tick, PAUSE);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }
}
customElements.define('ap-steps', StepsElement);
