export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}
export declare function render(context: { model: Model; el: HTMLElement }): () => void;
declare const widget: { render: typeof render };
export default widget;
