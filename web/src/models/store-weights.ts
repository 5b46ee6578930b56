// SPDX-License-Identifier: Apache-2.0
// In the worker: the weights of a model as one file. What stays as it lies in the reader's files is no copy: the
// browser takes it from there whenever it is read.
import { PartSender } from '../files/file-parts.ts';
import { SameFile } from '../files/same-file.ts';
import { inOrder, PART, partOf, release, sliceOf, type FilePart } from '../files/slices.ts';
import type { Failed, Importer, Order, StoreStep, StoreSteps } from './types.ts';

type Calling = <Answer>(work: (module: Importer) => Answer) => Promise<Answer>;
type Wanted = Pick<Extract<Order, { kind: 'store' }>, 'from' | 'small' | 'port' | 'kept'>;
type Progress = (done: number, all: number) => void;

// A tensor beyond that is read by slices while the worker waits, which takes longer and less memory.
const MOST_AHEAD = 32_000_000;

type Place = NonNullable<StoreStep['lies']>;

const failed = (text: string): boolean => 'error' in (JSON.parse(text) as Failed | object);
const same = (one: Place | null | undefined, other: Place): boolean =>
  one?.file === other.file && one.first === other.first && one.bytes === other.bytes;

/** Files of the reader's, with one stretch of them read ahead of the module that asks for it. */
export class ReadFiles {
  private ahead: (Place & { part: Uint8Array }) | undefined;

  constructor(readonly files: readonly File[]) {}

  /** For a module that goes on with it at once; null where there is none. */
  slice(file: number, first: number, count: number): Uint8Array | null {
    const { ahead } = this;
    const from = ahead?.file === file ? first - ahead.first : -1;
    return from >= 0 && from + count <= ahead!.bytes ? ahead!.part.subarray(from, from + count)
      : sliceOf(this.files[file]!, first, count);
  }

  lying({ file, first, bytes }: Place): Blob {
    return this.files[file]!.slice(first, first + bytes);
  }

  hold(place: Place, part: Uint8Array): void {
    if (this.ahead) release(this.ahead.part);
    this.ahead = { ...place, part };
  }
}

// What is read for a step before the module is asked: some parts of what passes, or all that is converted.
function readsOf({ lies, passes }: StoreStep, last: StoreStep | undefined): [from: number, to: number][] {
  // Three matrices that lie in one are three steps.
  if (!lies || (!passes && (lies.bytes > MOST_AHEAD || same(last?.lies, lies)))) return [];
  const part = passes ? PART : Math.max(1, lies.bytes);
  return Array.from({ length: Math.ceil(lies.bytes / part) }, (_, k) =>
    [k * part, Math.min(lies.bytes, (k + 1) * part)]);
}

/** The module's answer as JSON text, the file, and the name of the kept file with the same bytes. */
export async function storeOf(call: Calling, read: ReadFiles, { from, small, port, kept }: Wanted,
  progress: Progress): Promise<{ text: string; file?: Blob; same?: string | undefined }> {
  const parts: Blob[] = [];
  let made: Uint8Array<ArrayBuffer>[] = [];
  // What the module shows lies in its memory. The browser takes each part out of the memory of the page's programs.
  const take = (bytes: Uint8Array): void => {
    parts.push(new Blob([bytes as Uint8Array<ArrayBuffer>]));
    if (port || kept.length > 0) made.push(bytes.slice());
  };
  const began = await call((module) => module.store(from, take, small));
  if (failed(began)) return { text: began };
  const { document, steps, bytes: size } = JSON.parse(began) as StoreSteps;
  const sender = port && new PartSender(port, size);
  const same = new SameFile(kept, size);
  // In the order of the file. What was sent is empty afterwards.
  const pass = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    await same.add(bytes);
    await sender?.send(bytes);
    release(bytes);
  };
  const passMade = async (): Promise<void> => {
    for (const bytes of made) await pass(bytes);
    made = [];
  };
  await passMade();
  const converted = (k: number): StoreStep | undefined => steps.slice(0, k).findLast(({ passes }) => !passes);
  const reads = steps.map((step, k) => readsOf(step, converted(k)));
  // Over all steps, so that the browser reads for the next one while the module is at this one.
  const coming = inOrder(steps.flatMap(({ lies }, k) =>
    reads[k]!.map(([first, to]) => () => partOf(read.files[lies!.file]!.name, read.lying(lies!), first, to))));
  const next = async (): Promise<FilePart> => (await coming.next()).value as FilePart;
  const all = steps.reduce((sum, { numbers }) => sum + numbers, 0);
  let done = 0;
  for (const [k, { numbers, lies, passes }] of steps.entries()) {
    for (let part = 0; part < reads[k]!.length; part++) {
      const { at, bytes } = await next();
      if (!passes) read.hold(lies!, bytes);
      else {
        const text = await call((module) => module.check(k, at, bytes));
        if (failed(text)) return { text };
        const to = at + bytes.length;
        await pass(bytes as Uint8Array<ArrayBuffer>);
        progress(done + Math.round(numbers * to / lies!.bytes), all);
      }
    }
    if (lies && passes) parts.push(read.lying(lies));
    else {
      const text = await call((module) => module.convert(k, take));
      if (failed(text)) return { text };
      await passMade();
    }
    progress(done += numbers, all);
  }
  return { text: JSON.stringify(document), file: new Blob(parts), same: same.name };
}
