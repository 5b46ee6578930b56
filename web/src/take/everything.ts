// SPDX-License-Identifier: Apache-2.0
// All tensors of a document. The result that the page draws leaves out large ones: the engine has to be asked for them.
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { keptFile } from '../engine/kept.ts';
import { Result } from '../engine/result.ts';
import type { Directory, Doc, Failure, Located } from '../engine/types.ts';
import { weightsOf } from '../engine/weights-of.ts';
import { weightsNamed } from '../engine/weight-files.ts';
import { readHeader, SCALE } from '../files/weights.ts';

/** Why the engine gave no answer at all: it died, the reader stopped it, or its files did not load. */
export type Ended = 'crashed' | 'stopped' | 'unloaded';

export interface Everything {
  result: Result;
  /** What is too large for the engine to give, by the names under which a document asks for it. */
  lacks: string[];
  /** What the engine would have given, had it not ended. */
  missed?: { names: string[]; why: Ended };
}

const PARAMETERS = 'parameters.';
const endedBy = ({ crashed, stopped, unloaded, refused }: Located): Ended | undefined =>
  (crashed ? 'crashed' : stopped ? 'stopped' : unloaded || refused ? 'unloaded' : undefined);

// Parameters in a file are not listed where they are large.
async function storedNames(document: Doc): Promise<string[]> {
  const names = await Promise.all(weightsOf(JSON.stringify(document)).map(async (name) => {
    const file = await keptFile(name) ?? await weightsNamed(name);
    if (!file) return [];
    const header = await readHeader(file);
    return Object.keys(header).filter((key) => key !== '__metadata__'
      && !(key.endsWith(SCALE) && key.slice(0, -SCALE.length) in header));
  }));
  return names.flat();
}

/** The result together with what it leaves out, and what cannot be had. */
export async function everything(client: Pick<Client, 'ask' | 'send'>, result: Result,
  names: (document: Doc) => Promise<string[]> = storedNames): Promise<Everything> {
  const { document } = result.directory;
  const stored = (await names(document)).filter((name) => !result.whole(name, 'parameters'));
  const parameters = new Set([...stored,
    ...result.left.filter(({ group }) => group === 'parameters').map(({ name }) => name)]);
  const outputs = result.left.filter(({ group }) => group === 'outputs').map(({ name }) => name);
  let wanted = [...[...parameters].map((name) => PARAMETERS + name), ...outputs];
  const lacks: string[] = [];
  const { gradient: _, ...asked } = document;
  while (wanted.length > 0) {
    const answer = await compute(client, { ...asked, outputs: wanted } as Doc);
    if (answer?.result) return { result: joined(result, answer.result, wanted), lacks };
    const { error } = answer ?? {};
    // A client that was closed answers nothing.
    if (!error) return { result, lacks, missed: { names: wanted, why: 'stopped' } };
    const why = endedBy(error);
    if (why) return { result, lacks, missed: { names: wanted, why } };
    // A file may hold more than its model reads, and all together may be too much: the last one is the first to go.
    const refused = Number(/^\/outputs\/(\d+)/.exec(error.path)?.[1] ?? wanted.length - 1);
    const gone = wanted[refused]!;
    wanted = wanted.filter((name) => name !== gone);
    if (error.path !== `/outputs/${refused}`) lacks.push(gone);
  }
  return { result, lacks };
}

function joined(one: Result, more: Result, names: readonly string[]): Result {
  const asked = new Set(names);
  const isNew = ({ group, name }: { group: string; name: string }) =>
    asked.has(group === 'parameters' ? PARAMETERS + name : name) && (group === 'parameters' || group === 'outputs')
      && !one.whole(name, group);
  const added = more.directory.tensors.filter(isNew);
  const { left, tensors, ...rest } = one.directory;
  const directory = { ...rest, tensors: [...tensors, ...added.map(({ from: _, ...entry }) => entry)],
    ...(left ? { left: left.filter((entry) => !isNew(entry)) } : {}) } as Exclude<Directory, Failure>;
  return new Result(directory, [...one.tensors, ...more.tensors.filter(isNew)].map(({ data }) => data));
}
