// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';
import { partStyles } from './styles.ts';

/** Lists of measures: name, number, what it tells; below each other where there is no room. */
export const judgedStyles = [partStyles, css`
  .row-of { display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-6); align-items: center; }
  .judged { display: grid; padding-top: var(--space-4); max-width: 900px; }
  .judged li { display: grid; grid-template-columns: 180px 150px minmax(0, 1fr); gap: var(--space-1) var(--space-8);
    padding: var(--space-4) 0; border-top: 1px solid var(--line); }
  .judged h3 { font-size: var(--text); font-weight: 600; }
  .judged .number { display: grid; align-content: start; font-size: var(--text); }
  .judged .number b { font-size: var(--text-title); line-height: var(--leading-title); font-weight: 600; }
  .judged .tells { font-size: var(--text); line-height: var(--leading); max-width: 64ch; }
  .judged .more { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: var(--space-4) var(--space-12);
    align-items: start; padding-top: var(--space-2); }
  .more figure { max-width: 100%; overflow-x: auto; }
  .more figcaption { font-size: var(--text-note); color: var(--ink2); }
  .more svg .label { font-size: var(--text); fill: var(--ink); }
  .more svg .number { font-size: var(--text-mark); }
  .strip { border-collapse: collapse; font-size: var(--text); }
  .strip th, .strip td { padding: var(--space-1) var(--space-4); font-weight: 400; text-align: center;
    border-bottom: 1px solid var(--line); }
  .strip tbody th { text-align: start; padding-inline-start: 0; }
  @media (max-width: 760px) { .judged li { grid-template-columns: minmax(0, 1fr) auto; } .judged .tells {
    grid-column: 1 / -1; } .judged .number { text-align: end; } }
`];
