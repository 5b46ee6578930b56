// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// Which documents have a model of another program.
import { effect } from '@preact/signals-core';
import { expect, it } from 'vitest';
import { holdWeights } from '../src/engine/kept.ts';
import type { Doc } from '../src/engine/types.ts';
import { writeWeights } from '../src/files/weights.ts';
import { modelOf } from '../src/models/model-metadata.ts';

const fileOf = (metadata: Record<string, string>): Uint8Array => writeWeights({ metadata, tensors: new Map() });
const from = (name: string): Doc => ({ schema: 's', inputs: {}, mechanism: {}, parameters: { from: name } }) as Doc;
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

// Each look at weights that are no model once woke whoever looked, and the page drew itself for ever.
it('weights that are no model wake nobody; a model wakes once whoever looked', async () => {
  holdWeights('own-trained.safetensors', fileOf({}));
  holdWeights('own-writer.safetensors', fileOf({ writes: '{"kind": "next", "input": "x", "predicts": "y"}' }));
  const drawn: Record<string, (string | undefined)[]> = {};
  for (const name of ['own-trained.safetensors', 'own-writer.safetensors', 'own-absent.safetensors']) {
    const seen: (string | undefined)[] = drawn[name] = [];
    // More than a few would never end.
    effect(() => void (seen.length < 9 && seen.push(modelOf(from(name))?.writes.input)));
    await later();
  }
  expect(drawn['own-trained.safetensors']!.every((input) => input === undefined)).toBe(true);
  expect(drawn['own-trained.safetensors']!.length).toBeLessThan(4);
  expect(drawn['own-writer.safetensors']).toEqual([undefined, 'x']);
  expect(drawn['own-absent.safetensors']).toEqual([undefined]);
});
