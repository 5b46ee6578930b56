// SPDX-License-Identifier: Apache-2.0
// A browser answers nobody while a task lasts. What is to be drawn may be very much, such as a model of twelve layers,
// so it is drawn in as many tasks as it takes.

/**
 * Milliseconds that a task draws before the rest waits for the next task. A task counts as long from 50 on, and the
 * last piece of work may take some of them.
 */
export const limit = { slice: 25 };
const waiting: (() => void)[] = [];
const task = new MessageChannel();
let began: number | undefined;
let printing = false;

task.port1.onmessage = () => {
  began = undefined;
  if (waiting.length === 0) return;
  // At least one, however little time a task has.
  late();
  do waiting.shift()!();
  while (waiting.length > 0 && !late());
};

function late(): boolean {
  if (began === undefined) {
    began = performance.now();
    task.port2.postMessage(undefined);
  }
  return performance.now() - began >= limit.slice;
}

// A printer gets no second picture: all that waits is drawn at once.
globalThis.addEventListener?.('beforeprint', () => {
  printing = true;
  while (waiting.length > 0) waiting.shift()!();
});
globalThis.addEventListener?.('afterprint', () => (printing = false));

// The task in which the page's code starts has work enough with that.
late();

/** Whether this task has drawn for so long that more work has to wait for its turn. */
export const crowded = (): boolean => !printing && (waiting.length > 0 || late());

/** Does the work in a later task, after all that waits already. */
export const inTurn = <T>(work: () => T): Promise<T> => new Promise((resolve, reject) => {
  waiting.push(() => {
    try {
      resolve(work());
    } catch (problem) {
      reject(problem as Error);
    }
  });
  late();
});

/** The page is being put on paper: what is drawn later comes too late. */
export const isPrinting = (): boolean => printing;

/** Something still waits for its turn. */
export const isWaiting = (): boolean => waiting.length > 0;
