// SPDX-License-Identifier: Apache-2.0
// A change is drawn together with the engine's answer where that comes at once.
import { ContextProvider } from '@lit/context';
import { html } from 'lit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../src/engine/client.ts';
import type { Doc } from '../src/engine/types.ts';
import { page, Part } from '../src/part.ts';
import { Documents } from '../src/state/documents.ts';
import { Sessions } from '../src/state/sessions.ts';

const document_ = { inputs: {}, mechanism: {} } as unknown as Doc;
const refused = { text: JSON.stringify({ ok: false, error: { path: '', message: 'no' } }) };

class Drawn extends Part {
  drawn = 0;

  override render(): unknown {
    return html`${++this.drawn}`;
  }
}
customElements.define('test-drawn', Drawn);

async function stand(send: Client['send']): Promise<{ sessions: Sessions; documents: Documents; part: Drawn }> {
  const documents = new Documents(document_, document_);
  const sessions = new Sessions(documents, { send, life: 1 } as unknown as Client);
  const host = document.body.appendChild(document.createElement('div'));
  const store = { sessions, view: { words: 0, tongue: 'en' } };
  new ContextProvider(host, { context: page, initialValue: store as never });
  const part = host.appendChild(new Drawn());
  await part.updateComplete;
  return { sessions, documents, part };
}

const microtasks = async (): Promise<void> => {
  for (let k = 0; k < 20; k++) await Promise.resolve();
};

describe('a part of the page', () => {
  afterEach(() => {
    vi.useRealTimers();
    document.body.replaceChildren();
  });

  it('waits for an answer that comes at once, and is drawn once for both', async () => {
    let answer: (reply: typeof refused) => void = () => undefined;
    const { documents, part } = await stand(() => new Promise((resolve) => (answer = resolve as typeof answer)));
    documents.set('/seed', 2);
    part.requestUpdate();
    await microtasks();
    expect(part.drawn).toBe(1);
    part.requestUpdate();
    answer(refused);
    await part.updateComplete;
    expect(part.drawn).toBe(2);
  });

  it('waits no longer than for a picture of the screen', async () => {
    vi.useFakeTimers();
    const { sessions, documents, part } = await stand(() => new Promise(() => undefined));
    documents.set('/seed', 3);
    part.requestUpdate();
    await microtasks();
    expect([part.drawn, sessions.soon !== undefined]).toEqual([1, true]);
    vi.advanceTimersByTime(16);
    await microtasks();
    expect([part.drawn, sessions.soon]).toEqual([2, undefined]);
  });
});
