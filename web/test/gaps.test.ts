// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { strings } from '../src/strings/en.ts';
import { speaking } from '../src/strings/language.ts';
import { markGaps } from '../src/strings/gaps.ts';
import { learn } from '../src/strings/live.ts';

test('English words in a gap of another language are marked, and no longer on an English page', () => {
  learn('fr', { close: 'Fermer' });
  const root = document.createElement('div');
  const [close, undo] = speaking('fr', () => [strings.close, strings.undo]);
  root.innerHTML = `<b>${close}</b><i> ${undo} </i><u>${undo}<s>${close}</s></u><p lang="de">${undo}</p>`;
  const langs = () => [...root.querySelectorAll('*')].map((one) => one.getAttribute('lang'));
  markGaps(root, 'fr');
  expect(langs()).toEqual([null, 'en', 'en', null, 'de']);
  markGaps(root, 'en');
  expect(langs()).toEqual([null, null, null, null, 'de']);
});

test('a sentence in a gap is marked whatever numbers it has', () => {
  learn('fr', { close: 'Fermer' });
  const root = document.createElement('div');
  root.innerHTML = `<p>${speaking('fr', () => strings.moreTokens(3))}</p>`;
  markGaps(root, 'fr');
  expect([root.textContent, root.querySelector('p')!.getAttribute('lang')])
    .toEqual([`\u2066${strings.moreTokens(3)}\u2069`, 'en']);
});
