// SPDX-License-Identifier: Apache-2.0
import { message, plural } from '../../strings/message.ts';

/** The words of the lecture mode, in English. */
export const words = {
  unknown: message((id: string) => ({ id }), 'This page has no lesson “{ $id }”. These are its lessons.'),
  unknownStep: message((step: number, of: number) => ({ step, of }),
    `This lesson has no step { $step }. It has ${plural('of', { one: '1 step', other: '# steps' })} and begins here.`),
  without: 'The link opened this step. The changes that you make in earlier steps are missing here.',
  through: message((search: string, parts: string[]) => ({ search, parts }),
    'No lesson is about “{ $search }”. These use a part of that name: { $parts }.'),
  changed: 'You have done this step. The page has changed since then, so its explanation no longer applies. Undo the '
    + 'change to read it again.',
  copyLink: 'Copy link', address: 'Address of this step',
};
