// SPDX-License-Identifier: Apache-2.0
// A document as code that grows, written in a worker of its own: it records the document at some twenty lengths.
import { heldWeights } from '../engine/kept.ts';
import type { Line } from '../engine/line.ts';
import { weightsOf } from '../engine/weights-of.ts';
import type { News, Order } from '../train/messages.ts';
import type { Book } from '../state/catalogue.ts';
import { headingOf } from '../library/heading.ts';
import { own } from '../strings/engine.ts';

/** `train`: the script that trains the PyTorch module. */
export type Form = 'pytorch' | 'numpy' | 'train';

export interface Written {
  code?: string;
  /** Of a module: its weights as a file (safetensors). */
  weights?: Uint8Array;
  /** Why there is no such code. */
  refused?: string;
  /** Why nothing could be asked: the files of the worker did not load, or it crashed. */
  lost?: string;
}

/** Title, formula and source of every mechanism that the document may name, by its id, in the engine's words. */
export function headingsOf(document: string, book: Book): string {
  const general = book.member({})?.id;
  const named = book.catalogue.mechanisms.filter(({ id }) => id === general || document.includes(`"${id}"`));
  // The first of an id is the one that counts.
  return JSON.stringify(Object.fromEntries(named.toReversed().map((mechanism) =>
    [mechanism.id, JSON.parse(headingOf({ ...mechanism, ...own(mechanism) })) as object])));
}

/** Asks for it; `stop` gives up. */
export function writeModule(document: string, form: Form, headings: string):
    { written: Promise<Written>; stop(): void } {
  let line: Line<Order> | undefined;
  let stopped = false;
  const stop = () => {
    stopped = true;
    line?.close();
  };
  const written = (async (): Promise<Written> => {
    const [{ openAlone, engineAt }, { filesBeside }] =
      await Promise.all([import('../train/open.ts'), import('../engine/load.ts')]);
    if (stopped) return {};
    return new Promise((resolve) => {
      const end = (found: Written) => {
        stop();
        resolve(found);
      };
      line = openAlone((news: News) => {
        if (news.kind === 'refused') end({ refused: news.problem.message });
        if (news.kind !== 'module') return;
        const { code, error } = JSON.parse(news.text) as { code?: string; error?: { message: string } };
        end(error ? { refused: error.message }
          : { code: code!, ...(news.weights.length > 0 ? { weights: news.weights } : {}) });
      }, ({ message }) => end({ lost: message }));
      const held = weightsOf(document).flatMap((name) => {
        const bytes = heldWeights(name);
        return bytes ? [{ name, bytes }] : [];
      });
      line.send({ kind: 'module', document, form, headings, wasmUrl: engineAt(), ...filesBeside(), held });
    });
  })().catch((problem: unknown) => ({ lost: problem instanceof Error ? problem.message : String(problem) }));
  return { written, stop };
}
