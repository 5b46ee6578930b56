// SPDX-License-Identifier: Apache-2.0
// Weights that the engine takes in while they are still being made: the one file of which a document is likely to ask.
import { PartReceiver } from '../files/file-parts.ts';
import { type Calling, handPart } from './hand-over.ts';

/** Holds one file at a time: the one that is coming, or one that came and that no document has asked for yet. */
export class WeightsAhead {
  private coming: { name: string; parts: PartReceiver } | undefined;
  private came: string | undefined;

  /**
   * Takes a file in. `before`: when the module has what it is being given; `room`: how many bytes it may take;
   * `begins`: called with the size of a file before its first part is taken.
   */
  async take(name: string, port: MessagePort, call: Calling, before: Promise<unknown>, room: number,
    begins: (size: number) => void): Promise<void> {
    await this.drop(this.came, call);
    await this.stop(call);
    const parts = new PartReceiver(port, async (part) => {
      // A module takes one file at a time.
      if (part.at === 0) await before;
      if (part.size > room) throw new RangeError('no room yet');
      if (part.at === 0) begins(part.size);
      await handPart(name, part, call);
      if (part.at + part.bytes.length === part.size) this.came = name;
    });
    this.coming = { name, parts };
    await parts.whole;
    if (this.coming?.parts === parts) await this.stop(call);
  }

  /** Whether a file is coming, or came and was not asked for yet. */
  get holds(): boolean {
    return this.coming !== undefined || this.came !== undefined;
  }

  /** Ends what is coming: half a file is none. */
  async stop(call: Calling): Promise<void> {
    const { coming } = this;
    this.coming = undefined;
    coming?.parts.end();
    if (coming && !await coming.parts.whole) await call((module) => module.forgetWeights?.(coming.name));
  }

  /** Drops a file of which no document will ask. */
  async drop(name: string | undefined, call: Calling): Promise<void> {
    if (name === undefined) return;
    if (this.coming?.name === name) await this.stop(call);
    if (this.came !== name) return;
    this.came = undefined;
    await call((module) => module.forgetWeights?.(name));
  }

  /** Whether the module has this file, for whoever gives it a file now. */
  async took(name: string, call: Calling): Promise<boolean> {
    if (this.coming?.name === name) await this.coming.parts.soon();
    await this.stop(call);
    if (this.came !== name) return false;
    this.came = undefined;
    return true;
  }

  /** The module was started anew. */
  forget(): void {
    this.coming?.parts.end();
    this.coming = this.came = undefined;
  }
}
