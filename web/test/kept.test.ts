// SPDX-License-Identifier: Apache-2.0
// @vitest-environment node
// What must be kept from word to word, as the page asks for it and continues it.
import './no-window.ts';
import { describe, expect, it } from 'vitest';
import type { Doc } from '../src/engine/types.ts';
import { bytesAfter, COUNTED, type Kept, keptBy, longer, sizesUpTo, whyNot } from
  '../src/decoding-memory/kept-numbers.ts';
import { nameOfHeld } from '../src/decoding-memory/tensor-name.ts';
import { book, client } from './choosing.ts';
import { systemFiles } from './runs.ts';

const system = (id: string): Doc => systemFiles.find((one) => one.id === id)!.document;
const counted = (rows: (t: number) => number) => ({ bytes: Array.from({ length: COUNTED }, (_, k) => rows(k + 1)) });

it('ends at the positions of a model', () => {
  expect([sizesUpTo(Infinity, [128, 1024]), sizesUpTo(1024, [128, 1024]), sizesUpTo(200, [128, 1024]),
    sizesUpTo(32, [128, 1024])]).toEqual([[128, 1024], [128, 1024], [128, 200], [32]]);
});

describe('what must be kept', () => {
  it('is what the part that writes keeps, whether or not what is read could be read word by word, too', async () => {
    const keeps = async (id: string) => {
      const { over, until, tensors, besides } = await keptBy(client, book, system(id)) as Kept;
      return { over, until, besides, numbers: tensors.map(({ module, numbers }) => `${module} ${numbers}`) };
    };
    // An encoder that reads forwards only, and one that reads both ways: of both it is the decoder's state.
    expect(await keeps('luong')).toEqual({ over: 'target', until: 'decoder.context', besides: 'source',
      numbers: ['decoder 12', 'decoder 12', 'decoder 12'] });
    expect(await keeps('rnnsearch'))
      .toEqual({ over: 'target', until: 'decoder.context', besides: 'source', numbers: ['decoder 12'] });
    // Here nothing is called the answer.
    expect(await keeps('pointer-network')).toEqual({ over: 'steps', until: 'pointer.attention.context',
      besides: 'points', numbers: ['decoder 8', 'decoder 8'] });
    expect(await keeps('transformer')).toMatchObject({ over: 'target', besides: 'source' });
    // What reads its own words and is asked for the next ones.
    expect((await keeps('llama')).besides).toBeUndefined();
    // A decoder that cannot be counted is not the encoder: the engine's reason is the answer.
    const greedy = structuredClone(system('luong'));
    for (const member of greedy['model'] as Record<string, unknown>[])
      if (member['type'] === 'om-decoder') Object.assign(member, { feed: 'greedy' });
    expect(await keptBy(client, book, greedy)).toMatchObject({ error: { path: expect.stringContaining('/model/2') } });
  }, 60_000);

  it('of a model all that it reads grows, and what it is asked only goes', () => {
    expect(longer(book, system('transformer'), 50).over).toEqual(['source', 'target']);
    // A model of another program has its text as the numbers of its pieces.
    const llama = system('llama');
    const [input] = Object.keys(llama.inputs);
    const pieces = { ...llama, inputs: { ...llama.inputs,
      [input!]: { shape: [2, 1], data: [3, 5], labels: ['a', 'b'] } } };
    expect(longer(book, pieces, 50).over).toContain(input);
    expect(longer(book, system('luong'), 50).over).toEqual(['target']);
    const { document, over } = longer(book, system('llama'), 50);
    expect(over).toEqual(['source']);
    expect((document.inputs['source']!['tokens'] as string[]).length).toBe(50);
    expect((document.inputs['source']!['tokens'] as string[]).slice(0, 7))
      .toEqual(system('llama').inputs['source']!['tokens']);
  });

  it('says why nothing is kept without what the sentence around it says', () => {
    expect(whyNot('"attention": it cannot run one row at a time: a query sees keys that come later; add a causal '
      + 'mask.')).toEqual({ why: 'a query sees keys that come later', mask: true });
    expect(whyNot('it cannot run one row at a time: it mixes all rows of X'))
      .toEqual({ why: 'it mixes all rows of X', mask: false });
  });

  it('goes on growing as it did, or stays as it was', () => {
    expect(bytesAfter(counted((t) => 256 * t), 16_384)).toBe(256 * 16_384);
    expect(bytesAfter(counted((t) => 256 * Math.min(t, 4)), 16_384)).toBe(1024);
    expect(bytesAfter(counted(() => 2048), 128)).toBe(2048);
    expect(bytesAfter(counted((t) => 256 * t), 10)).toBe(2560);
  });

  it('calls what is kept by its name, by the tensor that it is made of or for, or says that it has none', () => {
    const rows = { module: 'm', numbers: 8, grows: true };
    expect(nameOfHeld({ ...rows, name: 'block.latent_key' })).toEqual({ latex: String.raw`\text{latent key}` });
    expect(nameOfHeld({ ...rows, name: 'R_j k_j' })).toEqual({ latex: 'R_j k_j' });
    expect(nameOfHeld({ ...rows, name: 'h_t' })).toEqual({ latex: 'h_t' });
    expect(nameOfHeld({ ...rows, name: '', from: 'K' })).toEqual({ said: 'computed from', latex: 'K' });
    expect(nameOfHeld({ ...rows, name: '', grows: false, back: 2, for: 'V' }))
      .toEqual({ said: 'the row 2 words earlier, for', latex: 'V' });
    expect(nameOfHeld({ ...rows, name: '' })).toEqual({ said: 'rows without a name' });
    expect(nameOfHeld({ ...rows, name: '', grows: false })).toEqual({ said: 'a state without a name' });
  });

  it('says nothing where the growth is not the same for every word', () => {
    expect(bytesAfter(counted((t) => t * t), 16_384)).toBeUndefined();
    expect(bytesAfter({ bytes: [4] }, 2)).toBeUndefined();
  });
});
