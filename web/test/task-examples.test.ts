// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What ships to be trained begins with an example that its task can have: only then is the right answer known.
import './no-window.ts';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Begun, Picture, Trainer } from '../src/train/messages.ts';
import { root, shipped } from './shipped.ts';

const { default: create } = await import(join(root, 'build/wasm/bin/training.mjs')) as
  { default: () => Promise<Trainer> };

it('every document that names a task has words of the task, and a right answer', async () => {
  const module = await create();
  const [wrong, right]: [string[], string[]] = [[], []];
  for (const [name, document] of shipped) {
    // Weights of a file are given elsewhere; the words are the document's own.
    const { parameters: _, ...asked } = document;
    if ((document as { training?: { task?: unknown } }).training?.task === undefined) continue;
    const begun = JSON.parse(module.trainOpen(JSON.stringify(asked), '')) as Begun;
    const { source, truth, outside } = JSON.parse(module.trainPinned(begun.session).directory) as Picture;
    (outside === true || [...source, ...truth].includes('<unknown>') ? wrong : right).push(name);
    module.trainClose(begun.session);
  }
  expect(wrong).toEqual([]);
  expect(right.length).toBeGreaterThan(20);
  expect(right).toContain('lessons/induction.json 0');
}, 120_000);
