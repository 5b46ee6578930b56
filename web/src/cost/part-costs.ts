// SPDX-License-Identifier: Apache-2.0
// What each part of a document costs: counts of what no part before it has computed.
import { append } from '../lists.ts';
import type { Client } from '../engine/client.ts';
import { csvText } from '../files/csv.ts';
import type { Result, Tensor } from '../engine/result.ts';
import type { Cost, Directory, Doc, Failure } from '../engine/types.ts';

export interface PartCost extends Cost {
  /** A module's name, or the result of the only one. */
  name: string;
  /** What it is: a module's id; none for a result. */
  type?: string;
  tensor?: Tensor;
}

interface Group {
  name: string;
  type?: string;
  tensor?: Tensor;
  outputs: string[];
}

// Parts are counted one after another; so many are enough for a table.
const MOST = 48;

/** The modules of a document with their results, in the order of computation; of a single module its results. */
export function groupsIn(result: Result): Group[] {
  const outputs = result.all('outputs').toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0));
  const modules = new Map((result.directory.modules ?? []).map((one) => [one.name, one]));
  const byModule = new Map<string, Tensor[]>();
  for (const tensor of outputs) byModule.set(tensor.within ?? '',
    [...(byModule.get(tensor.within ?? '') ?? []), tensor]);
  if (byModule.size > 1) {
    return [...byModule].slice(0, MOST)
      .map(([name, list]) => ({ name, ...(modules.get(name) ? { type: modules.get(name)!.type } : {}),
      outputs: list.map((one) => one.name) }));
  }
  const seen = new Set<number>();
  // A second name for the same numbers costs nothing.
  return outputs.filter(({ offset }) => !seen.has(offset) && seen.add(offset)).slice(0, MOST)
    .map((tensor) => ({ name: tensor.name, tensor, outputs: [tensor.name] }));
}

const minus = (a: Cost, b: Cost | undefined): Cost => ({
  multiply_adds: a.multiply_adds - (b?.multiply_adds ?? 0), exponentials: a.exponentials - (b?.exponentials ?? 0),
  bytes: a.bytes - (b?.bytes ?? 0), exact: a.exact && (b?.exact ?? true),
});

/**
 * Asks the engine part by part; undefined when the client was closed meanwhile, the engine's message when it refuses.
 */
export async function partsOf(client: Client, document: Doc, result: Result,
  tell: (parts: readonly PartCost[],
  share: number) => void): Promise<{ parts: PartCost[]; total: Cost } | string | undefined> {
  const groups = groupsIn(result);
  const parts: PartCost[] = [];
  const wanted: string[] = [];
  let before: Cost | undefined;
  for (const [k, { outputs, ...group }] of groups.entries()) {
    append(wanted, outputs);
    const { gradient: _, ...asked } = document;
    const answer = await client.send({ kind: 'run', document: JSON.stringify({ ...asked, outputs: wanted }) });
    if (!answer) return undefined;
    const directory = JSON.parse(answer.text) as Directory | Failure;
    if (!directory.ok) return directory.error.message;
    parts.push({ ...group, ...minus(directory.cost, before) });
    before = directory.cost;
    tell(parts, (k + 1) / groups.length);
  }
  return { parts, total: before ?? result.directory.cost };
}

export const COLUMNS = ['multiply_adds', 'exponentials', 'bytes'] as const;

export const asCsv = (parts: readonly PartCost[], total: Cost): string =>
  csvText([['part', 'type', ...COLUMNS],
    ...parts.map((one) => [one.name, one.type, ...COLUMNS.map((column) => one[column])]),
    ['total', undefined, ...COLUMNS.map((column) => total[column])]]);

export const asJson = (parts: readonly PartCost[], total: Cost): string =>
  JSON.stringify({ parts: parts.map(({ tensor: _, ...one }) => one), total }, null, 1);
