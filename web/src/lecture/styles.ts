// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

// A lecture is read from the last row, and pressed with a finger: its type and targets are larger than the page's.
export const lectureStyles = css`
  :host { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; height: 100%; position: relative;
    background: var(--background); color: var(--ink); --finger: 44px; overflow: hidden;
    --press: 44px; --control: 44px; }
  :host(:fullscreen) { width: 100vw; height: 100vh; }
  .top { display: grid; gap: var(--space-1); padding: var(--space-6) var(--space-12) 0; min-width: 0; }
  h2 { font-size: clamp(20px, 4.6vh, 48px); line-height: 1.25; font-weight: 600; overflow-wrap: anywhere; }
  h2 small { font-size: 0.6em; font-weight: 400; color: var(--ink2); padding-inline-start: var(--space-5); }
  .what { font-size: clamp(14px, 2.6vh, 26px); line-height: 1.25; color: var(--ink2); }
  .what b { font-weight: 600; }
  .picture { display: grid; min-height: 0; min-width: 0; padding: var(--space-5) var(--space-12) 0; outline: none; }
  .picture > p { place-self: center; font-size: clamp(16px, 3vh, 30px); line-height: 1.3; text-align: center; }
  .foot { display: flex; align-items: center; gap: var(--space-4); padding: var(--space-4) var(--space-6);
    min-width: 0; }
  ol { display: flex; gap: var(--space-3); overflow-x: auto; flex: 1 1 auto; min-width: 0; scrollbar-width: thin; }
  li { flex: none; }
  li button { display: flex; align-items: center; gap: var(--space-4); min-height: 44px; min-width: 44px;
    padding: 0 var(--space-6); border: 1px solid var(--line2); border-radius: var(--radius); white-space: nowrap;
    font-size: clamp(13px, 1.9vh, 18px); max-width: 22em; }
  li button span { overflow: hidden; text-overflow: ellipsis; }
  li button i { font-style: normal; color: var(--ink2); }
  li button[aria-current='true'] { background: var(--ink); border-color: var(--ink); color: var(--background); }
  li button[aria-current='true'] i { color: inherit; }
  .tools { display: flex; flex: none; gap: var(--space-1); }
  .tools button, .foot > button { min-width: 44px; min-height: 44px; }
  kbd { font: inherit; font-weight: 600; border: 1px solid var(--line2); border-radius: var(--radius);
    padding: 0 var(--space-3); min-width: 1.8em; display: inline-block; text-align: center; direction: ltr; }
  .tools kbd { border: 0; font-size: var(--text-read); }
  .tools button:has(small) { display: grid; justify-items: center; align-content: center; padding: 0 var(--space-2); }
  /* Drawn, and no text of the button: its name has these words besides. */
  .tools small::before { content: attr(data-does); }
  .tools small { font-size: var(--text-mark); line-height: 1; color: var(--ink2); }
  .tools [aria-pressed='true'] { background: var(--hover); box-shadow: inset 0 -2px var(--ink); }
  .over { position: absolute; z-index: 2; inset-inline-end: var(--space-8); bottom: 68px; max-height: calc(100% - 84px);
    max-width: calc(100% - 32px); overflow: auto; background: var(--raised); border: 1px solid var(--line2);
    border-radius: var(--radius-large); box-shadow: 0 6px 24px rgb(0 0 0 / 18%); padding: var(--space-8); }
  .over h3 { font-size: var(--text-title); line-height: var(--leading-title); margin-bottom: var(--space-4); }
  dl { display: grid; grid-template-columns: auto 1fr; gap: var(--space-3) var(--space-8);
    font-size: clamp(14px, 2vh, 18px); line-height: 1.4; }
  .said { position: absolute; z-index: 2; bottom: 76px; inset-inline: 0; margin-inline: auto; width: fit-content;
    max-width: 90%; padding: var(--space-5) var(--space-8); border-radius: var(--radius-large); background: var(--ink);
    color: var(--background); font-size: clamp(14px, 2vh, 18px); line-height: 1.4; }
  .blank { position: absolute; inset: 0; z-index: 3; background: #000000; width: 100%; }
  @media (max-width: 700px) {
    .top, .picture { padding-inline: var(--space-6); }
    .foot { flex-wrap: wrap; }
    ol { order: -1; flex-basis: 100%; }
    .tools { flex: 1; justify-content: space-between; }
    .tools :is(.desk, small) { display: none; }
    /* Eight targets of a finger do not fit beside each other: the way out stands above the picture. */
    .top { padding-inline-end: var(--space-12); }
    .tools [data-part='leave'] { position: absolute; z-index: 2; inset-block-start: 0; inset-inline-end: 0; }
  }
`;
