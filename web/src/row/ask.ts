// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals-core';
import { Result, type Tensor } from '../engine/result.ts';
import type { Doc, Located } from '../engine/types.ts';
import { whilePending } from '../later.ts';
import type { Store } from '../state/store.ts';
import type { Left } from './bins.ts';

/**
 * Asks the engine for one row of the maps that a result does not hold, and puts it beside them. The reader's document
 * stays as it is.
 */
export class RowAsk {
  private readonly problem = signal<Located | undefined>(undefined);
  private asked: { result: Result; row: number } | undefined;

  constructor(private readonly store: Store) {}

  get error(): Located | undefined {
    return this.problem.value;
  }

  about(maps: Left[], row: number): void {
    const { result } = this.store.sessions;
    if (!result || (this.asked?.result === result && this.asked.row === row)) return;
    this.asked = { result, row };
    void whilePending(this.fetch(result, maps, row));
  }

  private async fetch(result: Result, maps: Left[], row: number): Promise<void> {
    const document: Doc = { ...result.directory.document, outputs: maps.map(({ name }) => `${name}[${row}]`) };
    delete document['gradient'];
    const reply = await this.store.client.send({ kind: 'run', document: JSON.stringify(document) }, 'row');
    // Another row, or other numbers, are on their way.
    if (!reply || this.asked?.result !== result || this.asked.row !== row) return;
    const directory = JSON.parse(reply.text);
    this.problem.value = directory.ok ? undefined : directory.error;
    const found = directory.ok && reply.data ? new Result(directory, reply.data) : undefined;
    result.add(new Set(maps.map(({ name }) => name)), maps.flatMap((map) => this.rowOf(map, row, found)));
  }

  private rowOf(map: Left, row: number, found: Result | undefined): Tensor[] {
    const tensor = found?.whole(`${map.name}[${row}]`, 'outputs');
    return tensor ? [{ ...map, offset: -1, row, data: tensor.data }] : [];
  }
}
