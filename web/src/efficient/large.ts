// SPDX-License-Identifier: Apache-2.0
// Maps of thousands of words: softmax in tiles from a worker, the form in blocks of columns from the engine.
import { maximum, minimum } from '../lists.ts';
import type { Client } from '../engine/client.ts';
import { compute } from '../engine/compute.ts';
import { type Ended, type LinePort, WorkerLine } from '../engine/line.ts';
import { startWorker } from '../engine/start-worker.ts';
import type { Doc, JsonObject } from '../engine/types.ts';
import { contextOf } from '../directory/outcome.ts';
import worker from './tiles-worker.ts?worker&url';
import { largest } from '../row/bins.ts';
import { COLS, type Given, type Order, ROWS, type Tile, type WholeRow } from './tiles.ts';

// Of tiles that were drawn so many stay, about 40 MB; of blocks of columns three.
const TILES = 600;
const BLOCKS = 3;
// So many tiles are asked for at a time: what is no longer looked at is not computed.
const OPEN = 4;
// Of the largest keys of a row so many are told.
const HEAVIEST = 7;

interface Block {
  data: Float32Array;
  start: number;
  wide: number;
  first: number;
}

/** Both maps, piece by piece; `changed` is called when another piece is there. */
export class LargeMaps {
  private readonly tiles = new Map<string, Float32Array>();
  private readonly open = new Set<string>();
  private readonly blocks = new Map<number, Block>();
  private asking: number | undefined;
  private wished: number | undefined;
  private readonly line: WorkerLine<Order, Tile | WholeRow>;
  /** Why softmax's own map is not here. */
  lost: Ended | undefined;
  /** Why the form's own map is not here. */
  problem: string | undefined;
  most = 0;
  /** The smallest, where one is below zero. */
  least = 0;
  /** The largest size of a difference that has been looked at. */
  gap = 0;
  private heavy: { row: number; keys: { col: number; weight: number }[] } | undefined;
  private wanted: number | undefined;

  /** `document`: of the form on the same queries and keys, with these values. */
  constructor(readonly given: Given, private readonly client: Client,
    private readonly document: (value: JsonObject) => Doc, private readonly changed: () => void,
    start = (): LinePort<Order> => startWorker(new URL(worker, globalThis.document.baseURI).href, 'tiles')) {
    this.line = new WorkerLine(start,
      (data: Tile | WholeRow) => (data.kind === 'row' ? this.takeRow(data) : this.take(data)),
      (how) => {
        this.lost = how;
        this.changed();
      });
    this.line.send({ kind: 'open', ...given });
  }

  close(): void {
    this.line.close();
  }

  private take({ band, block, data }: Tile): void {
    const key = `${band} ${block}`;
    this.open.delete(key);
    this.tiles.set(key, data);
    this.most = maximum(data, this.most);
    for (const old of this.tiles.keys()) {
      if (this.tiles.size <= TILES) break;
      this.tiles.delete(old);
    }
    this.changed();
  }

  private takeRow({ row, data }: WholeRow): void {
    this.heavy = { row, keys: largest(data, HEAVIEST).map((col) => ({ col, weight: data[col]! })) };
    this.wanted = undefined; // whoever still wants another row asks again
    this.changed();
  }

  /** The largest keys of a row of softmax with their weights; asked for where they are not here. */
  heaviest(row: number): { col: number; weight: number }[] | undefined {
    if (this.heavy?.row === row) return this.heavy.keys;
    if (this.wanted === undefined) {
      this.wanted = row;
      this.line.send({ kind: 'row', row });
    }
    return undefined;
  }

  /** B − A of a window, 0 in `here` where one of the two is still to come. */
  difference(row: number, col: number, rows: number, cols: number): { data: Float32Array; here: Float32Array } {
    const [a, b] = [this.window('A', row, col, rows, cols), this.window('B', row, col, rows, cols)];
    b.here.forEach((there, at) => {
      b.here[at] = there * a.here[at]!;
      b.data[at] = b.here[at] === 0 ? 0 : b.data[at]! - a.data[at]!;
      this.gap = Math.max(this.gap, Math.abs(b.data[at]!));
    });
    return b;
  }

