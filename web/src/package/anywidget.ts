// SPDX-License-Identifier: Apache-2.0
// An anywidget module: the same file serves Jupyter, MyST, marimo, Colab and VS Code.
import '../page/element.ts';

/** What anywidget (and MyST's `anywidget` directive) hands to `render`. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

const ATTRIBUTES = ['src', 'hide', 'lock', 'theme', 'height', 'home'] as const;

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const element = document.createElement('attention-playground');
  const put = (name: string) => {
    const value = model.get(name);
    if (value === undefined || value === null || value === '') element.removeAttribute(name);
    else element.setAttribute(name, asText(value));
  };
  for (const name of ATTRIBUTES) put(name);
  element.toggleAttribute('compact', model.get('full') !== true);
  let known = '';
  const take = () => {
    const value = model.get('document');
    const text = value === undefined || value === null ? '' : asText(value);
    if (text === '' || text === '{}' || text === known) return;
    known = text;
    element.setAttribute('document', text);
  };
  take();
  // What the reader changes goes back to the notebook, where the model has a place for it.
  const give = (event: Event) => {
    const value = (event as CustomEvent<object>).detail;
    known = JSON.stringify(value);
    const there = model.get('document');
    if (there === undefined || there === null) return;
    // In the form that it came: text for a trait of text.
    model.set('document', typeof there === 'string' ? known : value);
    model.save_changes();
  };
  element.addEventListener('document-change', give);
  const heard = ATTRIBUTES.map((name) => [`change:${name}`, () => put(name)] as const);
  for (const [event, listener] of heard) model.on(event, listener);
  model.on('change:document', take);
  el.replaceChildren(element);
  return () => {
    for (const [event, listener] of heard) model.off(event, listener);
    model.off('change:document', take);
    element.remove();
  };
}

export default { render };
