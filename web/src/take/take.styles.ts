// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const takeStyles = css`
  :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
  .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
  .button { display: inline-flex; align-items: center; justify-content: center; height: 32px; padding: 0 14px;
  border: 1px solid var(--line2); border-radius: 4px; background: var(--raised); }
  .button:hover:not(:disabled) { background: var(--hover); }
  .first { background: var(--ink); border-color: var(--ink); color: var(--background); }
  .first:hover:not(:disabled) { background: var(--ink2); }
  .pick { display: flex; flex-wrap: wrap; gap: 6px; }
  .pick button { padding: 0 10px; height: 28px; border: 1px solid var(--line2); border-radius: 14px; }
  .pick button[aria-pressed='true'] { background: var(--ink); border-color: var(--ink); color: var(--background); }
  pre { direction: ltr; margin: 0; padding: 12px; max-height: 380px; overflow: auto; background: var(--panel);
    border: 1px solid var(--line); border-radius: 4px;
    font: 12px/18px ui-monospace, 'SFMono-Regular', Consolas, monospace; tab-size: 4; }
  @media (pointer: coarse) { .button, .pick button { min-height: 44px; border-radius: 22px; } }
`;
