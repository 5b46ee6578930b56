// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from 'lit';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { shownWord } from '../strings/displayed-word.ts';
import { specialIn, unknownIn, usualOf, wordsOf } from '../state/vocabulary.ts';
import type { Doc } from '../engine/types.ts';

/** The reader's words where nearly every word is known: each looks at those whose word vectors are like its own. */
async function byVectors({ documents }: Store, words: readonly string[]): Promise<void> {
  const { default: example } = await import('../../../examples/words-that-keep-company.json');
  const document = structuredClone(example) as unknown as Doc;
  for (const input of Object.values(document.inputs)) input['tokens'] = [...words];
  documents.replace(document);
}

// Of words that a model does not know.
const MOST_TOLD = 24;

/** Which of these tokens the model does not know, as a sentence; undefined if it knows all. */
export function unknownSentence(tokens: readonly string[], vocabulary: readonly string[]): string | undefined {
  const unknown = unknownIn(tokens, vocabulary);
  if (unknown.length === 0) return undefined;
  // Punctuation among words is hard to read; alone it is named.
  const words = unknown.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const named = (words.length > 0 ? words : unknown).slice(0, MOST_TOLD);
  return strings.unknownWords(named.map((word) => strings.quotedWord(shownWord(word))), wordsOf(vocabulary).length);
}

/** What the model makes of words that it never met, and those that it knows. */
export function known(store: Store, input: string, tokens: readonly string[], vocabulary: readonly string[]): unknown {
  const special = specialIn(tokens, vocabulary, usualOf(store.documents.base, input));
  const unknown = unknownSentence(tokens, vocabulary);
  const list = wordsOf(vocabulary);
  return html`${unknown !== undefined ? html`<p class="note" id="unknown" role="status" data-part="unknown">${unknown}
        <button class="link inline" data-part="by-vectors" @click=${() =>
          void byVectors(store, tokens)}>${strings.byVectors}</button></p>` : nothing}
      ${special.length > 0 ? html`<p class="note" id="special" role="status" data-part="special">${
        strings.specialWords(special)}</p>` : nothing}
      <details class="note"><summary>${strings.knownWords(list.length)}</summary><p dir="ltr"
        data-part="known">${list.join(' ')}</p></details>`;
}
