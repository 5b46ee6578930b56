// SPDX-License-Identifier: Apache-2.0
// What the diagram says: the names of its parts, what stands below them, what a reader who listens hears.
import { naming } from '../directory/naming.ts';
import type { ModuleEntry, TensorRole } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { nameFromOne } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { LETTERS } from './drawing.ts';
import { type Edge, type Graph, type Node, pictureOf } from './graph.ts';
import { words } from './words.ts';

const MOST_HELD = 3;

export class Told {
  /** `wired`: of a model, whose modules make features of what comes in. */
  constructor(private readonly book: Book, private readonly wired = false,
    private readonly modules: readonly ModuleEntry[] = []) {}

  /** What a module is, in the catalogue's words. */
  titled({ type }: ModuleEntry): string {
    return this.book.named(type)?.title ?? type;
  }

  // What a module is for: the slot of another that it fills, or else what it is.
  private purpose(module: ModuleEntry): string {
    const { parent, path = '' } = module;
    const around = this.modules.find(({ name }) => name !== '' && name === parent);
    const slots = around && this.book.named(around.type)?.slots;
    return slots?.find(({ name }) => path.endsWith(`/${name}`))?.title ?? this.titled(module);
  }

  /** Without the name of what it stands in, where that is said around it. */
  short({ name }: ModuleEntry, inside?: string): string {
    return nameFromOne(inside && name.startsWith(`${inside}.`) ? name.slice(inside.length + 1) : name)
      .replaceAll('-', ' ');
  }

  called(node: Node): string {
    const { kind, module, tensors, frame } = node;
    if (kind === 'input' && this.wired) return strings.input(tensors[0]!.name);
    if (kind !== 'module') return naming(tensors[0]!).short;
    // Of a module that works before and after others, each part is called by what it gives.
    const picture = frame === module!.name ? pictureOf(node) : undefined;
    if (picture) {
      // Of what an attention inside gives, which one's it is.
      const general = this.book.member({})?.id;
      const inner = node.holds.find(({ type }) => type === general);
      const name = naming(picture).short;
      return inner && picture.role === 'weights' ? `${name}: ${this.short(inner, inner.parent)}` : name;
    }
    return module!.name === '' ? this.titled(module!) : this.short(module!, frame);
  }

  /** Further lines: what a module is and what stands inside it, which parameters have a part in a matrix. */
  under({ kind, module, parameters, frame, holds }: Node): string[] {
    if (kind !== 'module') {
      const names = parameters.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
      return names.length > 0 ? [names.join(', ')] : [];
    }
    const what = module!.name === '' ? [strings.structure.together]
      : frame === module!.name ? [] : [this.purpose(module!)];
    return [...what, ...holds.slice(0, MOST_HELD).map((one) => `${this.short(one, one.parent)}: ${this.titled(one)}`)];
  }

  /** What is said in a box in place of wires that lead to it. */
  said(node: Node, { nodes, edges }: Graph): { role: TensorRole; text: string }[] {
    return edges.filter(({ to, said }) => said && to === node.id).map(({ from, roles }) => ({ role: roles[0]!,
      text: `${roles.map((role) => LETTERS[role] ?? '').join('')} ${words().from} ${
        this.called(nodes.find(({ id }) => id === from)!)}` }));
  }

  /** What goes along a wire. */
  carried({ from, to, roles }: Edge, { nodes }: Graph): string {
    const name = (id: string) => this.called(nodes.find((one) => one.id === id)!);
    const what = roles.map((role) => strings.tensors[role] ?? role);
    return what.length > 0 ? words().wireAs(name(from), name(to), what) : words().wire(name(from), name(to));
  }

  /** A box with all that leads to it and away from it. */
  says(node: Node, graph: Graph): string {
    const { nodes, edges } = graph;
    const name = (id: string) => this.called(nodes.find((one) => one.id === id)!);
    const before = edges.filter(({ to }) => to === node.id).map(({ from }) => name(from));
    const after = edges.filter(({ from }) => from === node.id).map(({ to }) => name(to));
    const { takes, gives } = strings.structure;
    // First of all what is seen, as it is seen.
    const seen = [this.called(node), ...this.under(node), ...this.said(node, graph).map(({ text }) => text)];
    const said = [seen.join(' '), before.length ? takes(before) : '',
      after.length ? gives(after) : '', pictureOf(node)?.shape.join(' × ') ?? ''];
    return said.filter(Boolean).join(strings.comma);
  }
}
