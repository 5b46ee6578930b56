// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { keptBytes, type Ways } from '../src/models/kept-bytes.ts';

const START = 300;
const read = (ids: number[]) => new TextDecoder().decode(Uint8Array.from(ids.filter((id) => id !== START)));
const labelled = (ids: number[]) => ({ ids, labels: ids.map((id) => `<${id}>`) });
// One token for each byte; `start`: one more before every text; `space`: each text is split with a space before it.
const bytes = ({ start = false, space = false } = {}): Ways => ({
  encode: (text) => Promise.resolve(labelled([...(start ? [START] : []),
    ...new TextEncoder().encode(space && text !== '' ? ` ${text}` : text)])),
  decode: (ids) => Promise.resolve({ text: read(ids), labels: labelled(ids).labels }),
});
const of = (text: string) => [...new TextEncoder().encode(text)];
const written = [...of('cat'), 0x9e, 0xd7, ...of(' sat')];

test('a text behind bytes that form no character is edited, and their tokens are kept', async () => {
  const shown = read(written);
  expect(shown).toBe('cat\uFFFD\uFFFD sat');
  expect(await keptBytes(written, `${shown}!`, bytes())).toEqual(labelled([...written, ...of('!')]));
  expect(await keptBytes(written, shown.replace(' sat', ''), bytes())).toEqual(labelled(written.slice(0, 5)));
  const whole = [START, ...written];
  expect(await keptBytes(whole, shown.replace('sat', 'é'), bytes({ start: true })))
    .toEqual(labelled([...whole.slice(0, 6), ...of(' é')]));
});

test('an edit before such bytes cannot be made, and all of them can be deleted', async () => {
  const shown = read(written);
  expect(await keptBytes(written, shown.replace('cat', 'dog'), bytes())).toBe('broken');
  expect(await keptBytes(written, shown.replace('\uFFFD', ''), bytes())).toBe('broken');
  expect(await keptBytes(written, 'cat sat', bytes())).toBe('split');
  // The tokenizer would put a space into the text.
  const ends = written.slice(0, 5);
  expect(await keptBytes(ends, `${read(ends)}!`, bytes({ space: true }))).toBe('broken');
});

test('the character U+FFFD that somebody typed is split as any other', async () => {
  expect(await keptBytes(of('a\uFFFDb'), 'c\uFFFDb', bytes())).toBe('split');
});
