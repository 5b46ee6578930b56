// SPDX-License-Identifier: Apache-2.0
// Layers of a model that are changed together: the choice, and which layers a change at a control reaches.
import { html, nothing } from 'lit';
import { get } from '../engine/pointer.ts';
import type { Doc } from '../engine/types.ts';
import { layersAt, layersOf, samePart } from '../state/layers.ts';
import type { Member } from '../state/model.ts';
import type { Store } from '../state/store.ts';
import { moduleCalled } from '../strings/counted.ts';
import { words } from './knob-words.ts';

// A model may repeat so many parts that their names say nothing.
const NAMED = 2;

/** How many layers there are, how many have this part, and how many have it as the first one does. */
export interface Reach {
  layers: number;
  follow: number;
  same: number;
}

/** Undefined where the module of this part does not repeat. */
export function reachOf(document: Doc, path: string): Reach | undefined {
  const layers = layersAt(document, path);
  if (!layers) return undefined;
  const paths = samePart(document, path);
  // Of a whole layer everything counts but what makes it this layer: its name and what it reads.
  const said = (at: string) => {
    const value = get(document, at);
    if (!layers.some((layer) => layer.path === at)) return JSON.stringify(value);
    return JSON.stringify({ ...value as object, name: undefined, inputs: undefined });
  };
  const first = said(path);
  return { layers: layers.length, follow: paths.length, same: paths.filter((at) => said(at) === first).length };
}

/** What the layers of this module are called, while they are changed together. */
export function layersCalled(store: Store, path: string): string | undefined {
  const layers = store.view.together ? layersAt(store.documents.document, path) : undefined;
  return layers && words().layersFrom(moduleCalled(layers[0]!.name), moduleCalled(layers.at(-1)!.name));
}

/** Beside a control whose change does not reach all layers, or that layers have differently; of a layer always. */
export function layersSaid(store: Store, path: string, kind: string): unknown {
  const { document } = store.documents;
  const reach = store.view.together ? reachOf(document, path) : undefined;
  if (!reach) return nothing;
  const { layers, follow, same } = reach;
  const whole = layersAt(document, path)!.some((layer) => layer.path === path);
  if (!whole && same === layers) return nothing;
  return html`<p class=${kind} data-part="layers" data-follow=${follow} data-same=${same}>${
    same === layers ? words().layersSame(layers) : same < follow ? words().layersDiffer(same, layers)
      : words().layersFollow(follow, layers)}</p>`;
}

/** The choice to change layers together; nothing where no module repeats. */
export function layersChoice(store: Store, members: readonly Member[]): unknown {
  const layers = layersOf(members);
  if (layers.length === 0) return nothing;
  const called = layers.map((stack) => words().layersFrom(moduleCalled(stack.members[0]!.name),
    moduleCalled(stack.members.at(-1)!.name)));
  return html`<section data-part="together"><label><input type="checkbox" .checked=${store.view.together}
    @change=${(e: Event) => store.view.show({ together: (e.target as HTMLInputElement).checked })} />
    ${words().together}</label><p class="note">${
      words().togetherWhy(called.length > NAMED ? [...called.slice(0, NAMED), '…'] : called)}</p></section>`;
}
