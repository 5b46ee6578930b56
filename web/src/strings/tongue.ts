// SPDX-License-Identifier: Apache-2.0
import type { EngineWords } from './engine.ts';
import { directionOf, engineWords, known, type Language, pageLanguage, ready, languageChanges } from './language.ts';
import { turnTo } from './live.ts';

/** What hears of the language: the state of one element. */
interface Hearer {
  view: { tongue: string | undefined };
  speak(words: EngineWords | undefined): void;
}

// All that somebody may begin something with.
const TOUCHED = ['pointerdown', 'pointerover', 'focusin', 'keydown', 'input', 'change', 'paste', 'drop'] as const;

/** The language of one element: that of the place where it stands on a page of others, or the page's. */
export class Tongue {
  private asked: Language | undefined;
  private placed = false;
  /** Settles once the element speaks what it was told last. */
  followed: Promise<void> | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly store: Hearer,
  ) {
    // Whatever is done here is answered in this element's language.
    for (const kind of TOUCHED) element.addEventListener(kind, () => turnTo(this.code), { capture: true });
  }

  get code(): Language {
    return (this.store.view.tongue ?? pageLanguage());
  }

  /** The element stands somewhere; one that is the page itself speaks the page's language. */
  connect(isPage: boolean): void {
    // Only once: from then on the attribute says what was found here.
    if (!this.placed && !isPage) this.asked =
      known(this.element.lang, this.element.closest('[lang]')?.getAttribute('lang'));
    this.placed = true;
    languageChanges.addEventListener('change', this.follow);
    void this.follow();
  }

  disconnect(): void {
    languageChanges.removeEventListener('change', this.follow);
  }

  /** Says on the element what it speaks. */
  mark(): void {
    const { element, code } = this;
    if (element.dir !== directionOf(code)) element.dir = directionOf(code);
    if (element.lang !== code) element.lang = code;
  }

  // Every part draws itself anew, with the words of the other language.
  private readonly follow = (): Promise<void> => (this.followed = this.turn());
  private async turn(): Promise<void> {
    const wanted = this.asked ?? pageLanguage();
    const code = await ready(wanted) ? wanted : 'en';
    if (wanted !== (this.asked ?? pageLanguage())) return;
    this.store.view.tongue = code;
    this.store.speak(engineWords(code));
  }
}
