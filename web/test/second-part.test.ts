// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SecondPart } from '../src/engine/second-part.ts';

// The smallest module that there is.
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const FIRST = JSON.stringify({ parameters: { from: 'translate.safetensors' } });

describe('the second part of the engine', () => {
  let asked: string[];
  let come: () => void;
  const compiled = new WebAssembly.Module(EMPTY);

  const synchronous = (status: number) => vi.stubGlobal('XMLHttpRequest', class {
    status = status;
    response = status === 200 ? EMPTY.slice().buffer : null;
    responseType = '';
    open(_method: string, address: string, beside: boolean): void {
      expect(beside).toBe(false);
      asked.push(`wait ${address}`);
    }

    send(): void {}
  });

  beforeEach(() => {
    asked = [];
    vi.stubGlobal('WorkerGlobalScope', class {});
    vi.stubGlobal('fetch', (address: string) => {
      asked.push(address);
      return new Promise((resolve) => (come = () => resolve({ ok: true })));
    });
    vi.spyOn(WebAssembly, 'compileStreaming').mockImplementation(async () => compiled);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  const isThrough = async (waiting: Promise<void>): Promise<boolean> =>
    Promise.race([waiting.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5))]);

  it('comes once; the first page waits for nothing, another document does', async () => {
    const part = new SecondPart('x.wasm');
    expect(await isThrough(part.ready(FIRST))).toBe(true);
    const other = part.ready('{"mechanism": {}}');
    expect(await isThrough(other)).toBe(false);
    expect(asked).toEqual(['x.wasm']);
    come();
    await other;
    expect(part.link('', {})).toBeInstanceOf(WebAssembly.Instance);
    expect(asked, 'nothing is fetched again').toEqual(['x.wasm']);
  });

  it('is fetched then and there by a call that needs it earlier', () => {
    synchronous(200);
    const part = new SecondPart('x.wasm');
    void part.ready(FIRST);
    expect(part.link('', {})).toBeInstanceOf(WebAssembly.Instance);
    expect(asked).toEqual(['x.wasm', 'wait x.wasm']);
  });

  it('is linked once for a first part, and anew for another', () => {
    synchronous(200);
    const part = new SecondPart('x.wasm');
    const primary = {};
    const linked = part.link('', { primary });
    expect(part.link('', { primary })).toBe(linked);
    expect(part.link('', { primary: {} })).not.toBe(linked);
  });

  it('says that it is not there, and is tried again', () => {
    synchronous(404);
    const part = new SecondPart('x.wasm');
    expect(() => part.link('', {})).toThrow('a part of the engine could not be fetched (404)');
    synchronous(200);
    expect(part.link('', {})).toBeInstanceOf(WebAssembly.Instance);
  });

  it('is waited for where nothing may stand still: in the page itself', async () => {
    vi.unstubAllGlobals();
    vi.stubGlobal('fetch', () => new Promise((resolve) => (come = () => resolve({ ok: true }))));
    const waiting = new SecondPart('x.wasm').ready(FIRST);
    expect(await isThrough(waiting)).toBe(false);
    come();
    await waiting;
  });
});
