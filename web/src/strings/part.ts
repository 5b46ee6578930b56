// SPDX-License-Identifier: Apache-2.0
// Words of a part of the page that come with it, in all languages at once.
import { type Language, language } from './language.ts';
import { filled, isTree, type Tree } from './live.ts';
import { Message, tell, type Told } from './message.ts';


// The words of one language with their sentences as functions; what English takes, each language is given.
function told(code: Language, english: Tree, said: Tree): Tree {
  return Object.fromEntries(Object.entries(english).map(([key, word]) => {
    const own = said[key] ?? word;
    if (word instanceof Message) {
      const text = own instanceof Message ? own.text : String(own);
      return [key, (...given: unknown[]) => tell(code, text, word.take(...given))];
    }
    return [key, isTree(word) && isTree(own) ? told(code, word, own) : own];
  }));
}

/**
 * Gives the words of a part in the language that is spoken at the time of the call. There is one file of words for each
 * language; English takes the place of words that a language does not have.
 */
export function partWords<Words extends object>(files: Readonly<Record<string, unknown>>): () => Told<Words> {
  const of = (code: Language) => Object.entries(files).find(([path]) => path.endsWith(`/${code}.ts`))?.[1] as Tree;
  const all = new Map<Language, Told<Words>>();
  return () => {
    const code = language();
    let words = all.get(code);
    if (!words) {
      words = told(code, of('en'), filled.by(of(code) ?? {}, of('en'))) as Told<Words>;
      all.set(code, words);
    }
    return words;
  };
}
