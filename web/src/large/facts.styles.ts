// SPDX-License-Identifier: Apache-2.0
import { css } from 'lit';

/** The columns of facts beside the rows, and the names above them. */
export const factsStyles = css`
  .factnames { align-self: end; display: flex; padding-bottom: var(--space-2); }
  .factnames, .facts { font-size: var(--text-mark); color: var(--ink2); padding-inline-start: var(--space-5); }
  .facts > div { display: flex; align-items: center; line-height: 1; }
  .facts span, .factnames span { width: 38px; text-align: end; }
  .facts .most, .factnames .most { width: auto; min-width: 90px; max-width: 120px; text-align: start;
  padding-inline-start: var(--space-5); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .facts b { color: var(--ink); font-weight: 600; }
`;
