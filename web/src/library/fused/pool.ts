// SPDX-License-Identifier: Apache-2.0
// Attention on several cores: heads and rows spread over workers by message, so that the page need not be isolated.
import { bytesOf, copied } from './carry.ts';
import { fusedWith } from './engine.ts';
import { empty, gather, type Input, type Result } from './gather.ts';
import { Member } from './member.ts';
import type { Method } from './port.ts';
import { Slab } from './results.ts';
import { callOf, pieces, rowsOf, type Piece } from './share.ts';
import { numbers, offsetOf, reach, scaleOf, shapeOf, size, stridesOf, type Shape } from './shape.ts';
import type { AttentionInput, AttentionOutput, Fused, FusedOptions, GradientInput, Gradients } from './types.ts';

/** Shared memory for one call at a time: all workers read one copy of the inputs and write their rows of the output. */
class Together {
  private buffer = new SharedArrayBuffer(0);

  bring(input: Input, output: number): Input {
    const bytes = bytesOf(input, output);
    if (bytes > this.buffer.byteLength) this.buffer = new SharedArrayBuffer(bytes);
    return copied(input, output, this.buffer);
  }
}

export interface PoolOptions extends FusedOptions {
  /**
   * How many threads compute, the caller's among them when it helps; as many as the machine has, up to 4, when not
   * given.
   */
  threads?: number;
  /**
   * Whether the calling thread computes a share too, and is blocked for it. false in pages, true in Node when not
   * given.
   */
  help?: boolean;
  /** Calls with fewer multiplications and additions stay in the calling thread. */
  from?: number;
  /** Where fused-worker.js lies, when it is not beside the module. */
  workerUrl?: string;
}

export interface Pool {
  /** How many workers run; 0 where none could be started. */
  readonly workers: number;
  attention(input: Omit<AttentionInput, 'rows'>): Promise<AttentionOutput>;
  attentionGradient(input: GradientInput): Promise<Gradients>;
  /** Ends the workers; calls that wait are refused. */
  close(): void;
}

const LEAST =
  50e6; // operations, about 1 ms of one thread: below it two were slower than one, above faster (bench/README.md)
const shared = () => typeof SharedArrayBuffer !== 'undefined'
  && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

class Workers implements Pool {
  private members: Member[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;
  private readonly together = shared() ? new Together() : undefined;

  constructor(private readonly fused: Fused, private readonly help: boolean, private readonly from: number) {}

  async start(count: number, options: PoolOptions): Promise<void> {
    const started = await Promise.all(Array.from({ length: count }, async () => {
      const member = new Member();
      return member.start(options).then(() => member, (problem: Error) => void member.end(problem));
    }));
    this.members = started.filter((member) => member !== undefined);
  }

  get workers(): number {
    return this.members.filter(({ dead }) => !dead).length;
  }

  attention(input: AttentionInput): Promise<AttentionOutput> {
    return this.call('attention', input);
  }

  attentionGradient(input: GradientInput): Promise<Gradients> {
    return this.call('attentionGradient', input) as Promise<Gradients>;
  }

  close(): void {
    this.closed = true;
    for (const member of this.members) member.end(new Error('the pool was closed'));
  }

  private async call(method: Method, input: Input): Promise<Result> {
    if (this.closed) throw new Error('the pool was closed');
    const shape = shapeOf(input);
    checkCall(method, input, shape);
    const { heads, m, n, d, dv } = shape;
    const operations = 2 * heads * m * n * (d + dv);
    if (this.workers === 0 || operations < this.from) return this.here(method, input);
    // One call after the other: each has all workers.
    const result = this.queue.then(() => this.spread(method, input, shape));
    this.queue = result.catch(() => undefined);
    return result;
  }

  private here(method: Method, input: Input): Result {
    return method === 'attention' ? this.fused.attention(input) : this.fused.attentionGradient(input as GradientInput);
  }

  private async spread(method: Method, given: Input, shape: Shape): Promise<Result> {
    const members = this.members.filter(({ dead }) => !dead);
    const shares = pieces(given, shape, members.length + (this.help ? 1 : 0));
    const { heads, m, dv } = shape;
    const forward = method === 'attention';
    // How long the output is, where the call can be told to put it somewhere.
    const outputOf = (rows: number) => (forward ? rows * dv : 0);
    const input = this.together?.bring(given, outputOf(heads * m));
    const work = members.map((member, i) => {
      const share = shares[i]!;
      if (share.length === 0) return [];
      if (input) return member.ask(method, share.map((piece) => callOf(input, shape, piece)));
      // What is not shared goes as a copy of just the piece.
      const { calls, buffer } = member.carry.load(share.map((piece) => callOf(given, shape, piece)),
        share.map((piece) => outputOf(rowsOf(piece))));
      return member.ask(method, calls, buffer);
    }) as Promise<Result[]>[];
    // The workers compute while this thread makes room, and computes its share.
    const result = empty(method, given, shape);
    const put = (share: Piece[], values: Result[]) =>
      share.forEach((piece, i) => gather(result, values[i]!, shape, piece, given));
    const compute = (share: Piece[]) => {
      const whole = forward ? { ...given, out: result.output } : given;
      put(share, share.map((piece) => this.here(method, callOf(whole, shape, piece))));
    };
    const done = members.map(async (member, i) => {
      try {
        put(shares[i]!, await work[i]!);
      } catch (problem) {
        // What is wrong with the call is the caller's; a worker that has ended is replaced by this thread.
        if (this.closed || !member.dead) throw problem;
        compute(shares[i]!);
      }
    });
    if (this.help) done.push((async () => compute(shares.at(-1)!))());
    await Promise.all(done);
    return result;
  }
}

// Whatever could be wrong with a call, before anything of it is sent.
function checkCall(method: Method, input: Input, shape: Shape): void {
  const { heads, m, dv } = shape;
  reach(input);
  offsetOf(input);
  scaleOf(input.scale, shape.d);
  for (const field of ['bias', 'mask'] as const) if (input[field]) stridesOf(field, input[field], shape);
  if (method === 'attentionGradient') numbers('upstream', input.upstream, heads * m * dv);
  if (input.out !== undefined) numbers('out', input.out, heads * m * dv);
}

function cores(): number {
  return typeof navigator === 'undefined' ? 4 : (navigator.hardwareConcurrency ?? 1);
}

/** Starts the workers. Where there can be none, calls compute in this thread. */
export async function loadPool(options: PoolOptions = {}): Promise<Pool> {
  const { threads = Math.min(4, cores()), help = typeof window === 'undefined', from = LEAST } = options;
  size('threads', threads, 1);
  const pool = new Workers(await fusedWith(new Slab(), options), help, from);
  // The one thread that is asked for is the caller's, whether it helps or not.
  await pool.start(threads === 1 ? 0 : help ? threads - 1 : threads, options);
  return pool;
}
