// SPDX-License-Identifier: Apache-2.0

/**
 * Whether WebAssembly stopped in the middle: a trap, too deep a recursion (Firefox has a name of its own for it), no
 * room for a copy.
 */
export const trapped = (problem: unknown): problem is Error =>
  problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError
    || (problem as Error | null)?.name === 'InternalError';

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
  /** A new instance that is on its way: however many calls wait for it, it is one. */
  #coming: Promise<Module> | undefined;
  readonly #create: () => Promise<Module>;

  private constructor(create: () => Promise<Module>, first: Module) {
    this.#create = create;
    this.#module = first;
  }

  static async start<Module>(create: () => Promise<Module>): Promise<Instance<Module>> {
    return new Instance(create, await create());
  }

  async call<Answer>(work: (module: Module) => Answer): Promise<Answer> {
    // A caller deep down in its own stack leaves no room to start one: after a pause it is empty.
    // eslint-disable-next-line @typescript-eslint/await-thenable -- the pause itself is wanted, no call that could fail
    if (this.#module === undefined) await undefined;
    const module = this.#module ?? (await this.#next());
    let problem: unknown;
    try {
      return work(module);
    } catch (caught) {
      // At once, and without a call: whoever ran out of stack has no room for one.
      this.#module = undefined;
      problem = caught;
    }
    // From here on the stack is empty again.
    // eslint-disable-next-line @typescript-eslint/await-thenable -- as above
    await undefined;
    if (trapped(problem)) throw new Stopped(problem);
    this.#module ??= module;
    throw problem;
  }

  #next(): Promise<Module> {
    this.#coming ??= this.#create().then((module) => (this.#module = module)).finally(() => (this.#coming = undefined));
    return this.#coming;
  }
}
