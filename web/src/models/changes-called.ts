// SPDX-License-Identifier: Apache-2.0
import type { Doc } from '../engine/types.ts';
import { changesOf } from '../state/absent-model.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';

/** What a document changes of its model, as a person reads it: "Layer 2.Attention: Head 3". */
export function changesCalled(document: Doc): string[] {
  const { heads, others } = changesOf(document);
  return [...heads.map(([module, head]) => `${moduleCalled(module)}: ${strings.head(head + 1)}`),
    ...others.map((name) => moduleCalled(name))];
}
