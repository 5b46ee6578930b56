// SPDX-License-Identifier: Apache-2.0

// Milliseconds between two drawings of what is read: nobody reads numbers that change more often.
const BEAT = 100;

/**
 * The beat of what is read rather than seen. While answers follow one another quickly, as under a slider that is moved,
 * each answer is drawn in the pictures, and sentences, tables and formulas follow ten times a second.
 */
export class Beat {
  private drawn = Number.NEGATIVE_INFINITY;
  private next: Promise<void> | undefined;

  /** Settles when what is read may be drawn; nothing if that is now. */
  get pending(): Promise<void> | undefined {
    return this.next;
  }

  /** An answer has come. */
  answered(): void {
    if (this.next) return;
    const left = this.drawn + BEAT - performance.now();
    if (left > 0) this.next = new Promise<void>((resolve) => setTimeout(resolve, left)).then(() => this.begin());
    else this.begin();
  }

  private begin(): void {
    this.next = undefined;
    this.drawn = performance.now();
  }
}
