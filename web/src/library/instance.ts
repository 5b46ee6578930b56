// SPDX-License-Identifier: Apache-2.0

/** Whether WebAssembly stopped in the middle: a trap, too deep a recursion (Firefox has a name of its own for it), no room for a copy. */
const stopped = (problem: unknown): problem is Error =>
  problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError || (problem as Error | null)?.name === 'InternalError';

/** What a call says whose instance had to be given up. */
export class Stopped extends Error {
  constructor(cause: Error) {
    super(`the engine failed: ${cause.message}`, { cause });
    this.name = 'Stopped';
  }
}

/**
 * One instance of a module at a time. Where a call stops in the middle, nobody knows what state its memory is in:
 * that instance is given up, and the next call gets a new one.
 */
export class Instance<Module> {
  #module: Module | undefined;
  readonly #create: () => Promise<Module>;

  private constructor(create: () => Promise<Module>, first: Module) {
    this.#create = create;
    this.#module = first;
  }

  static async start<Module>(create: () => Promise<Module>): Promise<Instance<Module>> {
    return new Instance(create, await create());
  }

  async call<Answer>(work: (module: Module) => Answer): Promise<Answer> {
    const module = (this.#module ??= await this.#create());
    try {
      return work(module);
    } catch (problem) {
      if (!stopped(problem)) throw problem;
      this.#module = undefined;
      throw new Stopped(problem);
    }
  }
}
