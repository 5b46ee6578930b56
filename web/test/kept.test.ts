// SPDX-License-Identifier: Apache-2.0
// What must be kept from word to word, as the page asks for it and continues it.
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { bytesAfter, COUNTED, longer } from '../src/kept/kept.ts';
import { named } from '../src/kept/named.ts';
import { book, systemFiles } from './runs.ts';

const system = (id: string): Doc => systemFiles.find((one) => one.id === id)!.document;
const counted = (rows: (t: number) => number) => ({ bytes: Array.from({ length: COUNTED }, (_, k) => rows(k + 1)) });

describe('what must be kept', () => {
  it('of a model all that it reads grows, and what it is asked only goes', () => {
    expect(longer(book, system('transformer'), 50).over).toEqual(['source', 'target']);
    const { document, over } = longer(book, system('llama'), 50);
    expect(over).toEqual(['source']);
    expect((document.inputs['source']!['tokens'] as string[]).length).toBe(50);
    expect((document.inputs['source']!['tokens'] as string[]).slice(0, 7))
      .toEqual(system('llama').inputs['source']!['tokens']);
  });

  it('goes on growing as it did, or stays as it was', () => {
    expect(bytesAfter(counted((t) => 256 * t), 16_384)).toBe(256 * 16_384);
    expect(bytesAfter(counted((t) => 256 * Math.min(t, 4)), 16_384)).toBe(1024);
    expect(bytesAfter(counted(() => 2048), 128)).toBe(2048);
    expect(bytesAfter(counted((t) => 256 * t), 10)).toBe(2560);
  });

  it('calls what is kept by its name, by the tensor that it is made of or for, or says that it has none', () => {
    const rows = { module: 'm', numbers: 8, grows: true };
    expect(named({ ...rows, name: 'block.latent_key' })).toEqual({ latex: String.raw`\text{latent key}` });
    expect(named({ ...rows, name: 'R_j k_j' })).toEqual({ latex: 'R_j k_j' });
    expect(named({ ...rows, name: 'h_t' })).toEqual({ latex: 'h_t' });
    expect(named({ ...rows, name: '', from: 'K' })).toEqual({ said: 'computed from', latex: 'K' });
    expect(named({ ...rows, name: '', grows: false, back: 2, for: 'V' }))
      .toEqual({ said: 'the row 2 words earlier, for', latex: 'V' });
    expect(named({ ...rows, name: '' })).toEqual({ said: 'rows without a name' });
    expect(named({ ...rows, name: '', grows: false })).toEqual({ said: 'a state without a name' });
  });

  it('says nothing where the growth is not the same for every word', () => {
    expect(bytesAfter(counted((t) => t * t), 16_384)).toBeUndefined();
    expect(bytesAfter({ bytes: [4] }, 2)).toBeUndefined();
  });
});
