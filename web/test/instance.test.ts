// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { Instance, Stopped } from '../src/library/instance.ts';

async function counted() {
  let made = 0;
  const instance = await Instance.start(async () => ++made);
  return { instance, made: () => made };
}
const stop = (problem: unknown) => () => {
  throw problem;
};
const inFirefox = Object.assign(new Error('too much recursion'), { name: 'InternalError' });

for (const problem of [new WebAssembly.RuntimeError('unreachable'), new RangeError('Maximum call stack size exceeded'),
  inFirefox]) {
  it(`a call that stops with ${problem.message} costs its instance, and the next call has a new one`, async () => {
    const { instance, made } = await counted();
    expect(await instance.call((module) => module)).toBe(1);
    await expect(instance.call(stop(problem))).rejects.toThrow(Stopped);
    await expect(instance.call(stop(problem))).rejects.toThrow(`the engine failed: ${problem.message}`);
    expect(await instance.call((module) => module)).toBe(made());
    expect(made()).toBe(3);
  });
}

it("what the caller did wrong is thrown as it is and costs nothing", async () => {
  const { instance, made } = await counted();
  await expect(instance.call(stop(new TypeError('non-string')))).rejects.toThrow(TypeError);
  expect(await instance.call((module) => module)).toBe(1);
  expect(made()).toBe(1);
});

it('an instance that cannot be made anew is tried again by the next call', async () => {
  let tries = 0;
  const instance = await Instance.start(async () => {
    if (++tries === 2) throw new Error('offline');
    return tries;
  });
  await expect(instance.call(stop(new RangeError('deep')))).rejects.toThrow(Stopped);
  await expect(instance.call((module) => module)).rejects.toThrow('offline');
  expect(await instance.call((module) => module)).toBe(3);
});
