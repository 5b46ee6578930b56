// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Compare and Cost compute a document with more words: those that ship, with the real engine.
import './no-window.ts';
import { expect, it } from 'vitest';
import { grown } from '../src/cost/grow.ts';
import { count, nothingYet, time } from '../src/efficient/growth.ts';
import type { Client } from '../src/engine/client.ts';
import type { Directory, Doc } from '../src/engine/types.ts';
import { givenBy } from '../src/directory/outcome.ts';
import { book, client, computed, refused } from './choosing.ts';
import { shipped } from './shipped.ts';

// What they were given is for so many words: positions, a graph, where parts end, one query.
const FIXED = ['systems/gat.json', 'systems/luong-location.json', 'systems/three-tier-rec.json', 'systems/w-var5.json',
  'examples/memory-network.json', 'lessons/pairs-needed.json 0'];

it('every document that ships grows, but those whose own numbers fix how many words there are', () => {
  const stay: string[] = [];
  for (const [name, document] of shipped) {
    if (refused(document) === undefined && refused(grown(book, document, 64, 1)) !== undefined) stay.push(name);
  }
  expect(stay).toEqual(FIXED);
}, 600_000);

it('a model without rotary positions is counted and timed beside the one that has them', async () => {
  const document = structuredClone(shipped.get('systems/llama.json')!);
  for (const member of document['model'] as { attention?: { position?: unknown } }[]) delete member.attention?.position;
  const given = givenBy(computed(document));
  expect(given, 'of the loss, too').toContain('loss.loss');
  const asked: Directory[] = [];
  const send = async ({ kind, document: one, documents = [] }: { kind: string; document: string;
    documents?: string[] }) => {
    const answer = await client.ask({ kind: 'run', document: kind === 'time' ? documents[0]! : one });
    const directory = JSON.parse(answer!.text) as Directory;
    asked.push(directory);
    return { text: JSON.stringify(kind === 'time' && directory.ok ? { ms: 900, runs: 1, numbers: 1 } : directory) };
  };
  const own = { send } as unknown as Client;
  const into = nothingYet();
  await count(own, book, document as Doc, { cheap: 'word.output', whole: given }, into, () => undefined);
  await time(own, book, document as Doc, { cheap: undefined, whole: given }, into, () => undefined);
  expect(into).not.toHaveProperty('refused');
  expect([into.counts.length > 3, into.times.length]).toEqual([true, 1]);
}, 600_000);
