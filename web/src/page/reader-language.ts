// SPDX-License-Identifier: Apache-2.0
// The words of the reader's language are fetched before the page's element starts, which waits for them: drawn in
// English first, the page would be drawn twice, and Arabic would turn it over.
import { known, remembered, speak } from '../strings/language.ts';

void speak(known(remembered(), ...navigator.languages) ?? 'en');
