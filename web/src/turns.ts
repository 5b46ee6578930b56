// SPDX-License-Identifier: Apache-2.0
// A browser answers nobody while a task lasts. What is to be drawn may be very much, such as a model of twelve layers,
// so it is drawn in as many tasks as it takes.

/**
 * Milliseconds that a task draws before the rest waits for the next task. A task counts as long from 50 on, and the
 * last piece of work may take some of them.
 */
export const limit = { slice: 25 };
// What can wait gets less of a task: the browser lays out all of it in one task, which takes longer than drawing it.
const AFTER = 8;
/** What comes first: the picture, then the parts around it. What can wait comes after the browser has shown both. */
export const rank = { picture: 0, around: 1, after: 2 } as const;
export type Rank = (typeof rank)[keyof typeof rank];
// For each rank the work that waits.
const waiting: (() => void)[][] = [[], [], []];
// Milliseconds until what can wait begins where no frame is shown, as behind another tab.
const HIDDEN = 200;
// Whether a frame has been shown since there is something that can wait.
let shown = false;
let frames = 0;
// Whether a picture was drawn that the browser has not shown yet: what is around it waits, so that it is seen first.
let showing = false;
const may = (of: Rank): boolean =>
  printing || of === rank.picture || (of === rank.around ? !showing : shown);
const first = (): (() => void)[] | undefined =>
  waiting.find((queue, of) => queue.length > 0 && may(of as Rank));
const task = new MessageChannel();
let began: number | undefined;
let printing = false;

task.port1.onmessage = () => {
  began = undefined;
  if (!first()) return;
  // At least one, however little time a task has.
  late();
  const after = waiting[rank.after]!;
  let queue: (() => void)[];
  do {
    queue = first()!;
    queue.shift()!();
  } while (first() && !late(queue === after ? AFTER : limit.slice));
  // The browser shows this part of it before the next part is drawn.
  if (queue === after && queue.length > 0 && !printing) afterFrame();
};

// A browser that knows urgent tasks shows no frame between them, so that the picture is laid out once.
const { scheduler } = globalThis as { scheduler?: { postTask?(work: () => void, how: { priority: string }): unknown } };
let urgent = false;
function hurry(): void {
  if (urgent || !scheduler?.postTask) return;
  urgent = true;
  void scheduler.postTask(() => {
    urgent = false;
    began = undefined;
    late();
    const pictures = waiting[rank.picture]!;
    while (pictures.length > 0) {
      pictures.shift()!();
      if (late()) break;
    }
    if (pictures.length > 0) hurry();
    else show();
  }, { priority: 'user-blocking' });
}

function show(): void {
  if (showing) return;
  showing = true;
  const go = (): void => {
    if (!showing) return;
    showing = false;
    task.port2.postMessage(undefined);
  };
  requestAnimationFrame(go);
  setTimeout(go, HIDDEN);
}

function late(most = limit.slice): boolean {
  if (began === undefined) {
    began = performance.now();
    task.port2.postMessage(undefined);
  }
  return performance.now() - began >= Math.min(most, limit.slice);
}

// A printer gets no second picture: all that waits is drawn at once.
globalThis.addEventListener?.('beforeprint', () => {
  printing = true;
  while (first()) first()!.shift()!();
});
globalThis.addEventListener?.('afterprint', () => (printing = false));

// The task in which the page's code starts has work enough with that.
late();

/** Whether work of a rank has to wait for its turn: this task has drawn for long, or other work came before. */
export const crowded = (of: Rank = rank.around): boolean =>
  !printing && ((showing && of !== rank.picture)
    || waiting.some((queue, at) => at <= of && queue.length > 0) || late());

function afterFrame(): void {
  shown = false;
  const turn = ++frames;
  const go = (): void => {
    if (shown || turn !== frames) return;
    shown = true;
    late();
  };
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, HIDDEN);
}

/** Does the work in a later task, after all that waits already and does not come later by its rank. */
export const inTurn = <T>(work: () => T, of: Rank = rank.around): Promise<T> => new Promise((resolve, reject) => {
  if (of === rank.after && waiting[of]!.length === 0 && !printing) afterFrame();
  const turn = (): void => {
    try {
      resolve(work());
    } catch (problem) {
      reject(problem as Error);
    }
  };
  // On paper nothing comes later.
  if (printing) return turn();
  waiting[of]!.push(turn);
  late();
  if (of === rank.picture) hurry();
});

/** Settles once nothing of this rank waits any more, with all that it asked for while it was drawn. */
export async function drawn(of: Rank): Promise<void> {
  do await inTurn(() => undefined, of);
  while (waiting[of]!.length > 0);
}

/** The page is being put on paper: what is drawn later comes too late. */
export const isPrinting = (): boolean => printing;

/** Something still waits for its turn. */
export const isWaiting = (): boolean => waiting.some((queue) => queue.length > 0);
