// SPDX-License-Identifier: Apache-2.0
import type { Json } from '../engine/types.ts';
import { answerOf } from '../inputs/answer.ts';
import type { Store } from '../state/store.ts';
import type { TrainingDocument } from './messages.ts';

/** Whether the document of a training and that of the page differ in what `of` tells of them. */
export function differ(store: Store, trained: TrainingDocument, document: TrainingDocument,
  of: (document: TrainingDocument) => string): boolean {
  // A document without an example to watch has the engine's.
  const inputs = { ...document['inputs'] as Json & object };
  const own = Object.keys(inputs).length > 0;
  // What the model writes by itself is no setting: a training has the task's answer in its place.
  const { documents: page, sessions } = store;
  const answer = answerOf(page.document, sessions.result);
  const before = (trained['inputs'] as Record<string, Json> | undefined)?.[answer ?? ''];
  if (answer !== undefined && before !== undefined) Object.assign(inputs, { [answer]: before });
  return of(trained) !== of({ ...document, inputs: own ? inputs : trained['inputs'] } as TrainingDocument);
}
