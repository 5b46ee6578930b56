// SPDX-License-Identifier: Apache-2.0
// What is typed while a dialog is on its way is meant for the dialog, not for the page below it.

/** A key as far as typing is concerned. */
export interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
}

// Readers leave a dialog, or go on from their place, by these keys; a press of Enter or of the space bar would only
// press the same button again.
const PASSES = new Set(['Escape', 'Tab', 'Shift', 'Control', 'Alt', 'Meta', 'F5']);

/** What the text becomes with one more key, and `undefined` if the key is not the dialog's. */
export function strokeOnto(text: string, stroke: Stroke): string | undefined {
  if (PASSES.has(stroke.key) || stroke.isComposing) return undefined;
  if (stroke.ctrlKey || stroke.metaKey || stroke.altKey) return text;
  if (stroke.key === 'Backspace') return [...text].slice(0, -1).join('');
  return [...stroke.key].length === 1 ? text + stroke.key : text;
}

/**
 * Keeps every key from the page until the returned function is called. That function gives the text that was typed to
 * the field, if there is one.
 */
export function holdKeys(on: EventTarget = window): (field?: HTMLInputElement) => void {
  let text = '';
  const hold = (event: Event) => {
    const stroke = event as KeyboardEvent;
    const next = strokeOnto(text, stroke);
    if (next === undefined) return;
    event.stopImmediatePropagation();
    // The browser's own commands, such as to reload, still work.
    if (!stroke.ctrlKey && !stroke.metaKey && !stroke.altKey) event.preventDefault();
    text = next.trimStart();
  };
  on.addEventListener('keydown', hold, true);
  return (field) => {
    on.removeEventListener('keydown', hold, true);
    if (!field || text === '') return;
    field.value += text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  };
}

/** The field that the reader types into: the search of a dialog takes the focus when it opens. */
export function fieldIn(root: DocumentOrShadowRoot): HTMLInputElement | undefined {
  const at = root.activeElement;
  if (at?.shadowRoot) return fieldIn(at.shadowRoot);
  return at instanceof HTMLInputElement && at.type === 'text' ? at : undefined;
}
