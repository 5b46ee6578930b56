// SPDX-License-Identifier: Apache-2.0
// The other ways to draw weights, fetched together once one is asked for.
import './lines.ts';
import './table.ts';
import './text.ts';
