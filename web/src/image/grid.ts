// SPDX-License-Identifier: Apache-2.0
// Which rows and columns of a map are places of an image: followed from the ports that read images along the wires.
import type { Result, Tensor } from '../engine/result.ts';
import type { ModuleEntry } from '../engine/types.ts';
import { axisOf, typed } from '../directory/typed.ts';
import type { Book } from '../state/catalogue.ts';
import { readsImage, shapesOf } from '../state/image-ports.ts';

/** An axis that runs over an image, row by row. */
export interface Grid {
  /** The image: an input of the document. */
  input: string;
  rows: number;
  cols: number;
  /** Rows in front that are no place of the image, such as one that sums it up. */
  extra: number;
}

/** An image somewhere in the computation, with the grids that it was seen in. */
interface Base {
  input: string;
  sizes: [rows: number, cols: number][];
}

interface Port {
  symbols: string[];
  base: Base | undefined;
}

function match({ input, sizes }: Base, count: number): Grid | undefined {
  for (const extra of [0, 1]) {
    for (const [rows, cols] of sizes)
      if (rows * cols === count - extra && rows * cols > 1) return { input, rows, cols, extra };
  }
  return undefined;
}

// As it is, and cut into squares of every side that divides it.
function cuts(rows: number, cols: number): [number, number][] {
  const sides = Array.from({ length: Math.min(rows, cols) }, (_, k) => k + 1)
    .filter((side) => rows % side === 0 && cols % side === 0);
  return sides.map((side) => [rows / side, cols / side]);
}

export class Grids {
  private readonly modules: readonly ModuleEntry[];
  private readonly made = new Map<string, Base | undefined>();

  constructor(private readonly book: Book, private readonly result: Result) {
    this.modules = result.directory.modules ?? [];
  }

  // The module of this name, or the nearest one around it that is wired.
  private wired(name: string): ModuleEntry | undefined {
    for (let at = name; ; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
      const found = this.modules.find((one) => one.name === at && Object.keys(one.inputs).length > 0);
      if (found || at === '') return found;
    }
  }

  private ports(module: ModuleEntry): Port[] {
    const roles = this.book.named(module.type)?.roles ?? [];
    return Object.entries(module.inputs).map(([name, source]) => {
      const role = roles.find((one) => one.name === name);
      const input = this.result.whole(source, 'inputs');
      const symbols = role ? shapesOf(role).map(([first]) => first ?? '') : [];
      if (!input) return { symbols, base: this.after(source, module) };
      const [rows, cols] = input.shape;
      return { symbols, base: role && readsImage(role) && rows && cols ? { input: source, sizes: cuts(rows, cols) }
        : undefined };
    });
  }

  // What a module hands on runs over the image if all that it reads does, or what asks in it.
  private after(source: string, reader: ModuleEntry): Base | undefined {
    const name = this.modules.filter((one) =>
      one !== reader && (source === one.name || source.startsWith(`${one.name}.`)))
      .toSorted((a, b) => b.name.length - a.name.length)[0]?.name;
    if (name === undefined) return undefined;
    if (!this.made.has(name)) {
      this.made.set(name, undefined);
      this.made.set(name, this.make(name));
    }
    return this.made.get(name);
  }

  private make(name: string): Base | undefined {
    const module = this.wired(name);
    const ports = module ? this.ports(module) : [];
    const base = ports.length === 1 ? ports[0]!.base
      : ports.find(({ base, symbols }) => base && symbols.some((one) => one.startsWith('H')))?.base;
    if (!base) return undefined;
    const own = this.result.all('outputs').filter(({ within }) => within === name)
      .flatMap((tensor): [number, number][] => {
      const [down, across] = [axisOf(typed(tensor), 'height'), axisOf(typed(tensor), 'width')];
      return down >= 0 && across >= 0 ? [[tensor.shape[down]!, tensor.shape[across]!]] : [];
    });
    return { input: base.input, sizes: [...own, ...base.sizes] };
  }

  /** The grid of an axis of queries or keys; none where it runs over words, time, or what was learned. */
  along(tensor: Tensor, axis: number): Grid | undefined {
    const { dimensions } = typed(tensor);
    const dimension = dimensions[axis];
    if (!dimension || dimension.time || dimension.labels !== undefined
      || (dimension.role !== 'query' && dimension.role !== 'key')) return undefined;
    const module = this.wired(tensor.within ?? '');
    if (!module) return undefined;
    const ports = this.ports(module);
    const symbol = tensor.axes[axis] ?? '';
    const bases = [...new Map(ports.filter(({ base }) => base).map(({ base }) => [base!.input, base!])).values()];
    const named = ports.filter(({ symbols }) => symbols.includes(symbol));
    if (named.length > 0) return named[0]!.base && match(named[0]!.base, tensor.shape[axis]!);
    // Who asks without a port of its own is the image only where as many ask as are asked.
    const key = axisOf({ dimensions }, 'key');
    if (bases.length === 0 || (dimension.role === 'query' && key >= 0 && tensor.shape[key] !== tensor.shape[axis]))
      return undefined;
    return match(bases[0]!, tensor.shape[axis]!);
  }

  /** Where keys come in by several ports, each from an image of its own: the grids, port by port. */
  each(tensor: Tensor, axis: number): Grid[] {
    const module = this.wired(tensor.within ?? '');
    const named = module ? this.ports(module).filter(({ symbols }) => symbols.includes(tensor.axes[axis] ?? '')) : [];
    const found = named.map(({ base }) => base && match(base, tensor.shape[axis]!)).filter((one) => one !== undefined);
    return found.length === named.length && new Set(found.map(({ input }) => input)).size === found.length ? found : [];
  }

  /** The image that a module reads, for results that have its height and width themselves. */
  imageOf(within: string): string | undefined {
    const module = this.wired(within);
    return module && this.ports(module).find(({ base }) => base)?.base?.input;
  }
}
