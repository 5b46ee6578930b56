// SPDX-License-Identifier: Apache-2.0
// Which options of an axis the engine can train in a document, found by asking it.
import type { Client } from '../engine/client.ts';
import type { Doc } from '../engine/types.ts';
import type { Book } from '../state/catalogue.ts';
import { refusalOf } from '../state/try-choice.ts';
import { alternatives } from '../state/fitting-choice.ts';
import { placeOf } from '../state/proposals.ts';
import type { Axis, Option } from './axes.ts';
import type { TrainingDocument } from './messages.ts';

export interface Able {
  /** The option as it can be trained: as it is, or inside of what maps a query's width to a key's. */
  option: Option | undefined;
  /** Why it cannot, in the engine's words. */
  refusal: string | undefined;
}

// Finished weights do not fit another model, and what is learned later is nothing to be refused for now.
function untrained(document: TrainingDocument): Doc {
  const copy = structuredClone(document) as unknown as Doc & Record<string, unknown>;
  delete copy['training'];
  delete copy['parameters'];
  return copy;
}

/** `document`: with the inputs and words that its task gives it. */
export async function ableOf(client: Client, book: Book, document: TrainingDocument, axis: Axis,
  option: Option): Promise<Able> {
  const tried = async (apply: Option['apply']) => {
    const copy = structuredClone(document);
    apply(copy);
    return refusalOf(client, untrained(copy));
  };
  const refusal = await tried(option.apply);
  if (refusal === undefined) return { option, refusal };
  const around = axis.slot ? alternatives(placeOf(book, axis.slot, axis.path), option.id) : [];
  for (const { title, maps, put } of around) {
    const apply: Option['apply'] = (draft) => put(draft as unknown as Doc);
    if (maps && await tried(apply) === undefined)
      return { option: { id: option.id, label: `${title}: ${option.label}`, apply }, refusal: undefined };
  }
  return { option: undefined, refusal };
}

/** What was found of the options of a document's axes; asked of once, one after the other. */
export class Abilities {
  private of: TrainingDocument | undefined;
  private readonly found = new Map<string, Able>();
  private readonly asked = new Set<string>();

  constructor(private readonly client: Client, private readonly changed: () => void) {}

  private static key = ({ path }: Axis, { id }: Option): string => `${path} ${id}`;

  /** Undefined as long as it is not known. */
  able(axis: Axis, option: Option): Able | undefined {
    return this.found.get(Abilities.key(axis, option));
  }

  /** Asks for what is not known yet of these options. */
  async ask(book: Book, document: TrainingDocument, axis: Axis, options: readonly Option[]): Promise<void> {
    if (this.of !== document) {
      this.of = document;
      this.found.clear();
      this.asked.clear();
    }
    for (const option of options) {
      const key = Abilities.key(axis, option);
      if (this.asked.has(key)) continue;
      this.asked.add(key);
      const able = await ableOf(this.client, book, document, axis, option);
      if (this.of !== document) return;
      this.found.set(key, able);
      this.changed();
    }
  }
}
