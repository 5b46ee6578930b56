// SPDX-License-Identifier: Apache-2.0
import create from 'attention-engine';

// What asks the same in another lane does not push the newer request of the first one aside.
export type Request =
  | { id: number; kind: 'run' | 'other' | 'slope'; document: string }
  | { id: number; kind: 'explain' | 'trace'; document: string; tensor: string; index: string }
  | { id: number; kind: 'export'; document: string; format: string };

export type Reply = { id: number; text: string; data?: Float32Array };

const ready = create();
// The cast: lib.dom types `self` as a window, whose postMessage has another shape.
const port = self as unknown as {
  onmessage: (event: MessageEvent<Request>) => void;
  postMessage(message: Reply, transfer?: Transferable[]): void;
};

port.onmessage = async ({ data: request }) => {
  try {
    const engine = await ready;
    if (request.kind === 'export') {
      const text = engine.exportCode(request.document, request.format);
      port.postMessage({ id: request.id, text });
    } else if (request.kind === 'explain' || request.kind === 'trace') {
      const text = engine.explain(request.document, request.tensor, request.index);
      port.postMessage({ id: request.id, text });
    } else {
      const { directory, data } = engine.run(request.document);
      port.postMessage({ id: request.id, text: directory, data }, [data.buffer as ArrayBuffer]);
    }
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : String(problem);
    port.postMessage({
      id: request.id,
      text: JSON.stringify({ ok: false, error: { path: '', message } }),
    });
  }
};
