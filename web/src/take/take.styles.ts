// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

export const takeStyles = css`
  :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-6); }
  .of-text { display: flex; flex-wrap: wrap; gap: var(--space-3); align-items: center; }
  .row { display: flex; flex-wrap: wrap; gap: var(--space-4); align-items: center; }
  .pick { display: flex; flex-wrap: wrap; gap: var(--space-3); }
  .pick button { padding: 0 var(--space-5); height: var(--control); border: 1px solid var(--line2);
    border-radius: var(--radius-round); }
  .pick button[aria-pressed='true'] { background: var(--ink); border-color: var(--ink); color: var(--background); }
  pre { direction: ltr; margin: 0; padding: var(--space-6); max-height: 380px; overflow: auto; background: var(--panel);
    border: 1px solid var(--line); border-radius: var(--radius);
    font: var(--text-note)/var(--leading) ui-monospace, 'SFMono-Regular', Consolas, monospace; tab-size: 4; }
`;
