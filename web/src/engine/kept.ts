// SPDX-License-Identifier: Apache-2.0
// The browser's own database: trainings under way, and the weights that a reader trained or brought. Page and worker
// see the same.
import { bytesOfFile, outside, type WeightsData } from '../files/data.ts';

const NAME = 'attention-playground';
const STORE = 'trainings';
const WEIGHTS = 'weights:';

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
}

/** Private windows and sandboxed frames have no database: there nothing is found, and nothing kept. */
export async function within<T>(mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const database = await opened();
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      // A disk that is full is known at the end: the request itself succeeded.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('not stored'));
    }).finally(() => database.close());
  } catch {
    return undefined;
  }
}

// What the page holds without a database, too: what came with a link, and what a private window trained.
const held = new Map<string, WeightsData>();

/** Holds a file of weights as long as the page is open. */
export const holdWeights = (name: string, file: WeightsData): void => void held.set(name, outside(file));

export const heldWeights = (name: string): WeightsData | undefined => held.get(name);

/** Keeps a file of weights under the name by which documents ask for it; whether it outlives the page. */
export async function keepWeights(name: string, file: WeightsData): Promise<boolean> {
  holdWeights(name, file);
  const given = held.get(name);
  if (await within('readwrite', (store) => store.put(given, WEIGHTS + name)) === undefined) return false;
  // A blob may be made of the reader's own files, which can change; the database's copy does not.
  const own = given instanceof Blob ? await fromDatabase(name) : undefined;
  if (own && held.get(name) === given) held.set(name, own);
  return true;
}

const fromDatabase = (name: string): Promise<WeightsData | undefined> =>
  within('readonly', (store) => store.get(WEIGHTS + name) as IDBRequest<WeightsData | undefined>);

export const keptFile = async (name: string): Promise<WeightsData | undefined> =>
  held.get(name) ?? fromDatabase(name);

/** All bytes of a file that is kept. */
export async function keptWeights(name: string): Promise<Uint8Array | undefined> {
  const file = await keptFile(name);
  return file && bytesOfFile(file);
}
