// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { shownFirst } from '../src/controls/module-choices.ts';
import type { Catalogue, Doc, Mechanism, TensorEntry } from '../src/engine/types.ts';
import { Book } from '../src/state/catalogue.ts';
import { lettersBeside } from '../src/directory/letters.ts';
import { Result } from '../src/engine/result.ts';
import { membersOf } from '../src/state/model.ts';
import { startEngine } from './engine-start.ts';
import { formulas } from './formulas.ts';
import { usedCatalogue } from './recordings.ts';
import { stylesOf } from './katex-styles.ts';

const example = new URL('../src/state/example.json', import.meta.url);

// Runs the engine once while building, so that the first paint shows computed numbers
// before the browser has fetched any WebAssembly.
export function firstPaint(): Plugin {
  const name = 'virtual:first-paint';
  return {
    name: 'first-paint',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const { document } = JSON.parse(readFileSync(example, 'utf8'));
      const engine = await startEngine();
      const result = engine.run(JSON.stringify(document));
      const directory = JSON.parse(result.directory);
      if (!directory.ok) throw new Error(`the example fails: ${result.directory}`);
      const whole = new Result(structuredClone(directory), result.data);
      directory.letters = lettersIn(whole);
      // A formula may mean a step by its letter, and the steps do not come with the picture.
      for (const [k, { formula }] of whole.tensors.entries()) if (formula) directory.tensors[k].formula = formula;
      // Steps and parameters come with the engine's first answer.
      const later = ({ group }: TensorEntry) => group === 'steps' || group === 'parameters';
      const numbers: number[] = [];
      const moved = new Map<number, number>();
      const places = placesAmong(directory.tensors.map((entry: TensorEntry) => !later(entry)));
      const left: TensorEntry[] = directory.left ?? [];
      for (const entry of [...directory.tensors, ...left] as TensorEntry[])
        if (entry.from) entry.from = entry.from.map(places).filter((at) => at !== undefined);
      directory.tensors = directory.tensors.filter((entry: TensorEntry) => !later(entry)).map((entry: TensorEntry) => {
        const size = entry.shape.reduce((a, b) => a * b, 1);
        // Tensors that share numbers go on sharing them.
        if (!moved.has(entry.offset)) {
          moved.set(entry.offset, numbers.length);
          numbers.push(...result.data.subarray(entry.offset, entry.offset + size));
        }
        return { ...entry, offset: moved.get(entry.offset) };
      });
      const data = Float32Array.from(numbers);
      const catalogue = chosen(usedCatalogue(), document);
      const drawn = formulas(document, catalogue, directory, data);
      const all = JSON.stringify({
        document,
        directory,
        data: Buffer.from(data.buffer).toString('base64'),
        catalogue,
        formulas: drawn,
        styles: stylesOf(Object.values(drawn)),
      });
      // As text: browsers read it faster than an expression, and it packs better.
      return `export default JSON.parse(${JSON.stringify(all)});`;
    },
  };
}

// By module the letters that its parameters take, which the picture knows before the parameters are here.
const lettersIn = (result: Result): Record<string, string> => Object.fromEntries(
  [...new Set(result.tensors.map(({ module = '' }) => module))].map((module) => [module, lettersBeside(result,
    { module })]).filter(([, letters]) => letters !== ''));

// Where an entry of the list stands once only these stay. What was left out is counted on behind the list.
function placesAmong(stays: readonly boolean[]): (at: number) => number | undefined {
  let next = 0;
  const moved = stays.map((stay) => (stay ? next++ : undefined));
  return (at) => (at < stays.length ? moved[at] : at - stays.length + next);
}

// What the document chooses; the rest of the catalogue is fetched once somebody turns to the page.
function chosen(catalogue: Catalogue, document: Doc): Catalogue {
  const book = new Book(catalogue);
  const here = new Set([...membersOf(document).map(({ value }) => book.member(value)),
    ...book.choices(document).map((choice) => choice.mechanism)]);
  const open = shownFirst(book.choices(document))?.mechanism;
  // What only an open menu or a row that is opened asks for comes with the rest.
  const bare = ({ excludes: _excludes, ...one }: Mechanism): Mechanism => ({ ...one, aliases: [],
    ...(one.id === open?.id ? {} : { parameters: [], formula: '', note: undefined, learns: null }) });
  return { schema: catalogue.schema, mechanisms: catalogue.mechanisms.filter((m) => here.has(m)).map(bare) };
}
