// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Beat } from '../src/state/reading-pace.ts';

describe('what is read follows a slider or the pointer ten times a second', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('draws the first change at once', () => {
    const beat = new Beat();
    beat.changed();
    expect(beat.pending).toBeUndefined();
  });

  it('draws changes that follow one another together, and the last of them without another change', async () => {
    const beat = new Beat();
    let drawn = 0;
    for (let at = 0; at < 300; at += 10) {
      beat.changed();
      if (!beat.pending) drawn++;
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(drawn).toBe(1);
    beat.changed();
    expect(beat.pending).toBeDefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(beat.pending).toBeUndefined();
  });

  it('draws a change after a rest at once again', async () => {
    const beat = new Beat();
    beat.changed();
    await vi.advanceTimersByTimeAsync(150);
    beat.changed();
    expect(beat.pending).toBeUndefined();
  });
});
