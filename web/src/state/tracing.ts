// SPDX-License-Identifier: Apache-2.0
import { Later } from '../lazy-fetch.ts';

/** Nothing is traced before somebody points at a cell. */
export const tracing = new Later(() => import('../engine/traced.ts'));
