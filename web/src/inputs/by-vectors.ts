// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../engine/types.ts';
import type { Store } from '../state/store.ts';

/** The reader's words where nearly every word is known: each looks at those whose word vectors are like its own. */
export async function byVectors({ documents }: Store, words: readonly string[]): Promise<void> {
  const { default: example } = await import('../../../examples/words-that-keep-company.json');
  const document = structuredClone(example) as unknown as Doc;
  for (const input of Object.values(document.inputs)) input['tokens'] = [...words];
  documents.replace(document);
}
