// SPDX-License-Identifier: Apache-2.0
import '../strings/en-later.ts';
// The other ways to draw weights, fetched together once one is asked for.
import './lines.ts';
import './table.ts';
import './text.ts';
