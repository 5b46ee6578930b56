// SPDX-License-Identifier: Apache-2.0
import './styles/page.css';
import { direction, known, language, remembered, speak, spoken } from './strings/language.ts';
import './element.ts';
import { keepOffline } from './offline/keep.ts';

const named = () => {
  document.documentElement.lang = language();
  document.documentElement.dir = direction();
};
spoken.addEventListener('change', named);
keepOffline();
void speak(known(remembered(), ...navigator.languages) ?? 'en');
