// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from 'lit';
import { afterEach, describe, expect, it } from 'vitest';
import { Clipboard } from '../src/clipboard.ts';
import '../src/models/refusals.ts';
import { trouble } from '../src/models/import-errors.ts';
import { speak } from '../src/strings/language.ts';
import { quote } from '../src/strings/quote.ts';
import { messagesIn, phrasesIn } from './import-messages.ts';
import { WHOLE } from './whole.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const json = <Type>(path: string): Type => JSON.parse(read(path)) as Type;

// Only `attend write` has the first; the others speak of our own files of families, which the page ships.
const OURS = new Set(['write_text.cpp', 'expression.cpp', 'template.cpp']);
const sources = [...readdirSync(join(root, 'src/import')).filter((name) => name.endsWith('.cpp') && !OURS.has(name))
  .map((name) => `src/import/${name}`), 'src/experiment/files/tensor_header.cpp'];
const families = readdirSync(join(root, 'architectures')).map((name) => `architectures/${name}`);

interface Family {
  title: string;
  sizes: { says?: string; config?: string[]; divides?: string; least?: number; default?: string; optional?: boolean }[];
  refuses?: { says: string }[];
  contradictions?: { says: string }[];
  effects?: [string, string][];
}

/** What a file of a family adds to the sentences of the import. */
function saidBy({ title, sizes, refuses = [], contradictions = [], effects = [] }: Family): string[] {
  const named = sizes.filter(({ config, divides, least, default: usual, optional }) =>
    config || divides || least !== undefined || (usual === undefined && !optional));
  return [...named.flatMap(({ says }) => says ?? []), ...[...refuses, ...contradictions].map(({ says }) => says),
    ...effects.map(([, says]) => says), ...(/ (?:and|of) /.test(title) ? [title] : [])];
}

const messages = new Set(sources.flatMap((path) => messagesIn(read(path)))
  .filter((message) => !message.startsWith('architectures/')));
const phrases = new Set([...sources.flatMap((path) => phrasesIn(read(path))),
  ...families.flatMap((path) => saidBy(json<Family>(path)))]);
const refusals = (code: string) => json<Record<string, string>>(`web/src/models/refusals/${code}.json`);

it('finds the sentences of the import, whatever form they have in the code', () => {
  expect([...messages]).toEqual(expect.arrayContaining([
    'contradicts the tensors: its "{1}" is {2}, but the tensors give {3}', // over several lines, without the file
    'the shapes do not determine the {1}: add config.json, which gives it as "{2}"', // a branch of a named text
    'its {1} should be numbers above 0, found {2}', // in a text that is made a std::string
    'the tensor "{1}" has strides that lead outside the file', // by a function that puts something in front
    'the tokenizer splits with "{1}", which is not known', // a kind of error of its own
  ]));
  expect([messages.size > 150, phrases.size > 150]).toEqual([true, true]);
});

describe.each(WHOLE.filter((code) => code !== 'en'))('the refusals of models in %s', (code) => {
  const own = refusals(code);

  it('are there for every sentence of the import', () => {
    expect([...messages, ...phrases].filter((message) => own[message] === undefined)).toEqual([]);
  });

  it('name all that the English sentence names, in words of the language', () => {
    const foreign = code === 'ar' ? /[\u0600-\u06ff«]/ : /[\p{L}„]/u;
    const names = (text: string) => [...new Set(text.match(/\{\d\}/g))].toSorted();
    for (const [english, said] of Object.entries(own)) {
      // Where English is put into other words, too, these decide.
      expect(names(said), english).toEqual(names(refusals('en')[english] ?? english));
      expect(said, english).toMatch(foreign);
    }
  });

  it('are of sentences that there are, or of phrases whose words are in the code', () => {
    const said = [...sources, 'web/src/files/slices.ts', 'web/src/files/weights.ts',
      'src/experiment/text/json_parse.cpp'].map(read).join('\n');
    const others = Object.keys(own).filter((one) => !messages.has(one) && !phrases.has(one)
      && !Object.hasOwn(refusals('en'), one));
    expect(others.filter((one) => one.split(/\{\d\}|\W+/).some((word) => !said.includes(word)))).toEqual([]);
    expect(others.length).toBeLessThan(40);
  });
});

describe('an error of a model file', () => {
  afterEach(() => speak('en'));
  const shown = (message: string): string[] => {
    const box = document.createElement('div');
    render(trouble({ path: '', message }, new Clipboard({ requestUpdate: () => {} } as never)), box);
    return [...box.querySelectorAll('h3, p')].map((e) => e.textContent!.replace(/[\u2068\u2069]/g, ''));
  };
  const fiveHeads = '"model.safetensors": the tensor "h.0.attn.c_attn.weight" does not have the shape of this family: '
    + 'the step {"heads":5} of its layout does not fit the shape [32 32]';

  it('says which number does not divide which', async () => {
    expect(shown(fiveHeads)).toEqual(['model.safetensors', 'the tensor "h.0.attn.c_attn.weight" does not have the '
      + 'shape of this family: its 32 columns cannot be divided into 5 heads of the same width, because 5 does not '
      + 'divide 32; check the number of heads in config.json']);
    await speak('de');
    expect(shown(fiveHeads)[1]).toBe('der Tensor „h.0.attn.c_attn.weight“ hat nicht die Form dieser Familie: seine 32 '
      + 'Spalten lassen sich nicht in 5 gleich breite Köpfe teilen, weil 5 kein Teiler von 32 ist; prüfe die Zahl der '
      + 'Köpfe in config.json');
  });

  it('is put into the words of the language with all that it names', async () => {
    await speak('de');
    expect(shown('"config.json" cannot be right: its "n_head" is not a multiple of 4, but its matrices are divided '
      + 'into 4 parts')).toEqual(['config.json', 'kann nicht stimmen: ihr „n_head“ ist kein Vielfaches von 4, aber '
      + 'ihre Matrizen sind in 4 Teile geteilt']);
    expect(shown('the family vit-timm does not use these 2 tensors, which may change the result: fc_norm.weight (a '
      + 'norm of the averaged tokens), reg_token (register tokens, to which all tokens attend)')).toEqual([
      'die Familie vit-timm verwendet Tensoren nicht (2), die das Ergebnis ändern können: fc_norm.weight (eine Norm '
      + 'der gemittelten Tokens), reg_token (Register-Tokens, auf die alle Tokens achten)']);
    expect(quote('this looks like a model of the family gpt2, but 3 of its tensors are missing: a, b and 12 more'))
      .toBe('das sieht nach einem Modell der Familie gpt2 aus, aber es fehlen Tensoren (3): a, b und 12 weitere');
    await speak('ar');
    expect(shown('there are no tensors in the files given: add the file of the weights')[0])
      .toMatch(/^[\u0600-\u06ff]/);
  });
});
