// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // What the build knows of the real model: here it does not ship.
  resolve: { alias: { 'virtual:real': join(import.meta.dirname, 'test/no-model.ts') } },
  test: { include: ['test/**/*.test.ts'], environment: 'happy-dom', testTimeout: 60_000 },
});
