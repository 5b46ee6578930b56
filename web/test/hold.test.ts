// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from 'vitest';
import { fieldIn, holdKeys, strokeOnto } from '../src/dialog/hold.ts';

const stroke = (key: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...more });
const press = (key: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  document.body.dispatchEvent(event);
  return event;
};

afterEach(() => document.body.replaceChildren());

test('letters are typed, Backspace takes one back, and other keys change nothing', () => {
  const typed = (...keys: string[]) => keys.reduce((text, key) => strokeOnto(text, stroke(key)) ?? text, '');
  expect(typed('r', 'o', 'x', 'Backspace', 'p', 'e')).toBe('rope');
  expect(typed('a', 'Enter', 'ArrowDown', 'ü', 'ع')).toBe('aüع');
  expect(strokeOnto('a', stroke('z', { ctrlKey: true }))).toBe('a');
  expect(['Escape', 'Tab', 'Shift'].map((key) => strokeOnto('a', stroke(key)))).toEqual(Array(3).fill(undefined));
  expect(strokeOnto('a', stroke('ع', { isComposing: true }))).toBeUndefined();
});

test('the page gets no key while a dialog is on its way, and the search of the dialog gets the text', () => {
  const page = vi.fn();
  addEventListener('keydown', page);
  const release = holdKeys();
  expect([...'rope'].map((key) => press(key).defaultPrevented)).toEqual([true, true, true, true]);
  // The browser's own commands still work.
  expect(press('r', { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(page).not.toHaveBeenCalled();
  press('Escape');
  expect(page).toHaveBeenCalledTimes(1);
  const field = document.createElement('input');
  const heard = vi.fn();
  field.addEventListener('input', heard);
  release(field);
  expect([field.value, heard.mock.calls.length]).toEqual(['rope', 1]);
  press('p');
  expect(page).toHaveBeenCalledTimes(2);
  removeEventListener('keydown', page);
});

test('a dialog without a search gets nothing', () => {
  const release = holdKeys();
  press('p');
  expect(() => release(undefined)).not.toThrow();
});

test('the field is the one that has the focus, in whatever part of the page', () => {
  const host = document.createElement('div');
  document.body.append(host);
  const inner = host.attachShadow({ mode: 'open' });
  inner.innerHTML = '<button>a</button><input type="text"><input type="range">';
  const [text, range] = inner.querySelectorAll('input');
  text!.focus();
  expect(fieldIn(document)).toBe(text);
  range!.focus();
  expect(fieldIn(document)).toBeUndefined();
});
