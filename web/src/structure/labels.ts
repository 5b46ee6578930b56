// SPDX-License-Identifier: Apache-2.0
import '../strings/en-flow.ts';
// What the diagram says: the names of its parts, what stands below them, what a reader who listens hears.
import { naming } from '../directory/naming.ts';
import type { ModuleEntry, TensorRole } from '../engine/types.ts';
import { grouped } from '../lists.ts';
import type { Book } from '../state/catalogue.ts';
import { moduleCalled } from '../strings/counted.ts';
import { strings } from '../strings/en.ts';
import { LETTERS } from './drawing.ts';
import { type Edge, type Graph, type Node, pictureOf } from './graph.ts';
import { words } from './words.ts';

const MOST_HELD = 3;

/** One of these serves as long as the modules and the words are the same: a diagram asks for a name again and again. */
export class Told {
  private readonly names = new WeakMap<Node, string>();
  private readonly alike = new WeakMap<Graph, ReadonlyMap<string, number>>();

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
    // Whole names only: which numbers are the engine's is seen by what precedes them.
    const [whole, around] = [moduleCalled(name), moduleCalled(inside ?? '')];
    return around !== '' && whole.startsWith(`${around}.`) ? whole.slice(around.length + 1) : whole;
  }

  // What a part of a module gives, if the module works before and after others.
  private given(node: Node): string | undefined {
    const { module, frame, split } = node;
    const picture = split || frame === module?.name ? pictureOf(node) : undefined;
    if (!picture) return undefined;
    return naming(picture).short;
  }

  // Whose weights they are: of an attention inside that shows none of its own, or of the module.
  private giver({ module, holds, tensors }: Node): ModuleEntry {
    const general = this.book.member({})?.id;
    const inner = holds.find(({ type }) => type === general);
    return inner && tensors.some(({ role }) => role === 'weights') ? inner : module!;
  }

  called(node: Node): string {
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const name = this.nameOf(node);
    this.names.set(node, name);
    return name;
  }

  private nameOf(node: Node): string {
    const { kind, module, tensors, frame } = node;
    if (kind === 'input' && this.wired) return strings.input(tensors[0]!.name);
    if (kind !== 'module') return naming(tensors[0]!).short;
    const given = this.given(node);
    const name = (one: ModuleEntry, inside?: string) => (one.name === '' ? this.titled(one) : this.short(one, inside));
    return given === undefined ? name(module!, frame) : words().of(given, name(this.giver(node)));
  }

  /** Outside of its frame: with the name of what it stands in, if another part of the diagram is called alike. */
  whole(node: Node, graph: Graph): string {
    const name = this.called(node);
    const around = this.count(graph, name) > 1 ? this.modules.find((one) => one.name === node.frame) : undefined;
    return around && around.name !== node.module?.name ? words().of(name, this.short(around)) : name;
  }

  // How many parts of the diagram are called so.
  private count(graph: Graph, name: string): number {
    let counts = this.alike.get(graph);
    if (!counts) {
      const all = grouped(graph.nodes, (node) => this.called(node));
      counts = new Map([...all].map(([called, nodes]) => [called, nodes.length]));
      this.alike.set(graph, counts);
    }
    return counts.get(name) ?? 0;
  }

  /** Where there is room for a few letters: a part of a module that works before and after others has its name. */
  brief(node: Node, graph: Graph): string {
    const name = this.called(node);
    return (this.given(node) === undefined && this.whole(node, graph) === name) || !node.module?.name ? name
      : this.short(node.module);
  }

  /** Further lines: what a module is and what stands inside it, which parameters have a part in a matrix. */
  under({ kind, module, parameters, frame, holds }: Node): string[] {
    if (kind !== 'module') {
      const names = parameters.map(({ name }) => name.slice(name.lastIndexOf('.') + 1));
      return names.length > 0 ? [names.join(', ')] : [];
    }
    const what = module!.name === '' ? [strings.structure.together]
      : [frame === module!.name ? this.titled(module!) : this.purpose(module!)];
    return [...what, ...holds.slice(0, MOST_HELD).map((one) => `${this.short(one, one.parent)}: ${this.titled(one)}`)];
  }

  /** What is said in a box in place of wires that lead to it. */
  said(node: Node, graph: Graph): { role: TensorRole; text: string }[] {
    const { nodes, edges } = graph;
    return edges.filter(({ to, said }) => said && to === node.id).map(({ from, roles }) => ({ role: roles[0]!,
      text: `${roles.map((role) => LETTERS[role] ?? '').join('')} ${words().from} ${
        this.whole(nodes.find(({ id }) => id === from)!, graph)}` }));
  }

  /** What goes along a wire. */
  carried({ from, to, roles }: Edge, graph: Graph): string {
    const name = (id: string) => this.whole(graph.nodes.find((one) => one.id === id)!, graph);
    const what = roles.map((role) => strings.tensors[role] ?? role);
    return what.length > 0 ? words().wireAs(name(from), name(to), what) : words().wire(name(from), name(to));
  }

  /** A box with all that leads to it and away from it. */
  says(node: Node, graph: Graph): string {
    const { nodes, edges } = graph;
    const name = (id: string) => this.whole(nodes.find((one) => one.id === id)!, graph);
    const before = edges.filter(({ to }) => to === node.id).map(({ from }) => name(from));
    const after = edges.filter(({ from }) => from === node.id).map(({ to }) => name(to));
    const { takes, gives } = strings.structure;
    // First of all what is seen, as it is seen.
    const [own, whole] = [this.called(node), this.whole(node, graph)];
    const seen = [own, ...this.under(node), ...this.said(node, graph).map(({ text }) => text)];
    const said = [seen.join(' '), whole === own ? '' : whole, before.length ? takes(before) : '',
      after.length ? gives(after) : '', pictureOf(node)?.shape.join(' × ') ?? ''];
    return said.filter(Boolean).join(strings.comma);
  }
}
