// SPDX-License-Identifier: Apache-2.0

/**
 * How large a canvas lies on the page: measured where it is new, then told. To ask at each picture would make the
 * browser lay out the page.
 */
export class Room {
  private canvas: HTMLCanvasElement | undefined;
  private size = { width: 0, height: 0 };
  private readonly watcher: ResizeObserver;

  constructor(changed: () => void) {
    this.watcher = new ResizeObserver(([entry]) => {
      const [box] = entry?.borderBoxSize ?? [];
      const [width, height] = [box?.inlineSize ?? 0, box?.blockSize ?? 0];
      if (width === this.size.width && height === this.size.height) return;
      this.size = { width, height };
      changed();
    });
  }

  of(canvas: HTMLCanvasElement): { width: number; height: number } {
    if (canvas !== this.canvas) {
      this.canvas = canvas;
      this.size = canvas.getBoundingClientRect();
      this.watcher.disconnect();
      this.watcher.observe(canvas);
    }
    return this.size;
  }
}
