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
export function applyTheme(element: HTMLElement, theme: 'light' | 'dark'): void {
  // Setting them again, even to the same, has the whole page styled anew.
  if (worn.get(element) === theme) return;
  worn.set(element, theme);
  for (const [name, colour] of Object.entries(palette[theme])) {
    element.style.setProperty(`--${name}`, colour);
  }
  element.style.colorScheme = theme;
}

/**
 * Space, type and corners, on the page's own element, for all below it. `--space-n` is n steps of 2 pixels. A size of
 * type goes with the leading of its name: marks in drawings, notes, text, what is read at length, titles, figures.
 * What is pressed has one of three heights, each at least a finger's where there is one: a line of text (--press), a
 * field, menu or button (--control), what leads on (--control-large).
 * test/tokens.test.ts refuses lengths beside these.
 */
export const scale = css`
  :host {
    --space-1: 2px; --space-2: 4px; --space-3: 6px; --space-4: 8px; --space-5: 10px; --space-6: 12px; --space-7: 14px;
    --space-8: 16px; --space-10: 20px; --space-12: 24px; --space-14: 28px;
    --text-mark: 11px; --leading-mark: 14px;
    --text-note: 12px; --leading-note: 16px;
    --text: 13px; --leading: 18px;
    --text-read: 14px; --leading-read: 20px;
    --text-title: 16px; --leading-title: 22px;
    --text-figure: 20px; --leading-figure: 26px;
    --text-large: 30px; --leading-large: 36px;
    --radius: 4px; --radius-large: 8px; --radius-round: 999px;
    --finger: 0px;
    --press: max(24px, var(--finger)); --control: max(28px, var(--finger)); --control-large: max(32px, var(--finger));
  }
  @media (pointer: coarse) { :host { --finger: 44px; } }
`;

// .note, [dir='auto']: Words that run the other way than the page keep their order, and stand at the page's side all
// the same.
// .inline: a link in a sentence, as large to press as any, but no taller than its line.
export const base = css`
  :host {
    box-sizing: border-box;
    color: var(--ink);
    font: 400 var(--text)/var(--leading) 'Source Sans 3', system-ui, sans-serif;
    font-variant-numeric: tabular-nums;
  }
  :host([hidden]) { display: none; }
  *, *::before, *::after { box-sizing: border-box; }
  h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  h2, h3 { font-size: var(--text); font-weight: 600; line-height: var(--leading); }
  button, input, textarea, select { font: inherit; color: inherit; letter-spacing: inherit; }
  button { background: none; border: 0; padding: 0; cursor: pointer; text-align: inherit; }
  a { color: inherit; text-underline-offset: 3px; }
  button:disabled { color: var(--ink3); opacity: 0.6; cursor: default; }
  :focus { outline: none; }
  :focus-visible:not(:where(main)) { outline: 2px solid var(--ink); outline-offset: 2px; border-radius: var(--radius); }
  .quiet { color: var(--ink2); }
  .note, [dir='auto'] { text-align: -webkit-match-parent; text-align: match-parent; }
  .note { unicode-bidi: plaintext; color: var(--ink2); font-weight: 400; font-size: var(--text-note);
    line-height: var(--leading-note); }
  .error { color: var(--error); font-size: var(--text-note); line-height: var(--leading-note); }
  .link { text-decoration: underline dotted; text-underline-offset: 3px; min-width: var(--finger);
    min-height: var(--press); }
  .inline { margin-block: calc((1lh - var(--press)) / 2); }
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
    background: var(--raised); border: 1px solid var(--line2); border-radius: var(--radius);
    height: var(--control); padding: 0 var(--space-4); min-width: 0;
  }
  select {
    height: var(--control); min-width: 0; max-width: 100%; padding: 0 var(--space-2); color: var(--ink);
    background: var(--raised); border: 1px solid var(--line2); border-radius: var(--radius);
  }
  textarea { height: auto; padding: var(--space-3) var(--space-4); }
  input[type='number'], input[inputmode='decimal'] { direction: ltr; }
  input[aria-invalid='true'] { border: 2px solid var(--error); }
  .icon {
    display: inline-grid; place-items: center; min-width: var(--control); height: var(--control);
    border-radius: var(--radius);
  }
  .text {
    display: inline-flex; align-items: center; gap: var(--space-3); height: var(--control);
    min-width: var(--finger); padding: 0 var(--space-4); border-radius: var(--radius);
  }
  .pill {
    display: inline-flex; align-items: center; min-width: var(--finger); min-height: var(--press);
    padding: 0 var(--space-4); border-radius: var(--space-6);
    border: 1px solid var(--line2); background: var(--raised);
  }
  .button {
    position: relative; display: inline-flex; align-items: center; justify-content: center;
    min-height: var(--control); padding: 0 var(--space-6); border: 1px solid var(--line2);
    border-radius: var(--radius); background: var(--raised); text-align: center; cursor: pointer;
  }
  .button[aria-pressed='true'], .button.first {
    background: var(--ink); border-color: var(--ink); color: var(--background);
  }
  label.button:focus-within { outline: 2px solid var(--ink); outline-offset: 2px; }
  .seg {
    display: inline-flex; border: 1px solid var(--line2); border-radius: var(--radius); overflow: hidden;
    background: var(--background);
  }
  .seg button {
    min-width: var(--finger); min-height: max(calc(var(--control) - 2px), var(--finger)); padding: 0 var(--space-5);
    text-align: center; color: var(--ink2);
  }
  .seg button + button { border-inline-start: 1px solid var(--line); }
  .seg button[aria-pressed='true'] { background: var(--ink); color: var(--background); font-weight: 600; }
  .seg button:focus-visible { outline-offset: -3px; }
  /* A finger leaves the last button that it pressed in the state :hover. */
  @media (hover: hover) {
    .icon:hover:not(:disabled), .text:hover:not(:disabled), .button:hover:not(:disabled, [aria-pressed='true']),
    .seg button:hover:not([aria-pressed='true']) { background: var(--hover); }
    .button.first:hover:not(:disabled) { background: var(--ink2); }
  }
  .pill.dashed { border-style: dashed; background: none; color: var(--ink2); }
  svg { display: block; }
`;
