// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  places: 'أقسام الصفحة', look: 'انظر', train: 'درّب', compare: 'قارن', sides: 'A وB', home: 'خذه معك',
  lecture: 'وضع المحاضرة',
};
