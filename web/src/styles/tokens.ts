// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** One colour per role and theme; the same table colours text, outlines and canvases. */
export const palette = {
  light: {
    background: '#ffffff', panel: '#faf9f6', raised: '#ffffff',
    ink: '#1d2126', ink2: '#545b64', ink3: '#6b727b',
    line: '#e4e1da', line2: '#cdc9c0', hover: '#f1efe9', hatch: '#d9d5cc',
    query: '#1762d9', key: '#ad5500', value: '#0a7e80', score: '#434d54',
    weight: '#562691', context: '#6a1029', error: '#b3261e',
  },
  dark: {
    background: '#15171a', panel: '#1b1d21', raised: '#22252a',
    ink: '#e9e6df', ink2: '#abb0b7', ink3: '#8d949d',
    line: '#2d3036', line2: '#454a52', hover: '#262a30', hatch: '#3a3e45',
    query: '#a3bbfa', key: '#e07d20', value: '#45d695', score: '#e3e6e7',
    weight: '#b07cf2', context: '#e8659e', error: '#ff8a80',
  },
} as const;

export type Paper = { [name in keyof typeof palette.light]: string };
export type RoleColour = 'query' | 'key' | 'value' | 'score' | 'weight' | 'context' | 'ink';

const worn = new WeakMap<HTMLElement, string>();

/** Writes a theme's colours on an element as custom properties, which shadow roots inherit. */
export function wear(element: HTMLElement, theme: 'light' | 'dark'): void {
  // Setting them again, even to the same, has the whole page styled anew.
  if (worn.get(element) === theme) return;
  worn.set(element, theme);
  for (const [name, colour] of Object.entries(palette[theme])) {
    element.style.setProperty(`--${name}`, colour);
  }
  element.style.colorScheme = theme;
}

export const base = css`
  :host {
    box-sizing: border-box;
    color: var(--ink);
    font: 400 13px/18px 'Source Sans 3', system-ui, sans-serif;
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]) { display: none; }
  *, *::before, *::after { box-sizing: border-box; }
  h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  h2, h3 { font-size: 13px; font-weight: 600; line-height: 18px; }
  button, input, textarea, select { font: inherit; color: inherit; letter-spacing: inherit; }
  button { background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
  a { color: inherit; text-underline-offset: 3px; }
  button:disabled { color: var(--ink3); opacity: 0.6; cursor: default; }
  :focus { outline: none; }
  :focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; border-radius: 4px; }
  .quiet { color: var(--ink2); }
  .note { unicode-bidi: plaintext; color: var(--ink2); font-weight: 400; font-size: 12px; line-height: 16px; }
  .error { color: var(--error); font-size: 12px; line-height: 16px; }
  .link { text-decoration: underline dotted; text-underline-offset: 3px; min-height: 24px; }
  .link:hover { text-decoration-style: solid; }
  .query { color: var(--query); }
  .key { color: var(--key); }
  .value { color: var(--value); }
  .score { color: var(--score); }
  .weight { color: var(--weight); }
  .context { color: var(--context); }
  .unseen {
    position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); white-space: nowrap;
  }
`;

export const fields = css`
  input[type='text'], input[type='number'], input:not([type]), textarea {
    background: var(--raised); border: 1px solid var(--line2); border-radius: 4px;
    height: 24px; padding: 0 7px; min-width: 0;
  }
  textarea { height: auto; padding: 6px 8px; }
  input[type='number'], input[inputmode='decimal'] { direction: ltr; }
  input[aria-invalid='true'] { border: 2px solid var(--error); }
  .icon {
    display: inline-grid; place-items: center; min-width: 28px; height: 28px; border-radius: 4px;
  }
  .icon:hover:not(:disabled), .text:hover:not(:disabled) { background: var(--hover); }
  .text {
    display: inline-flex; align-items: center; gap: 6px; height: 28px; padding: 0 8px;
    border-radius: 4px;
  }
  .pill {
    display: inline-flex; align-items: center; height: 24px; padding: 0 9px; border-radius: 12px;
    border: 1px solid var(--line2); background: var(--raised);
  }
  .pill.dashed { border-style: dashed; background: none; color: var(--ink2); }
  svg { display: block; }
`;
