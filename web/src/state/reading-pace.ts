// SPDX-License-Identifier: Apache-2.0

// Milliseconds between two drawings of what is read: nobody reads numbers that change more often.
const BEAT = 100;

/**
 * The beat of what is read rather than seen. While a slider or the pointer is moved, each change is drawn in the
 * pictures, and sentences, tables and formulas follow ten times a second.
 */
export class Beat {
  private drawn = Number.NEGATIVE_INFINITY;
  private next: Promise<void> | undefined;

  /** Settles when what is read may be drawn; nothing if that is now. */
  get pending(): Promise<void> | undefined {
    return this.next;
  }

  /** Other numbers have come, or another cell is pointed at. */
  changed(): void {
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
