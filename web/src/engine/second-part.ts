// SPDX-License-Identifier: Apache-2.0

/** Documents with these weights, the first page's, are answered by the first part: they wait for nothing. */
const FIRST = '"from":"translate.safetensors"';

// A thread that may wait for a file: the page's own may not.
const mayWait = (): boolean => 'WorkerGlobalScope' in globalThis;

/**
 * The second part of the engine, of functions that the first page does without. It comes with the first request; a
 * document that calls one of them before it is here fetches it then and there.
 */
export class SecondPart {
  private module: WebAssembly.Module | undefined;
  private coming: Promise<void> | undefined;
  private linked: { first: unknown; instance: WebAssembly.Instance } | undefined;

  constructor(private readonly address: string) {}

  /** Has it fetched, and waits for it where the documents are likely to need it. */
  async ready(...documents: string[]): Promise<void> {
    const coming = this.fetched();
    const first = documents.length > 0 && documents.every((text) => text.includes(FIRST));
    if (!first || !mayWait()) await coming;
  }

  /**
   * What Emscripten calls where a function of this part is called for the first time. JavaScript keeps the
   * placeholders of exported functions and calls this again through them, so that the instance is kept.
   */
  readonly link = (_file: string, imports: WebAssembly.Imports): WebAssembly.Instance => {
    if (!this.linked || this.linked.first !== imports.primary) {
      this.module ??= new WebAssembly.Module(this.waitedFor());
      this.linked = { first: imports.primary, instance: new WebAssembly.Instance(this.module, imports) };
    }
    return this.linked.instance;
  };

  // Where it cannot be fetched now, whoever needs it tries again, and says so.
  private fetched(): Promise<void> {
    this.coming ??= fetch(this.address, { credentials: 'omit' })
      .then((response) => (response.ok ? WebAssembly.compileStreaming(response) : undefined))
      .then((module) => void (this.module ??= module), () => undefined);
    return this.coming;
  }

  private waitedFor(): ArrayBuffer {
    const request = new XMLHttpRequest();
    request.open('GET', this.address, false);
    request.responseType = 'arraybuffer';
    request.send();
    if (request.status !== 200 || !(request.response instanceof ArrayBuffer))
      throw new Error(`a part of the engine could not be fetched (${request.status})`);
    return request.response;
  }
}
