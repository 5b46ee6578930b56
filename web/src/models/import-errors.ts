// SPDX-License-Identifier: Apache-2.0
// What is wrong with the files of a model: the file, the place in it, and what to do.
import { html, nothing } from 'lit';
import type { Clipboard } from '../clipboard.ts';
import type { Located } from '../engine/types.ts';
import { quote, withQuotes } from '../strings/quote.ts';
import { blamed } from './kinds.ts';
import './refusals.ts';
import { words } from './words.ts';

/** The lines that turn a file of PyTorch into one that is read. */
const recipe = (file: string): string =>
  `import torch, safetensors.torch as st\nst.save_file(torch.load("${file}", map_location="cpu",\n`
  + '  weights_only=True), "model.safetensors")';

/** What no file of weights needs, and no library that writes one names: such a file is opened nowhere. */
function isHarmful(what: string): boolean {
  const named = /its pickle names "([^"]+)"/.exec(what)?.[1];
  return what.includes('nothing was run') && !/^(?:torch|numpy|collections)\./.test(named ?? '');
}
const isTorch = (file: string): boolean => /\.(?:bin|pt|pth)$/i.test(file);
const isConvertible = (what: string): boolean => /\btype\b|\bcompressed\b|before PyTorch|its pickle names/.test(what);

/** Why the worker gave no answer, in the page's words. */
export function endOf({ unloaded, crashed }: Located): string | undefined {
  return unloaded ? words().unloaded : crashed ? words().died : undefined;
}

export function trouble(error: Located, clipboard: Clipboard): unknown {
  const end = endOf(error);
  if (end !== undefined) return html`<p class="error" role="alert">${end}</p>`;
  const { file, what } = blamed(error.message);
  const harmful = isHarmful(what);
  const lines = file !== undefined && isTorch(file) && !harmful && isConvertible(what) ? recipe(file) : undefined;
  return html`<div role="alert" class="trouble" data-file=${file ?? nothing}>
    ${file === undefined ? nothing : html`<h3 class="error file" dir="ltr">${file}</h3>`}
    <p>${withQuotes(quote(what))}</p>
    ${harmful ? html`<p>${words().neverRun}</p>` : nothing}
    ${lines === undefined ? nothing : html`<p>${words().convert}</p><pre dir="ltr">${lines}</pre>
      <button class="button" @click=${() => void clipboard.copy(lines, '.trouble pre')}>${
        clipboard.copied ? words().copied : words().copy}</button>`}</div>`;
}
