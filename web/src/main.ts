// SPDX-License-Identifier: Apache-2.0
// The page's own file: its language, and what keeps it for later. All else is one element (element.ts), whose state
// stands in state/store.ts; its controls (controls/knob.ts) write into the document there.
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
document.querySelector('.missing')?.remove();
void speak(known(remembered(), ...navigator.languages) ?? 'en');
