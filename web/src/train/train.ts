// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { measured } from '../measured.ts';
import { Part } from '../part.ts';
import { icons } from '../styles/icons.ts';
import { base, fields } from '../styles/tokens.ts';
import { type Axis, lossCurve, percent, shareCurve, stepAt, sureBands } from './curves.ts';
import { documents } from './documents.ts';
import { History } from './history.ts';
import { kept } from './kept.ts';
import { type Chosen, learned, rightWords, truth, wrote } from './maps.ts';
import type { Picture, TrainingDocument } from './messages.ts';
import { openTraining } from './open.ts';
import { changed, fromShare, help, learning, type Setting, share, valueOf } from './settings.ts';
import { trainStyles } from './styles.ts';
import { PACES, type Training } from './training.ts';
import { words } from './words.ts';

const NARROW = 760;
const SIDE = 288;
const EDGES = 48;

const asTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;

/** The place where a model learns while one watches: its map, what it wrote and the truth, and all moments of it on one axis. */
export class TrainElement extends Part {
  static override properties = {
    ...Part.properties, narrow: { type: Boolean, reflect: true }, name: { state: true }, document: { state: true }, chosen: { state: true }, resumed: { state: true }, width: { state: true },
  };
  declare narrow: boolean;
  declare name: string;
  /** As the settings have it; the training has the one that it began with. */
  declare document: TrainingDocument;
  declare chosen: Chosen;
  declare resumed: boolean;
  declare width: number;
  private readonly training: Training = openTraining();
  private begunWith = '';
  private awake: WakeLockSentinel | undefined;

  static override styles = [base, fields, trainStyles];

