// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import { fixed } from '../strings/numerals.ts';
import { loadModel, modelBytes, modelStage, type Stage, stopLoading } from './model.ts';
import { opening } from '../engine/encoder.ts';
import { words } from './words.ts';

/** Bytes as megabytes with one place. */
export const megabytes = (bytes: number): string => fixed(bytes / 1e6, 1);

// Who stops is back where the model was offered.
function leave(): void {
  stopLoading();
  opening.value = undefined;
}

// A screen reader hears four steps, not every chunk.
const heard = (share: number): number => Math.floor(share * 4) * 25;

function bar({ received, total }: Extract<Stage, { is: 'loading' }>): unknown {
  const share = total > 0 ? received / total : 0;
  return html`<div class="loading"><progress max="1" .value=${share}
      aria-label=${words().load(megabytes(total))}></progress>
    <span>${words().loading(megabytes(received), megabytes(total))}</span>
    <button class="link" data-part="cancel" @click=${leave}>${words().cancel}</button>
    <span class="unseen" role="status">${words().loadingSays(heard(share))}</span></div>`;
}

function lost({ why, received, total }: Extract<Stage, { is: 'lost' }>): unknown {
  const said = why === 'connection' ? words().why.connection(megabytes(received), megabytes(total)) : words().why[why];
  return html`<div role="alert" data-part="lost"><h3>${words().lost}</h3><p class="error">${said}</p>
    ${why === 'connection' ? html`<p class="note">${words().kept}</p>` : nothing}
    <button class="button first" data-part="load" @click=${loadModel}>${
      why === 'connection' && received > 0 ? words().goOn : words().again}</button></div>`;
}

/** What is said of the model that is not here yet, and what can be done about it; nothing once it is. */
export function loading(): unknown {
  const stage = modelStage();
  if (stage.is === 'absent') return html`<p class="note" data-part="absent">${words().absent}</p>`;
  if (stage.is === 'loading') return bar(stage);
  if (stage.is === 'lost') return lost(stage);
  if (stage.is === 'offered') return html`<button class="button first" data-part="load" @click=${loadModel}>${
    words().load(megabytes(modelBytes()))}</button><p class="note">${words().once}</p>`;
  return stage.kept ? nothing : html`<p class="note" role="status">${words().notKept}</p>`;
}