  /** A weight of softmax, if its tile is here. */
  softmax(row: number, col: number): number | undefined {
    const tile = this.tiles.get(`${Math.floor(row / ROWS)} ${Math.floor(col / COLS)}`);
    const wide = Math.min(COLS, this.given.keys - Math.floor(col / COLS) * COLS);
    return tile?.[(row % ROWS) * wide + (col % COLS)];
  }

  private keep(at: number, block: Block): void {
    this.blocks.set(at, block);
    const { data, start, wide, first } = block;
    for (let row = start; row < data.length; row += wide) {
      const own = data.subarray(row + first, row + wide);
      [this.most, this.least] = [maximum(own, this.most), minimum(own, this.least)];
    }
  }

  /** A weight of the form, if its block is here. */
  implied(row: number, col: number): number | undefined {
    const block = this.blocks.get(Math.floor(col / COLS));
    return block?.data[block.start + row * block.wide + block.first + (col % COLS)];
  }

  /** The weights of a window, and 0 in `here` for those that are still to come; asks for them. */
  window(which: 'A' | 'B', row: number, col: number, rows: number,
    cols: number): { data: Float32Array; here: Float32Array } {
    const [data, here] = [new Float32Array(rows * cols), new Float32Array(rows * cols)];
    const { causal, rows: m, keys: n } = this.given;
    for (let j = 0; j < cols; ) {
      const at = Math.floor((col + j) / COLS);
      const end = Math.min(cols, (at + 1) * COLS - col);
      const wide = Math.min(COLS, n - at * COLS);
      const block = which === 'B' ? this.blocks.get(at) : undefined;
      if (which === 'B' && !block) this.wish(at);
      for (let i = 0; i < rows && row + i < m; i++) {
        const band = Math.floor((row + i) / ROWS);
        const tile = which === 'A' ? this.tiles.get(`${band} ${at}`) : undefined;
        if (which === 'A' && !tile) this.ask(band, at);
        if (!tile && !block) continue;
        const from = block ? block.start + (row + i) * block.wide + block.first : ((row + i) % ROWS) * wide;
        const numbers = block ? block.data : tile!;
        for (let c = j; c < end && col + c < n; c++) {
          data[i * cols + c] = numbers[from + col + c - at * COLS]!;
          here[i * cols + c] = causal && col + c > row + i ? 0 : 1;
        }
      }
      j = end;
    }
    return { data, here };
  }

  private ask(band: number, block: number): void {
    const key = `${band} ${block}`;
    if (this.open.size >= OPEN || this.open.has(key)) return;
    this.open.add(key);
    this.line.send({ kind: 'tile', band, block });
  }

  // The newest wish is the next to be granted.
  private wish(block: number): void {
    if (this.problem !== undefined || this.asking === block) return;
    if (this.asking !== undefined) return void (this.wished = block);
    this.asking = block;
    void this.fetch(block);
  }

  // Values that are 1 at one key each: the context of those columns is the map's.
  private async fetch(block: number): Promise<void> {
    const { keys } = this.given;
    const from = block * COLS;
    const wide = Math.min(COLS, keys - from);
    const tokens = Array.from({ length: keys }, (_, j) => (j >= from && j < from + wide ? `c${j - from}` : '-'));
    const document = this.document({ tokens, features: { type: 'one-hot' } });
    const answer = await compute(this.client, document);
    if (answer) {
      if (answer.error) this.problem = answer.error.message;
      else if (answer.result) {
        const found = contextOf(answer.result);
        // One word in front stands for all other keys, except where there are none before.
        if (found) this.keep(block,
          { data: found.data, start: 0, wide: found.shape.at(-1)!, first: from === 0 ? 0 : 1 });
      }
      for (const old of this.blocks.keys()) {
        if (this.blocks.size <= BLOCKS) break;
        this.blocks.delete(old);
      }
    }
    this.asking = undefined;
    const { wished } = this;
    this.wished = undefined;
    if (wished !== undefined && !this.blocks.has(wished)) this.wish(wished);
    this.changed();
  }
}
