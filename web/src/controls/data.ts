// SPDX-License-Identifier: Apache-2.0
import { css, html, nothing } from 'lit';
import type { JsonObject, Knob } from '../engine/types.ts';
import { bounded } from '../bounded.ts';
import { nest } from '../state/nested-lists.ts';
import { Part } from '../part.ts';
import { isObject, join } from '../engine/pointer.ts';
import { NATURAL, nextSeed, WIDEST_WORDS } from '../state/tokens.ts';
import { isSeeded } from '../state/seeded.ts';
import { strings } from '../strings/en.ts';
import { objection } from '../strings/quote.ts';
import './knob.ts';

const width = (title: string, words: boolean): Knob =>
  ({ name: 'dim', title, type: 'integer', default: words ? NATURAL.dim : 16, minimum: 1,
  maximum: words ? WIDEST_WORDS : 64, scale: 'linear' });
// What the document's schema allows for words.
const KINDS = ['words', 'embedding', 'one-hot', 'sinusoidal', 'matrix'];

// Of the inputs' widths, at first.
const MOST = 24;

const seed = (): Knob => ({ name: 'seed', title: strings.seed, type: 'integer', default: 0 });

/** What the numbers are drawn from: the widths of the features, and the seed. */
export class DataElement extends Part {
  static override styles = css`
    ap-bounded { display: contents; }
    .row { display: grid; grid-template-columns: 92px 1fr; column-gap: var(--space-4); align-items: center;
      min-height: calc(var(--control) + var(--space-2)); }
    .draw { margin-block-start: var(--space-2); margin-inline-start: 100px; min-height: var(--press); }
  `;

  override render(): unknown {
    const inputs = Object.entries(this.store.documents.document.inputs).filter(
      ([, input]) => isObject(input['features']) && input['features']['dim'] !== undefined,
    );
    return html`${bounded(inputs, MOST, ([name, input]) => {
        const path = join('inputs', name, 'features', 'dim');
        const title = inputs.length === 1 ? strings.width : strings.widthOf(name);
        return html`<ap-knob .knob=${width(title, (input['features'] as JsonObject)['type'] === 'words')} .path=${path}
          data-path=${path}></ap-knob>`;
      })}
      ${this.kinds()}${this.seeds()}`;
  }

  // A seed that changes no number is not offered.
  private seeds(): unknown {
    const { documents: { document }, sessions: { result } } = this.store;
    return result && !isSeeded(document, result) ? nothing : html`
      <ap-knob .knob=${seed()} .path=${'/seed'} data-path="/seed"></ap-knob>
      <button class="link draw" @click=${() => this.draw()}>${strings.drawAgain}</button>`;
  }

  // How words become numbers, for all inputs that are words.
  private kinds(): unknown {
    const words = Object.entries(this.store.documents.document.inputs).filter(([, input]) => {
      const features = input['features'];
      return isObject(features) && KINDS.includes(String(features['type']));
    });
    const [name, first] = words[0] ?? [];
    if (name === undefined || !first) return nothing;
    const { type } = first['features'] as JsonObject;
    const problem = this.store.errorAt(join('inputs', name, 'features', 'type'));
    return html`<label class="row"><span class="quiet">${strings.features}</span>
      <select data-path=${join('inputs', name, 'features', 'type')}
        @change=${(e: Event) => this.become((e.target as HTMLSelectElement).value)}>
        ${KINDS.map((kind) => html`<option value=${kind}
          ?selected=${kind === type}>${strings.featureKinds[kind] ?? kind}</option>`)}</select></label>
      ${problem === undefined ? nothing
        : html`<p class="error" role="alert">${objection(strings.features, problem)}</p>`}`;
  }

  private become(type: string): void {
    this.store.documents.change((draft) => {
      for (const [name, input] of Object.entries(draft.inputs)) {
        const features = input['features'];
        if (!isObject(features) || !KINDS.includes(String(features['type']))) continue;
        // As wide as there are different words, when there is one column a word.
        const { dim } = features;
        const width = Array.isArray(features['matrix']) && Array.isArray(features['matrix'][0])
          ? features['matrix'][0].length : 16;
        if (type === 'matrix') input['features'] = this.numbers(name, features);
        else if (type === 'words') input['features'] = { type, dim: Math.min(Number(dim ?? width), WIDEST_WORDS) };
        else input['features'] = type === 'one-hot' ? { type } : { type, dim: dim ?? width };
      }
    });
  }

  // A matrix of one's own begins as what the features are now: every cell is there to be typed over.
  private numbers(name: string, features: JsonObject): JsonObject {
    const now = this.store.sessions.result?.find(name, 'inputs');
    if (!now || features['type'] === 'matrix') return features;
    this.store.shelf[`${name} features`] = features;
    return { type: 'matrix', matrix: nest(now.data, now.shape) };
  }

  private draw(): void {
    const now = this.store.value('/seed');
    this.store.documents.set('/seed', nextSeed(typeof now === 'number' ? now : 0));
  }
}
customElements.define('ap-data', DataElement);
