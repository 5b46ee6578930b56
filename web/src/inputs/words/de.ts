// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

export const words: Translated<typeof english> = {
  outside: 'Außerhalb dessen, was das Modell gelernt hat:',
  outsideMeans: 'Mit einer solchen Eingabe wurde das Modell nie trainiert, die Antwort kann also falsch sein.',
  forms: 'Die Arten von Sätzen, die das Modell gelernt hat',
  wrong: 'Diese Antwort ist falsch. Richtig ist „{ $right }“.',
};
