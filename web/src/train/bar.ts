// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Part, reactive } from '../part.ts';
import { select } from '../select.ts';
import { strings } from '../strings/en.ts';
import { icons } from '../styles/icons.ts';
import { filled, slider } from '../styles/slider.ts';
import type { Desk } from './train-state.ts';
import { asTime, choosePace, PACES } from './pace.ts';
import { barStyles, controlStyles } from './styles.ts';
import { words } from './words.ts';

/** Time is the bottom bar: play, pause, a step, and the thumb that moves map, outputs and curves. */
export class TrainBarElement extends Part {
  @reactive desk!: Desk;

  static override styles = [slider, controlStyles, barStyles];

  override render(): unknown {
    const { training } = this.desk;
    void training.news;
    const playing = training.phase === 'playing';
    const { able } = this.desk;
    const steps = Math.max(training.begun?.steps ?? 1, training.step);
    const left = training.perSecond > 0 && training.begun ? (training.begun.steps - training.step) / training.perSecond
      : undefined;
    return html`<button class="icon" data-part="start-again" aria-label=${words().fromStart} title=${words().fromStart}
      @click=${() => this.desk.startAgain()}>${icons.reset}</button>
      <button class="play" data-part="play" ?disabled=${!playing && !able}
        @click=${() => this.play(playing)}>${playing ? icons.pause : icons.play}${
        playing ? words().pause : words().play}</button>
      <button class="icon" data-part="step" aria-label=${words().step} title=${words().step} ?disabled=${!able}
        @click=${() => this.desk.stepOnce()}>${icons.forward}</button>
      <input type="range" min="0" max=${steps} .value=${String(training.looksAt)} aria-label=${words().scrub}
        ${filled(training.looksAt / steps)}
        aria-valuetext=${words().stepOf(training.looksAt, steps)}
        @keydown=${this.leap} @input=${(e: Event) => training.look(Number((e.target as HTMLInputElement).value))} />
      <span class="quiet said">${words().stepOf(training.looksAt, steps)}${
        playing && left !== undefined
        ? [words().perSecond(Math.round(training.perSecond)), ...(training.workers > 1 ? [words().twoThreads] : []),
          words().timeLeft(asTime(left))].map((one) => html`${strings.comma}<span>${one}</span>`) : nothing}</span>
      ${select(PACES.map((pace) => [pace as number, words().paceOf(pace)]), training.pace,
        (pace) => choosePace(training.pace = pace), { label: words().pace })}`;
  }

  private play(playing: boolean): void {
    const { training } = this.desk;
    if (playing) training.pause();
    else this.desk.play();
  }

  // An arrow is ten steps, with Shift one.
  private readonly leap = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const { training } = this.desk;
    training.look(training.looksAt + by * (event.shiftKey ? 1 : 10));
  };
}
customElements.define('ap-train-bar', TrainBarElement);
