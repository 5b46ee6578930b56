// SPDX-License-Identifier: Apache-2.0
// Folders that somebody drops: the files of the one model in them.
import { append } from '../lists.ts';
import { kindOf, POOLING } from './kinds.ts';
import { pairIn } from './reading.ts';

// Folders may be inside one another as in the cache of Hugging Face: hub, model, snapshots, commit.
const DEEPEST = 4;
/** Files and folders that are listed at most: whoever drops their home folder by mistake does not wait for long. */
export const MOST = 5000;
// So many folders a message names.
const NAMED = 6;

/** Why folders give no model: a key of the page's words, and the folders that it names. */
export interface FolderProblem {
  kind: 'none' | 'several' | 'many' | 'unreadable';
  folders: string[];
}

class Stop extends Error {
  constructor(readonly kind: FolderProblem['kind'], readonly folders: string[]) {
    super(kind);
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
// Systems and programs keep notes of their own there, some of them under the names of the files beside.
const isHidden = ({ name }: FileSystemEntry): boolean => name.startsWith('.');
const hasWeights = ({ name }: { name: string }): boolean => kindOf(name) === 'weights';
const isReadable = ({ name }: FileSystemEntry): boolean => kindOf(name) !== 'other' || /\.json$/i.test(name);

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))
    .catch(() => { throw new Stop('unreadable', [entry.name]); }) as Promise<File>;

// A browser gives so many entries at once, and none at the end.
async function listed(folder: FileSystemDirectoryEntry, room: number): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      .catch(() => { throw new Stop('unreadable', [folder.name]); });
    if (some.length === 0) return all.filter((entry) => !isHidden(entry));
    append(all, some);
    if (all.length > room) throw new Stop('many', [folder.name]);
  }
}

// The folder with weights that is nearest to those dropped. What lies deeper are other forms of the model, or what its
// training kept. `optional`: there may be none.
async function modelFolder(dropped: readonly FileSystemDirectoryEntry[],
  optional: boolean): Promise<FileSystemEntry[]> {
  let level = dropped, room = MOST;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const contents: FileSystemEntry[][] = [];
    for (const folder of level) {
      const inside = await listed(folder, room);
      room -= inside.length;
      contents.push(inside);
    }
    const models = level.filter((_, k) => contents[k]!.filter(isFile).some(hasWeights));
    if (models.length > 1) throw new Stop('several', models.slice(0, NAMED).map(({ name }) => name));
    if (models.length === 1) return contents[level.indexOf(models[0]!)]!;
    level = contents.flat().filter(isFolder);
  }
  if (optional) return [];
  throw new Stop('none', dropped.map(({ name }) => name));
}

// The settings of sentence-transformers, in a folder beside the weights.
async function pooling(inside: readonly FileSystemEntry[]): Promise<File[]> {
  const folder = inside.filter(isFolder).find(({ name }) => POOLING.startsWith(`${name}/`));
  if (!folder) return [];
  const settings = (await listed(folder, MOST)).filter(isFile).filter(({ name }) => name === 'config.json');
  return Promise.all(settings.map(async (entry) => new File([await fileOf(entry)], POOLING)));
}

/**
 * The files of the one model among what was dropped. Files that lie in a folder beside a model and that no reader knows
 * are left out, as `attend import` does; which of the others are read is chosen as for files that are dropped.
 */
export async function modelIn(entries: readonly FileSystemEntry[]): Promise<File[] | FolderProblem> {
  try {
    const beside = await Promise.all(entries.filter(isFile).map(fileOf));
    const inside = await modelFolder(entries.filter(isFolder), beside.some(hasWeights));
    const readable = inside.filter(isFile).filter(isReadable);
    const files = [...await Promise.all(readable.map(fileOf)), ...await pooling(inside)];
    // A document that was saved with its weights may have any name.
    const known = await pairIn(files) ? files : files.filter(({ name }) => kindOf(name) !== 'other');
    // What is dropped beside a folder takes the place of what the folder has by the same name.
    const others = known.filter(({ name }) => !beside.some((one) => one.name === name));
    return [...beside, ...others.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
  } catch (problem) {
    if (problem instanceof Stop) return { kind: problem.kind, folders: problem.folders };
    throw problem;
  }
}
