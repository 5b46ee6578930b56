// SPDX-License-Identifier: Apache-2.0
// All that the gallery has, for whoever shows it or searches it.
import learned from 'virtual:learned';
import groups, { thumbnails } from 'virtual:presets';
import type { Store } from '../state/store.ts';
import { strings } from '../strings/en.ts';
import { language } from '../strings/language.ts';
import { phrase } from '../strings/quote.ts';
import { recordWords } from '../strings/records.ts';
import { type Entry, mechanismEntry, presetEntry, systemEntry } from './facts.ts';
import { titleOf } from '../state/model.ts';
import type { PresetGroup } from './presets.ts';

export const presets = groups as PresetGroup[];

/** Systems, trained ones first, then presets, then every mechanism: made once for each language. */
export class Entries {
  private known: { of: unknown; language: string; own: unknown; entries: Entry[] } | undefined;

  /** `host` is drawn again when words arrive that are also searched. */
  of({ book }: Store, host: { requestUpdate(): void }): Entry[] {
    const { catalogue } = book;
    const own = recordWords(host);
    if (this.known?.of !== catalogue || this.known.language !== language() || this.known.own !== own) {
      const systems = (catalogue.systems ?? [])
        .map((one) => systemEntry(book, one, thumbnails[one.id], own?.systems[one.id], learned[one.id]))
        .toSorted((a, b) => Number(b.learned !== undefined) - Number(a.learned !== undefined)
          || a.system!.paper.year - b.system!.paper.year || a.title.localeCompare(b.title));
      const small = presets.flatMap(({ group, presets: list }) =>
        list.map((one) => presetEntry(book, one, group,
          { title: phrase(titleOf(one.document) ?? ''), group: strings.gallery.groups[group] ?? group })));
      this.known = { of: catalogue, language: language(), own,
        entries: [...systems, ...small, ...(book.whole ? catalogue.mechanisms.map(mechanismEntry) : [])] };
    }
    return this.known.entries;
  }
}
