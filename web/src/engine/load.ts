// SPDX-License-Identifier: Apache-2.0
import { Client, type Port } from './client.ts';

export function load(): Client {
  return new Client(
    () =>
      new Worker(new URL('./worker.ts', import.meta.url), {
        type: 'module',
        name: 'engine',
      }) as unknown as Port,
  );
}
