// SPDX-License-Identifier: Apache-2.0
import type { TrainingDocument } from './messages.ts';

const files = import.meta.glob<TrainingDocument>('../../../examples/trained/*.json',
  { eager: true, import: 'default' });

/** The documents that can be trained, by the names of their files; the one to begin with comes first. */
export const documents: ReadonlyMap<string, TrainingDocument> = new Map(
  Object.entries(files)
    .map(([path, document]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), document] as const)
    // What is finished is looked at, not trained.
    .filter(([, document]) => document['parameters'] === undefined)
    .sort(([a], [b]) => Number(b === 'translate') - Number(a === 'translate') || a.localeCompare(b)),
);
