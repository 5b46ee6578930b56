// SPDX-License-Identifier: Apache-2.0
// Everything as files: also what the page's result leaves out, with names and labels that Python reads.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';
import { Result } from '../src/engine/result.ts';
import type { Doc } from '../src/engine/types.ts';
import { readNpy } from '../src/files/npy.ts';
import { everything } from '../src/take/everything.ts';
import { allJson, npz } from '../src/take/numbers.ts';
import { bytesOf, textOf } from './pieces.ts';
import { plainNames } from '../src/take/plain-names.ts';
import { startEngine } from './engine.ts';

const { ask, close, client } = startEngine();
afterAll(close);

const bytes = readFileSync(join(import.meta.dirname, '../../examples/trained/language/austen.safetensors'));
const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0))).toString()) as
  Record<string, { shape: number[] }> & { __metadata__: { document: string } };
const NAME = 'language/austen.safetensors';
const document = { ...JSON.parse(header.__metadata__.document), parameters: { from: NAME } } as Doc;

async function austen(): Promise<Result> {
  await ask({ weights: NAME, file: bytes.toString('base64') });
  const { directory, data } = await ask({ document });
  return new Result(directory, data);
}

it('has every parameter of a file, the words, and names that can be typed', async () => {
  const shown = await austen();
  const stored = Object.keys(header).filter((name) => name !== '__metadata__' && !name.endsWith('.scale'));
  const count = (result: Result) => result.all('parameters').reduce((sum, tensor) => sum + tensor.data.length, 0);
  expect(count(shown)).toBe(660_480);
  // A name that the model does not read is no reason to give nothing.
  const { result, lacks } = await everything(client, shown, () => Promise.resolve(['nothing.reads.this', ...stored]));
  expect([count(result), lacks]).toEqual([840_704, []]);
  expect(result.all('outputs')).toHaveLength(shown.all('outputs').length);

  const names = [...plainNames(result).values()];
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[\p{L}\p{N}._-]+$/u.test(name) || /text_|_attention|__/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['parameters.tokens.E', 'steps.03.layer-1.attention.Q',
    'steps.02.layer-1.N_1', 'steps.06.layer-1.attention.sin_p_theta', 'steps.16.layer-1.attention.heads']));

  const files = unzipSync(bytesOf(npz(result)));
  const table = readNpy(files['parameters.tokens.E.npy']!);
  expect(table.shape).toEqual([1408, 128]);
  expect(table.data).toEqual([...result.whole('tokens.E', 'parameters')!.data]);
  // NumPy's text: as many code points for each as the longest has.
  const labels = files['labels.text.npy']!;
  const head = new TextDecoder('latin1').decode(labels.subarray(0, 128));
  const [, width, words] = /'<U(\d+)'.*'shape': \((\d+),\)/.exec(head)!;
  const view = new DataView(labels.buffer, labels.byteOffset + labels.length - 4 * Number(width) * Number(words));
  const read = Array.from({ length: Number(words) }, (_, k) => Array.from({ length: Number(width) }, (_n, at) =>
    view.getUint32(4 * (k * Number(width) + at), true)).filter(Boolean).map((p) => String.fromCodePoint(p)).join(''));
  expect(read).toEqual(document.inputs['text']!['labels']);
  const about = JSON.parse(new TextDecoder().decode(files['about.json'])) as
    { axes: Record<string, string[]>; document: Doc };
  expect(about.axes['outputs.layer-1.attention.weights']!.slice(1)).toEqual(['labels.text', 'labels.text']);
  expect(about.document.title).toBe(document.title);
  const json = JSON.parse(textOf(allJson(result))) as
    { labels: Record<string, string[]>; steps: { id: string; name: string }[] };
  expect(json.labels['text']).toEqual(document.inputs['text']!['labels']);
  expect(json.steps[2]!.id).toBe('steps.03.layer-1.attention.Q');
}, 60_000);

it('says what the engine refuses to give, and gives the rest', async () => {
  const whole = await austen();
  const { directory } = whole;
  const shown = new Result({ ...directory, tensors: directory.tensors.filter(({ group }) => group !== 'parameters'),
    left: directory.tensors.filter(({ name, group }) => group === 'parameters' && /^(norm|predict)/.test(name)) },
  whole.tensors.filter(({ group }) => group !== 'parameters').map(({ data }) => data));
  const refused = { ask: () => Promise.resolve({ text: JSON.stringify({ ok: false, error: { path: '/outputs',
    message: 'too large' } }) }) } as unknown as typeof client;
  const { lacks } = await everything(refused, shown, () => Promise.resolve([]));
  expect(lacks).toEqual(['parameters.predict.b_c', 'parameters.norm.gamma']);
  expect((JSON.parse(textOf(allJson(shown, lacks))) as { left_out: string[] }).left_out).toEqual(lacks);
  const { result } = await everything(client, shown, () => Promise.resolve([]));
  expect(result.all('parameters').map(({ name }) => name).toSorted())
    .toEqual(['norm.gamma', 'predict.b_c']);
});
