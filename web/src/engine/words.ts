// SPDX-License-Identifier: Apache-2.0
// Which file of word vectors (data/words/README.md) a document needs, and the way of that file into the engine.
import { isObject } from './pointer.ts';
import type { Engine, Json } from './types.ts';

/** What a document asks of the vectors: its words in lower case, and the number of columns. */
export interface Need {
  words: Set<string>;
  columns: number;
}

const DEFAULT_COLUMNS = 24;

// As the engine does it: no other letters are in the files.
const lower = (word: string): string => word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Nothing where the document has no words with pre-trained vectors, or is none. */
export function needOf(text: string): Need | undefined {
  // Most documents have none, and reading a long one takes time.
  if (!text.includes('"words"')) return undefined;
  let inputs: Json | undefined;
  try {
    inputs = (JSON.parse(text) as { inputs?: Json } | null)?.inputs;
  } catch {
    return undefined; // the engine says what is wrong
  }
  const need: Need = { words: new Set(), columns: 0 };
  for (const input of isObject(inputs) ? Object.values(inputs) : []) {
    if (!isObject(input) || !isObject(input['features']) || input['features']['type'] !== 'words'
      || !Array.isArray(input['tokens'])) continue;
    const { dim } = input['features'];
    need.columns = Math.max(need.columns, typeof dim === 'number' ? dim : DEFAULT_COLUMNS);
    for (const token of input['tokens']) need.words.add(lower(String(token)));
  }
  return need.columns > 0 ? need : undefined;
}

/** A file's words and width; its numbers are the engine's business. */
export class WordFile {
  private readonly columns: number;
  private readonly words: Set<string>;
  // There are no more: a word that is missing is unknown.
  private readonly whole: boolean;

  constructor(readonly bytes: Uint8Array) {
    const [, count, columns, extent] = new TextDecoder().decode(bytes.subarray(0, 64)).split('\n', 1)[0]!.split(' ');
    this.columns = Number(columns);
    this.whole = extent === 'whole';
    let at = 0;
    // The first line, the scales, and a line a word.
    for (let lines = 0; lines < Number(count) + 2; lines++) at = bytes.indexOf(10, at) + 1;
    this.words = new Set(new TextDecoder().decode(bytes.subarray(0, at)).split('\n').slice(2));
  }

  holds(need: Need): boolean {
    return this.whole || need.columns <= this.columns && [...need.words].every((word) => this.words.has(word));
  }
}

/** The files, smallest first; each is fetched once a document needs more than those before it. */
export class WordFiles {
  private readonly files: (Promise<WordFile> | undefined)[] = [];
  private given: WordFile | undefined;

  constructor(private readonly sources: (() => Promise<Uint8Array>)[]) {}

  /** Hands the engine what it needs for these documents, which may have to be fetched first. */
  async prepare(engine: Pick<Engine, 'words'>, ...documents: string[]): Promise<void> {
    (await this.ready(...documents))(engine);
  }

  /** Waits for the file that these documents need; what comes back hands it over, unless it was handed over before. */
  async ready(...documents: string[]): Promise<(engine: Pick<Engine, 'words'>) => void> {
    let file: WordFile | undefined;
    for (const text of documents) {
      const need = needOf(text);
      if (need && !file?.holds(need)) file = await this.smallest(need);
    }
    const needs = documents.map(needOf).filter((need) => need !== undefined);
    return (engine) => {
      if (!file || needs.every((need) => this.given?.holds(need))) return;
      this.given = file;
      engine.words(file.bytes);
    };
  }

  /** A new engine has been given nothing. */
  forget(): void {
    this.given = undefined;
  }

  private async smallest(need: Need): Promise<WordFile> {
    for (let k = 0; k < this.sources.length; k++) {
      const file = await this.file(k);
      if (file.holds(need)) return file;
    }
    throw new Error('there is no file of word vectors here that holds these words');
  }

  private file(k: number): Promise<WordFile> {
    const file = (this.files[k] ??= this.sources[k]!().then((bytes) => new WordFile(bytes)));
    // One that could not be fetched is asked for again.
    file.catch(() => (this.files[k] = undefined));
    return file;
  }
}
