// SPDX-License-Identifier: Apache-2.0
// For tests that run the engine in their own process: with a window it would take that for a browser. What the page's
// modules do with one when they are loaded is left undone.
globalThis.addEventListener ??= () => undefined;
