// SPDX-License-Identifier: Apache-2.0
// A few numbers of a file of weights, which may hold gigabytes: one row or column of a matrix, or one small tensor.
import { bytesOfFile, FileProblem, type WeightsData } from './data.ts';
import { BYTES, type Entry, isEntry, numbersIn, readHead, SCALE } from './weights.ts';

/** Reads tensors of a file by their names. */
export class WeightSlices {
  private constructor(private readonly file: WeightsData, private readonly first: number,
    private readonly entries: ReadonlyMap<string, Entry>) {}

  static async of(file: WeightsData): Promise<WeightSlices> {
    const head = await readHead(file);
    const header = JSON.parse(new TextDecoder().decode(head.subarray(8))) as Record<string, unknown>;
    return new WeightSlices(file, head.length, new Map(Object.entries(header).flatMap(([name, value]) =>
      (name !== '__metadata__' && isEntry(value) ? [[name, value] as const] : []))));
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** All numbers of a tensor, row after row. */
  async all(name: string): Promise<ArrayLike<number>> {
    const { shape } = this.entry(name);
    return this.scaled(name, await this.read(name, 0, sizeOf(shape)), 0, 1);
  }

  /** One row of a matrix. */
  async row(name: string, at: number): Promise<ArrayLike<number>> {
    const columns = this.columns(name);
    return this.scaled(name, await this.read(name, at * columns, (at + 1) * columns), 0, 1);
  }

  /** One column of a matrix. */
  async column(name: string, at: number): Promise<ArrayLike<number>> {
    const columns = this.columns(name);
    const rows = sizeOf(this.entry(name).shape) / columns;
    const parts = await Promise.all(Array.from({ length: rows }, (_, row) =>
      this.read(name, row * columns + at, row * columns + at + 1)));
    return this.scaled(name, parts.map((part) => part[0]!), at, 0);
  }

  private entry(name: string): Entry {
    const entry = this.entries.get(name);
    if (!entry) throw new FileProblem(`the file of weights has no tensor "${name}"`);
    return entry;
  }

  private columns(name: string): number {
    return this.entry(name).shape.at(-1) ?? 1;
  }

  private async read(name: string, from: number, to: number): Promise<ArrayLike<number>> {
    const { dtype, data_offsets: [begins] } = this.entry(name);
    const size = BYTES[dtype] ?? 0;
    const at = this.first + begins;
    const bytes = await bytesOfFile(this.file, at + from * size, at + to * size);
    // Most files hold these, and a large matrix is read at once.
    if (dtype === 'F32') return new Float32Array(bytes.slice().buffer);
    if (dtype === 'I8') return new Int8Array(bytes.slice().buffer);
    return numbersIn({ dtype, shape: [to - from], bytes });
  }

  // Bytes have one scale, or one for each column: `from` is the column of the first number, `by` 1 along a row.
  private async scaled(name: string, numbers: ArrayLike<number>, from: number, by: 0 | 1): Promise<ArrayLike<number>> {
    if (this.entry(name).dtype !== 'I8') return numbers;
    const scales = await this.read(name + SCALE, 0, sizeOf(this.entry(name + SCALE).shape));
    const columns = this.columns(name);
    return Float32Array.from(numbers, (number, k) =>
      number * scales[scales.length === 1 ? 0 : (from + by * k) % columns]!);
  }
}

const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);
