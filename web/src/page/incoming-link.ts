// SPDX-License-Identifier: Apache-2.0
import { whilePending } from '../lazy-fetch.ts';
import { type Given, together } from '../bring/catch.ts';
import type { Json } from '../engine/types.ts';
import { stepped } from '../shell/messages.ts';
import { arrivals, folders, links, modelReader, models, moments } from './lazy-parts.ts';
import type { Landed } from '../state/incoming-weights.ts';
import { type Decoded, parse } from '../state/parse.ts';
import { keepText, recalled } from '../engine/stored.ts';

/** What came from outside: a document, with its weights where it finds them, or why there is none. */
export type Received = Landed | Extract<Decoded, { problem: string }> | LessonAt;

/** The address of a lesson, or of one of its steps, which count from 1: #lesson=ID&step=N. */
export interface LessonAt {
  lesson: string;
  step: number;
  /** The lesson itself, where it does not come with the page. */
  packed?: string;
}

const PACKED = /^#?lesson=(1\.[\w-]+)(?:&step=(\d{1,4}))?/;
const LESSON = /^#?lesson=([^&]{0,80})(?:&step=(\d{1,4}))?/;

/** Takes in what `parse` or `decode` read, and leaves out a lecture that is none. */
export const landed = async (decoded: Decoded, keeps: boolean): Promise<Received> =>
  ('problem' in decoded || !(decoded.weights || decoded.lecture) ? decoded
    : whilePending(arrivals().then(({ land }) => land(decoded, keeps))));

/** Reads a document's JSON, or what stands behind the # of a link. `keeps`: its weights outlive the page. */
export const received = async (text: string, keeps: boolean): Promise<Received> => {
  const packed = PACKED.exec(text);
  if (packed) return { lesson: '', step: Number(packed[2] ?? 1), packed: packed[1]! };
  const asked = LESSON.exec(text);
  if (asked) return { lesson: asked[1]!.replace(/\W+$/, ''), step: Number(asked[2] ?? 1) };
  return landed(text.trimStart().startsWith('{') ? parse(text) : (await links.fetch()).decode(text), keeps);
};

/** Where a lecture that came with a file or a link is kept while it is shown: a reload comes back to it. */
export const SHOWN = 'attention-playground.lecture-shown';

/** What the address says, or the lecture that was shown when the reader loaded the page again. */
export function addressed(): string | undefined {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const shown = visit?.type === 'reload' ? recalled(SHOWN, 'sessionStorage') : undefined;
  keepText(SHOWN, undefined, 'sessionStorage');
  return shown ?? (location.hash.length > 1 ? location.hash : (history.state as { link?: string } | null)?.link);
}

/** Shows the steps between the moments of a lecture above what the embed shows. */
export async function step(embed: { store: object; requestUpdate(): void }, lecture: Json | undefined): Promise<void> {
  if (lecture === undefined) stepped.delete(embed.store);
  else stepped.set(embed.store, lecture);
  if (lecture !== undefined) await whilePending(moments());
  embed.requestUpdate();
}

// Of folders the files of the model in them.
async function unpacked(given?: Given): Promise<Given | undefined> {
  if (!given?.entries) return given;
  const { modelIn } = await folders();
  const found = await modelIn(given.entries);
  return 'kind' in found ? { problem: found } : together(found);
}

/** Where what somebody dropped or pasted goes: the files of a model have a dialog of their own. */
export async function dialogFor(dropped?: Given): Promise<['model' | 'bring', Given | undefined]> {
  const given = await whilePending(unpacked(dropped));
  if (given?.problem) return ['model', given];
  const files = given?.files ?? (given?.file ? [given.file] : []);
  if (files.length === 0) return ['bring', given];
  if (!(await whilePending(models().then(({ areModel }) => areModel(files))))) return ['bring', given];
  // Whoever drops a large file waits for it: its reader starts while the dialog is on its way.
  void modelReader().then(({ warmModels }) => warmModels(), () => undefined);
  return ['model', given];
}
