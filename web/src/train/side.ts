// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { Later } from '../later.ts';
import { Part } from '../part.ts';
import { get } from '../state/pointer.ts';
import { phrase } from '../strings/quote.ts';
import { digits, typedNumber } from '../strings/numerals.ts';
import { filled, slider } from '../styles/slider.ts';
import { base, fields } from '../styles/tokens.ts';
import type { Desk } from './desk.ts';
import { documents } from './documents.ts';
import { fromShare, help, learning, optimisers, type Setting, share, valueOf } from './settings.ts';
import { controlStyles } from './styles.ts';
import { words } from './words.ts';

const own = new Later(() => import('./own-part.ts'));
/** The entry of the menu that is no document: the reader's own data. */
const OWN = 'own';

/** What a training is made of: its task, how it learns, what helps and hinders, and where it starts. */
export class TrainSideElement extends Part {
  static override properties = { ...Part.properties, desk: { attribute: false } };
  declare desk: Desk;

  static override styles = [base, fields, slider, controlStyles];

  override render(): unknown {
    const { desk } = this;
    const { begun } = desk.training;
    return html`<section class="group"><h2>${words().task}</h2>
        <select data-part="task" aria-label=${words().task}
          @change=${(e: Event) => this.choose((e.target as HTMLSelectElement).value)}>${this.tasks()}</select>
        ${desk.draft.open && own.use(this) ? html`<ap-train-own .desk=${desk}></ap-train-own>` : nothing}
        ${begun ? html`${plain(words().learnsFrom,
          begun.learnsFrom > 0 ? words().examples(begun.learnsFrom) : words().drawn)}
          ${plain(words().keptApart, words().examples(begun.heldOut))}
          ${plain(words().learns, words().numbers(begun.weights))}` : nothing}</section>
      <section class="group"><h2>${words().learning}</h2>${this.optimiser()}${
        learning.map((one) => this.slider(one))}</section>
      <section class="group"><h2>${words().help}</h2>${help.map((one) => this.slider(one))}</section>
      <section class="group"><h2>${words().start}</h2>${this.seed()}</section>`;
  }

  private tasks(): unknown {
    const { desk } = this;
    const { title } = desk.document;
    const { open } = desk.draft;
    const all = [...documents].map(([name, one]) =>
      html`<option value=${name} ?selected=${!open && one.title === title}>${phrase(String(one.title))}</option>`);
    all.push(html`<option value=${OWN} ?selected=${open}>${words().own.entry}</option>`);
    // A reader's own stands first, and choosing it changes nothing.
    return [...documents.values()].some((one) => one.title === title) ? all
      : [html`<option value="" disabled ?selected=${!open}>${phrase(String(title))}</option>`, ...all];
  }

  private choose(name: string): void {
    const { desk } = this;
    desk.draft.open = name === OWN;
    if (name !== OWN) return desk.choose(name);
    desk.draft.begin(desk.document);
    void own.fetch();
  }

  private optimiser(): unknown {
    const { desk } = this;
    const now = get(desk.document, '/training/optimiser/type') ?? get(desk.document, '/training/optimiser');
    return html`<div class="row plain"><span class="quiet">${words().optimiser}</span><select
      aria-label=${words().optimiser} data-part="optimiser"
      @change=${(e: Event) => desk.put('/training/optimiser/type', (e.target as HTMLSelectElement).value)}>
      ${Object.entries(optimisers).map(([id, name]) =>
        html`<option value=${id} ?selected=${id === now}>${name}</option>`)}</select></div>`;
  }

  private seed(): unknown {
    const { desk } = this;
    const put = (value: number) => desk.put('/seed', Math.max(0, Math.floor(value) || 0));
    return html`<div class="row"><span class="quiet">${words().seed}</span>
      <button class="link" data-part="draw" @click=${() => put(Math.random() * 1e6)}>${words().drawAgain}</button>
      <input aria-label=${words().seed} inputmode="numeric" .value=${String(desk.document['seed'] ?? 0)}
        @change=${(e: Event) => put(Number((e.target as HTMLInputElement).value))} /></div>`;
  }

  private slider(setting: Setting): unknown {
    const { desk } = this;
    const value = valueOf(desk.document, setting);
    const name = words()[setting.name] as string;
    const end = () => this.store.documents.endGesture();
    return html`<div class="row" data-setting=${setting.path}><span class="quiet" id=${setting.name}>${name}</span>
      <input type="range" min="0" max="1" step="0.005" aria-labelledby=${setting.name} aria-valuetext=${String(value)}
        .value=${String(share(setting, value))} ${filled(share(setting, value))} @change=${end}
        @input=${(e: Event) => desk.put(setting.path, fromShare(setting, Number((e.target as HTMLInputElement).value)),
          setting.path)} />
      <input inputmode="decimal" aria-labelledby=${setting.name} .value=${digits(value, 6)} @change=${(e: Event) => {
        const next = typedNumber((e.target as HTMLInputElement).value);
        if (Number.isFinite(next)) desk.put(setting.path, next);
        else this.requestUpdate();
      }} /></div>`;
  }
}
const plain = (name: string, value: string): unknown =>
  html`<div class="row plain"><span class="quiet">${name}</span><span>${value}</span></div>`;
customElements.define('ap-train-side', TrainSideElement);