  constructor() {
    super();
    const [[name, document]] = documents as unknown as [[string, TrainingDocument]];
    this.name = name;
    this.document = document;
    this.chosen = { map: 0, head: undefined };
    this.resumed = this.narrow = false;
    this.width = 800;
    measured(this, (width) => {
      if (width === 0) return;
      this.narrow = width < NARROW;
      this.width = Math.max(330, Math.min(860, width - (this.narrow ? 28 : SIDE + EDGES)));
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void kept().then((found) => {
      this.resumed = found !== undefined;
      if (found) this.document = found.document;
      this.begin(found?.from);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.training.close();
    void this.awake?.release();
  }

  private begin(from?: Parameters<Training['begin']>[1]): void {
    this.begunWith = JSON.stringify(this.document);
    this.chosen = { map: 0, head: undefined };
    this.training.begin(this.document, from);
  }

  private startAgain(): void {
    this.resumed = false;
    this.begin();
  }

  private choose(name: string): void {
    this.name = name;
    this.document = documents.get(name)!;
    this.startAgain();
  }

  private async play(): Promise<void> {
    this.training.play();
    // A phone's screen stays on while one watches, where the browser lets it.
    this.awake ??= await navigator.wakeLock?.request('screen').catch(() => undefined);
  }

  private get axis(): Axis {
    const { training } = this;
    return { width: this.width, steps: Math.max(training.begun?.steps ?? 1, training.step), looksAt: training.looksAt, now: training.step };
  }

  override render(): unknown {
    const { training } = this;
    void training.news;
    const picture = History.at(training.history.pictures, training.looksAt);
    return html`${this.narrow ? nothing : html`<aside class="settings" aria-label=${words().settings}>${this.settings()}</aside>`}
      <main class="middle" aria-label=${words().middle}>${this.head(picture)}${this.problems()}
        ${picture ? this.maps(picture) : html`<p class="quiet" role="status">${training.phase === 'refused' ? '' : words().beginning}</p>`}
        ${this.curves()}
        ${this.narrow ? this.settings() : nothing}</main>
      ${this.bar()}`;
  }

  private head(picture: Picture | undefined): unknown {
    const { training } = this;
    return html`<div class="head"><div><h2>${picture?.source.join(' ') ?? this.document.title}</h2><p class="quiet">${picture ? words().watched : ''}</p></div>
      <div class="quiet" role="status">${training.looksBack ? html`${words().lookingBack(training.step, training.looksAt)}
        <button class="button" data-part="now" @click=${() => training.look(undefined)}>${words().now}</button>
        <button class="button" data-part="go-on" @click=${() => training.goOnFromHere()}>${words().goOn}</button>` : this.said()}</div></div>
      ${this.resumed ? html`<p class="note">${words().resumed}</p>` : nothing}
      ${training.step === 0 && picture ? html`<p class="note idle">${words().idle}</p>` : nothing}`;
  }

  private said(): string {
    const { training } = this;
    const last = training.history.measured.at(-1);
    return last && training.step > 0 ? words().says(training.step, percent(last.accuracy), last.alignment === undefined ? undefined : percent(last.alignment)) : '';
  }

  private problems(): unknown {
    const { training } = this;
    const failure = training.history.steps.at(-1)?.failure;
    return html`${failure === undefined ? nothing : html`<p class="bad" role="alert">${words().failed} ${failure}</p>`}
      ${training.problem === undefined ? nothing : html`<p class="bad" role="alert">${words().refused} ${training.problem.path} ${training.problem.message}</p>`}`;
  }

  private maps(picture: Picture): unknown {
    const { chosen } = this;
    const map = picture.maps[chosen.map];
    const heads = map?.shape[0] ?? 0;
    return html`<div class="maps">
      ${map ? html`<figure data-part="learned">${learned(picture, chosen, this.theme)}<figcaption><b class="weight">${words().weights}</b> <span class="quiet">${words().atStep(picture.step)}</span>
        ${picture.maps.length > 1 ? html`<select aria-label=${words().weights} @change=${(e: Event) => (this.chosen = { map: Number((e.target as HTMLSelectElement).value), head: undefined })}>
          ${picture.maps.map(({ name }, k) => html`<option value=${k} ?selected=${k === chosen.map}>${name}</option>`)}</select>` : nothing}
        ${heads > 1 ? this.headMenu(heads) : nothing}
        </figcaption></figure>` : nothing}
      <figure>${wrote(picture)}<figcaption class="flush"><b>${words().wrote}</b> <span class="quiet">${words().right(rightWords(picture), picture.truth.length)}</span></figcaption></figure>
      ${picture.links.length === 0 ? nothing : html`<figure data-part="truth">${truth(picture)}<figcaption><b>${words().truth}</b> <span class="key"></span> ${words().means}
        ${picture.links.some(([, , kind]) => kind === 'agrees') ? html`<span class="key dashed"></span> ${words().agrees}` : nothing}</figcaption></figure>`}</div>`;
  }

  private headMenu(heads: number): unknown {
    const { chosen } = this;
    const names = [words().allHeads, ...Array.from({ length: heads }, (_, k) => words().head(k + 1))];
    return html`<select aria-label=${words().heads} data-part="head" @change=${(e: Event) => {
      const at = (e.target as HTMLSelectElement).selectedIndex;
      this.chosen = { ...chosen, head: at === 0 ? undefined : at - 1 };
    }}>${names.map((text, k) => html`<option ?selected=${k === (chosen.head ?? -1) + 1}>${text}</option>`)}</select>`;
  }

  private curves(): unknown {
    const { history } = this.training;
    const { axis } = this;
    return html`<div class="curves" @pointerdown=${this.drag} @pointermove=${(e: PointerEvent) => e.buttons === 1 && this.drag(e)}>
      ${lossCurve(history, axis)}${shareCurve(history, axis)}${sureBands(history, axis, this.theme)}</div>`;
  }

  private readonly drag = (event: PointerEvent) => {
    const panel = (event.target as Element).closest('.panel');
    if (panel) this.training.look(stepAt(this.axis, event.clientX - panel.getBoundingClientRect().left));
  };

  private bar(): unknown {
    const { training } = this;
    const playing = training.phase === 'playing';
    const left = training.perSecond > 0 && training.begun ? (training.begun.steps - training.step) / training.perSecond : undefined;
    return html`<div class="bar">
      <button class="icon" aria-label=${words().fromStart} title=${words().fromStart} @click=${() => this.startAgain()}>${icons.reset}</button>
      <button class="play" data-part="play" ?disabled=${!playing && training.phase !== 'ready'} @click=${() => (playing ? training.pause() : void this.play())}>${playing ? icons.pause : icons.play}${playing ? words().pause : words().play}</button>
      <button class="icon" data-part="step" aria-label=${words().step} title=${words().step} ?disabled=${training.phase !== 'ready'} @click=${() => training.stepOnce()}>${icons.forward}</button>
      <input type="range" min="0" max=${this.axis.steps} .value=${String(training.looksAt)} aria-label=${words().scrub} aria-valuetext=${words().stepOf(training.looksAt, this.axis.steps)}
        @input=${(e: Event) => training.look(Number((e.target as HTMLInputElement).value))} />
      <span class="quiet">${words().stepOf(training.looksAt, this.axis.steps)}${playing && left !== undefined ? `, ${words().perSecond(training.perSecond.toFixed(0))}, ${words().timeLeft(asTime(left))}` : ''}</span>
      <select aria-label=${words().pace} @change=${(e: Event) => (training.pace = Number((e.target as HTMLSelectElement).value))}>
        ${PACES.map((pace) => html`<option value=${pace} ?selected=${pace === training.pace}>${words().paceOf(pace)}</option>`)}</select></div>`;
  }

  private settings(): unknown {
    const { training, document } = this;
    const { begun } = training;
    const edited = this.begunWith !== '' && JSON.stringify(document) !== this.begunWith;
    return html`<section class="group"><h3>${words().task}</h3>
        <select data-part="task" aria-label=${words().task} @change=${(e: Event) => this.choose((e.target as HTMLSelectElement).value)}>
          ${[...documents].map(([name, one]) => html`<option value=${name} ?selected=${name === this.name}>${one.title}</option>`)}</select>
        ${begun ? html`<div class="row plain"><span class="quiet">${words().learnsFrom}</span><span>${begun.learnsFrom > 0 ? words().examples(begun.learnsFrom) : words().drawn}</span></div>
          <div class="row plain"><span class="quiet">${words().keptApart}</span><span>${words().examples(begun.heldOut)}</span></div>
          <div class="row plain"><span class="quiet">${words().learns}</span><span>${words().numbers(begun.weights.toLocaleString())}</span></div>` : nothing}</section>
      <section class="group"><h3>${words().learning}</h3>${learning.map((one) => this.slider(one))}</section>
      <section class="group"><h3>${words().help}</h3>${help.map((one) => this.slider(one))}</section>
      <section class="group"><h3>${words().start}</h3><div class="row"><span class="quiet">${words().seed}</span>
          <button class="link" @click=${() => this.put('/seed', Math.floor(Math.random() * 1e6))}>${words().drawAgain}</button>
          <input aria-label=${words().seed} inputmode="numeric" .value=${String(document.seed ?? 0)} @change=${(e: Event) => this.put('/seed', Math.max(0, Math.floor(Number((e.target as HTMLInputElement).value)) || 0))} /></div>
        ${edited ? html`<p class="note" role="status">${words().changed}</p><button class="button" data-part="again" @click=${() => this.startAgain()}>${words().startAgain}</button>` : nothing}</section>
      <section class="group"><button class="button" data-part="save" ?disabled=${training.phase !== 'ready' && training.phase !== 'finished'} @click=${() => void this.save()}>${words().save}</button></section>`;
  }

  private slider(setting: Setting): unknown {
    const value = valueOf(this.document, setting);
    const put = (next: number) => this.put(setting.path, next);
    return html`<div class="row"><span class="quiet" id=${setting.name}>${words()[setting.name] as string}</span>
      <input type="range" min="0" max="1" step="0.005" aria-labelledby=${setting.name} .value=${String(share(setting, value))} @input=${(e: Event) => put(fromShare(setting, Number((e.target as HTMLInputElement).value)))} />
      <input inputmode="decimal" aria-labelledby=${setting.name} .value=${String(value)} @change=${(e: Event) => {
        const next = Number((e.target as HTMLInputElement).value);
        if (Number.isFinite(next)) put(next);
      }} /></div>`;
  }

  private put(path: string, value: number): void {
    this.document = changed(this.document, path, value);
  }

  private async save(): Promise<void> {
    const bytes = await this.training.save(true);
    const { save } = await import('../take/save.ts');
    save(new Blob([bytes as BlobPart], { type: 'application/octet-stream' }), `${this.name}.safetensors`);
  }
}
customElements.define('ap-train', TrainElement);
