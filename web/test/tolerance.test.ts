// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { answerOf } from '../src/lessons/form-answers.ts';
import { questionDraft, withinShown } from '../src/lessons/question-draft.ts';
import type { Store } from '../src/state/store.ts';
import { ready } from '../src/strings/language.ts';
import { speaking } from '../src/strings/live.ts';

it('the tolerance of a question is written in the language of the moment, and read with either sign', async () => {
  await ready('de');
  const draft = questionDraft({} as Store).peek();
  expect(withinShown(draft)).toBe('0.005');
  speaking('de', () => {
    expect(withinShown(draft)).toBe('0,005');
    for (const within of [undefined, '0.005', '0,005'])
      expect(answerOf({ ...draft, check: 'number', typed: '0,264', within })?.until)
        .toEqual({ typed: 0.264, within: 0.005 });
  });
});
