// SPDX-License-Identifier: Apache-2.0
// The browser's own database: trainings under way, and the weights that a reader trained or brought. Page and worker
// see the same.

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
      const request = work(database.transaction(STORE, mode).objectStore(STORE));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('not stored'));
    }).finally(() => database.close());
  } catch {
    return undefined;
  }
}

/** Keeps a file of weights under the name by which documents ask for it; whether that was possible. */
export const keepWeights = async (name: string, bytes: Uint8Array): Promise<boolean> =>
  (await within('readwrite', (store) => store.put(bytes, WEIGHTS + name))) !== undefined;

export const keptWeights = (name: string): Promise<Uint8Array | undefined> =>
  within('readonly', (store) => store.get(WEIGHTS + name) as IDBRequest<Uint8Array | undefined>);
