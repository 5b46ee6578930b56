// SPDX-License-Identifier: Apache-2.0
// The weights of a document that lie in this browser only, and how much of them a link can carry.
import { signal } from '@preact/signals-core';
import { keptFile } from '../engine/kept.ts';
import { comesWithPage, weightsNamed } from '../engine/weight-files.ts';
import type { Doc, Json } from '../engine/types.ts';
import { type Base, CODES, countIn, differing, pack, type Code, type Packed } from '../files/packed.ts';
import { countInHeader, readHeader, readWeights, type WeightsFile } from '../files/weights.ts';
import { isObject } from '../engine/pointer.ts';
import type { Compared } from './parse.ts';

/** So many characters of weights go into a link: with its document about 100 KB, which browsers and servers pass on. */
export const MOST_CARRIED = 96_000;

/** What a document says of its parameters. */
interface Given {
  parameters?: Json;
}

const fromOf = ({ parameters }: Given): string | undefined =>
  (isObject(parameters) && typeof parameters['from'] === 'string' ? parameters['from'] : undefined);

/** The files of weights that a document, and what it is compared with, ask for. */
export const namesIn = (document: Doc | Given, compare?: Compared): string[] =>
  [...new Set([fromOf(document as Given), compare && fromOf(compare as Given)])].filter((name) => name !== undefined);

/** Those of them that do not come with the page. */
export const ownNames = (document: Doc | Given, compare?: Compared): string[] =>
  namesIn(document, compare).filter((name) => !comesWithPage(name));

/** Those of them that this browser does not have either. */
export async function missingOf(document: Doc | Given, compare?: Compared): Promise<string[]> {
  const names = ownNames(document, compare);
  const files = await Promise.all(names.map(keptFile));
  return names.filter((_, k) => files[k] === undefined);
}

/** A file of weights that is here, and what it comes to in a link: packed when somebody asks. */
class OwnFile {
  private readonly packed = new Map<Code, Packed>();

  /** Of a file that the browser holds outside of the page's memory nobody reads the numbers: there are too many. */
  constructor(readonly name: string, readonly count: number, private readonly file?: WeightsFile,
    private readonly base?: Base) {}

  /** It is saved as a file of its own. */
  get large(): boolean {
    return this.file === undefined;
  }

  /** Undefined where it is certain to be too long: that is known without packing it. */
  in(code: Code): Packed | undefined {
    // Weights hardly deflate: of ten letters of base64 no more than four are saved.
    const letters = this.count * (code === 'half' ? 2 : 1) * (4 / 3);
    if (!this.file || letters * 0.6 > MOST_CARRIED) return undefined;
    let found = this.packed.get(code);
    if (!found) this.packed.set(code, found = pack(this.name, this.file, code, this.base));
    return found;
  }
}

type Known = OwnFile | 'waiting' | 'missing';
const known = signal<ReadonlyMap<string, Known>>(new Map());
const under = new Map<string, Promise<void>>();

const note = (name: string, what: Known): void => void (known.value = new Map([...known.peek(), [name, what]]));

async function find(name: string): Promise<void> {
  try {
    const kept = await keptFile(name);
    if (!kept) return note(name, 'missing');
    if (kept instanceof Blob) return note(name, new OwnFile(name, countInHeader(await readHeader(kept))));
    const file = readWeights(kept);
    const { base: from } = file.metadata;
    const bytes = from !== undefined && comesWithPage(from) ? await weightsNamed(from) : undefined;
    const base = bytes && { name: from!, file: readWeights(bytes) };
    const tensors = new Map(differing(file, base?.file).map((one) => [one, file.tensors.get(one)!]));
    note(name, new OwnFile(name, countIn({ ...file, tensors }), file, base));
  } catch {
    // A file that cannot be read is none.
    note(name, 'missing');
  }
}

function look(name: string): Promise<void> {
  const now = known.peek().get(name);
  if (now instanceof OwnFile) return Promise.resolve();
  let asked = under.get(name);
  // What was missing may have come meanwhile.
  if (!asked) under.set(name, asked = find(name).finally(() => under.delete(name)));
  return asked;
}

/** Waits until it is known what a link to these carries. */
export const ownReady = async (document: Doc, compare?: Compared): Promise<void> =>
  void await Promise.all(ownNames(document, compare).map(look));

/** What of a document's own weights a link carries. */
export interface Carried {
  /** In the link. */
  packed: Packed[];
  /** Not in the link: there are too many of them. */
  tooMany: OwnFile[];
  /** Asked for, and not in this browser. */
  missing: string[];
  /** It is not known yet. */
  waiting: boolean;
}

/** What a link carries; a part that reads it draws itself again when more is known. */
export function carriedBy(document: Doc, compare?: Compared): Carried {
  const names = ownNames(document, compare);
  const found = names.map((name) => known.value.get(name));
  names.forEach((name, k) => found[k] === undefined && void look(name));
  const files = found.filter((one) => one instanceof OwnFile);
  const missing = names.filter((_, k) => found[k] === 'missing');
  const waiting = found.some((one) => one === undefined || one === 'waiting');
  for (const code of CODES) {
    const packed = files.map((file) => file.in(code)).filter((one) => one !== undefined);
    const fits = packed.length === files.length
      && packed.reduce((sum, { text }) => sum + text.length, 0) <= MOST_CARRIED;
    if (fits) return { packed, tooMany: [], missing, waiting };
  }
  return { packed: [], tooMany: files, missing, waiting };
}
