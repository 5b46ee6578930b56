// SPDX-License-Identifier: Apache-2.0
import { joined } from '../lists.ts';
// A large file that is fetched on demand: with progress, in a way that can be stopped and continued, checked against
// the hash that the build wrote down, and kept for the next visit.

export interface Parcel {
  /** Relative to the page. */
  url: string;
  bytes: number;
  /** SHA-256 in hexadecimal digits. */
  sha256: string;
}

/** Why a parcel did not arrive. */
export type Loss = 'connection' | 'missing' | 'damaged' | 'stopped';

export class Lost extends Error {
  constructor(readonly why: Loss) {
    super(why);
  }
}

export interface Arrived {
  bytes: Uint8Array;
  /** Whether it is there without a network from now on. */
  kept: boolean;
}

// The service worker throws away caches of older builds by their names; this one outlives them.
const CACHE = 'models-of-attention-playground';

const here = async (): Promise<Cache | undefined> => {
  try {
    return globalThis.caches ? await caches.open(CACHE) : undefined;
  } catch {
    return undefined; // a private window, or a frame without storage
  }
};

/** Whether these are the bytes that the build wrote; only the length tells where the browser has no digests. */
export async function isWhole(bytes: Uint8Array, { bytes: length, sha256 }: Omit<Parcel, 'url'>): Promise<boolean> {
  if (bytes.length !== length) return false;
  if (!globalThis.crypto?.subtle) return true;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256;
}

/** The chunks of a parcel that are here already: whoever loads again continues behind them. */
export class Delivery {
  private chunks: Uint8Array[] = [];
  private length = 0;

  constructor(readonly parcel: Parcel, private readonly get: typeof fetch = (...asked) => fetch(...asked)) {}

  get received(): number {
    return this.length;
  }

  /** Fetches what is missing. Throws Lost; what came before stays, unless it is damaged. */
  async load(progress: () => void, signal?: AbortSignal): Promise<Arrived> {
    const cache = await here();
    const old = await this.kept(cache);
    if (old) return { bytes: old, kept: true };
    await this.fill(progress, signal);
    const bytes = joined(this.chunks, Uint8Array);
    if (!(await isWhole(bytes, this.parcel))) {
      this.forget();
      throw new Lost('damaged');
    }
    this.forget();
    this.length = bytes.length;
    return { bytes, kept: await this.keep(cache, bytes) };
  }

  private forget(): void {
    this.chunks = [];
    this.length = 0;
  }

  private async kept(cache: Cache | undefined): Promise<Uint8Array | undefined> {
    try {
      const found = await cache?.match(this.parcel.url);
      if (!found) return undefined;
      const bytes = new Uint8Array(await found.arrayBuffer());
      if (await isWhole(bytes, this.parcel)) {
        this.length = bytes.length;
        return bytes;
      }
      await cache?.delete(this.parcel.url);
    } catch {
      // What cannot be read is fetched again.
    }
    return undefined;
  }

  private async keep(cache: Cache | undefined, bytes: Uint8Array): Promise<boolean> {
    try {
      if (!cache) return false;
      await cache.put(this.parcel.url, new Response(bytes as Uint8Array<ArrayBuffer>,
        { headers: { 'Content-Type': 'application/octet-stream' } }));
      return true;
    } catch {
      return false; // no room
    }
  }

  private async fill(progress: () => void, signal: AbortSignal | undefined): Promise<void> {
    if (this.length >= this.parcel.bytes) return;
    try {
      const response = await this.get(this.parcel.url, { ...(signal ? { signal } : {}),
        ...(this.length > 0 ? { headers: { Range: `bytes=${this.length}-` } } : {}) });
      if (!response.ok) throw new Lost('missing');
      // A server that does not know ranges sends everything again.
      if (response.status !== 206) this.forget();
      const reader = response.body!.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.chunks.push(value);
        this.length += value.length;
        progress();
      }
    } catch (problem) {
      if (problem instanceof Lost) throw problem;
      throw new Lost(signal?.aborted ? 'stopped' : 'connection');
    }
    if (this.length < this.parcel.bytes) throw new Lost('connection');
  }

}
