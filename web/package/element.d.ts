/** Other addresses for the engine's files; call it before the first element starts. */
export declare function configure(options: { wasmUrl?: string; relaxedWasmUrl?: string; wordsUrls?: string[];
  weightsUrls?: Record<string, string>; workerUrl?: string }): void;

export declare class AttentionPlayground extends HTMLElement {
  /** The experiment: its JSON text, or what stands behind the # of a link. */
  document: string | undefined;
  /** The address of an experiment's JSON. */
  src: string | undefined;
  /** Of: header, controls, inputs, card, steps; separated by commas or spaces. */
  hide: string | undefined;
  /** Of: controls, inputs. */
  lock: string | undefined;
  theme: 'light' | 'dark' | (string & {}) | undefined;
  /** CSS pixels. */
  height: string | undefined;
  /** A matrix, its explanation and one choice, as high as it needs. */
  compact: boolean;
  /** Where the whole page lies, for a link to it. */
  home: string | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'attention-playground': AttentionPlayground;
  }
  interface HTMLElementEventMap {
    'document-change': CustomEvent<object>;
  }
}
