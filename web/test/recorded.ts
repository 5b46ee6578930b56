// SPDX-License-Identifier: Apache-2.0
// A canvas that writes down what is drawn on it, for tests without a browser.
import { vi } from 'vitest';

/** A command in a line; pixels of an image as their count and a sum that depends on their order. */
export function recordedCanvas(commands: string[]): HTMLCanvasElement {
  const styles: Record<string, unknown> = {};
  const written = (value: unknown): string => (typeof value === 'number' ? String(Math.round(value * 100) / 100)
    : typeof value === 'string' ? value : (value as { pattern?: string } | null)?.pattern ?? '');
  const canvas = { width: 0, height: 0, style: {}, getContext: () => to };
  const own: Record<string, unknown> = {
    canvas,
    createPattern: () => ({ pattern: 'hatch', setTransform: () => undefined }),
    createImageData: (width: number, height: number) =>
      ({ width, height, data: new Uint8ClampedArray(4 * width * height) }),
    putImageData: ({ width, height, data }: ImageData) => {
      let sum = 0;
      for (let k = 0; k < 4 * width * height; k++) sum = (sum * 31 + data[k]!) >>> 0;
      commands.push(`putImageData ${width} × ${height}: ${sum}`);
    },
    drawImage: (_: unknown, ...numbers: number[]) => void commands.push(`drawImage ${numbers.map(written).join(' ')}`),
  };
  const to: object = new Proxy(own, {
    get: (held, name: string) => held[name] ?? ((...given: unknown[]) =>
      void commands.push(`${name} ${given.map(written).join(' ')}${/^(fill|stroke)/.test(name)
        ? ` ${written(styles[name.startsWith('fill') ? 'fillStyle' : 'strokeStyle'])}` : ''}`)),
    set: (_, name: string, value) => ((styles[name] = value), true),
  });
  return canvas as unknown as HTMLCanvasElement;
}

let now: string[] = [];
// A surface may be kept for the next picture, whose list it is then written down on.
const further = { push: (command: string) => now.push(command) } as string[];

/** Further surfaces that drawing needs are written down on this list, too. */
export function stubCanvases(commands: string[]): void {
  now = commands;
  vi.stubGlobal('document', { createElement: () => recordedCanvas(further) });
  vi.stubGlobal('DOMMatrix', class { scale() { return this; } });
}
