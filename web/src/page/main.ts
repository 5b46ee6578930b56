// SPDX-License-Identifier: Apache-2.0
// The page's own file: its language, and what keeps it for later. All else is one element (element.ts), whose state
// stands in state/store.ts; its controls (controls/knob.ts) write into the document there.
import '../styles/page.css';
import { strings } from '../strings/en.ts';
import { direction, known, language, remembered, speak, languageChanges } from '../strings/language.ts';
import './element.ts';

/** Once the page stands and rests, keeps its files for when there is no network. */
function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator) || !isSecureContext) return;
  const start = () => void navigator.serviceWorker.register(new URL('./sw.js', document.baseURI))
    .catch(() => undefined);
  if (document.readyState === 'complete') setTimeout(start, 2000);
  else addEventListener('load', () => setTimeout(start, 2000), { once: true });
}

const named = () => {
  document.documentElement.lang = language();
  document.documentElement.dir = direction();
  document.title = strings.title;
};
languageChanges.addEventListener('change', named);
keepOffline();
document.querySelector('.missing')?.remove();
void speak(known(remembered(), ...navigator.languages) ?? 'en');
