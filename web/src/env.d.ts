// SPDX-License-Identifier: Apache-2.0
declare module 'basic-fonts/outlines.json' {
  const outlines: Record<'400' | '600', Record<string, string>>;
  export default outlines;
}
declare module 'virtual:katex-styles' {
  const text: string;
  export default text;
}
declare module 'virtual:first-paint' {
  import type { FirstPaint } from './engine/types.ts';
  const first: FirstPaint;
  export default first;
}
declare module 'attention-engine' {
  import type { Engine } from './engine/types.ts';
  const create: (options?: { locateFile?: () => string }) => Promise<Engine>;
  export default create;
}
declare module 'attention-training' {
  import type { Trainer } from './train/messages.ts';
  const create: (options?: { locateFile?: () => string }) => Promise<Trainer>;
  export default create;
}
declare module 'attention-import' {
  import type { Importer } from './models/types.ts';
  const create: (options?: { locateFile?: () => string }) => Promise<Importer>;
  export default create;
}
declare module 'attention-catalogue' {
  import type { Catalogue } from './engine/types.ts';
  const catalogue: Catalogue;
  export default catalogue;
}
declare module 'virtual:presets' {
  import type { PresetGroup } from './gallery/presets.ts';
  import type { Thumbnail } from './elements/thumbnail.ts';
  const groups: PresetGroup[];
  export default groups;
  /** Of systems, by their ids. */
  export const thumbnails: Record<string, Thumbnail | undefined>;
}
declare module 'virtual:learned' {
  import type { Learned, Tried } from './learned/types.ts';
  /** The systems that open trained, by their ids. */
  const learned: Record<string, Learned | undefined>;
  export default learned;
  /** Those that were trained and did not learn their task, by their ids. */
  export const tried: Record<string, Tried | undefined>;
}
declare module 'virtual:engine-files' {
  /** The addresses of a build of the engine: whole, or its first part and the deferred one. */
  interface EngineFiles {
    wasm: string;
    deferred?: string;
  }
  const files: { plain: EngineFiles; relaxed: EngineFiles };
  export default files;
}

declare module 'virtual:languages' {
  import type { About } from './strings/language.ts';
  import type { RecordWords } from './strings/records.ts';
  export const languages: Readonly<Record<string, About>>;
  /** The words of data/catalogue for the records beside the mechanisms, by language. */
  export const records: Readonly<Record<string, () => Promise<RecordWords>>>;
}

declare module 'virtual:language' {
  import type { Thumbnail } from './elements/thumbnail.ts';
  /** The small language model; nothing where it does not ship. `text`: the sentence of its maps. */
  const ships: { numbers: number; bytes: number; text: string; thumbnails: Thumbnail[][] } | undefined;
  export default ships;
}

declare module 'virtual:learned-files' {
  /** The addresses of their weights, relative to the page, by the names that documents give. */
  const files: Record<string, string>;
  export default files;
}
declare module 'virtual:measured' {
  import type { Figures } from './card/figures.ts';
  const figures: Figures;
  export default figures;
}
declare module 'virtual:preset-shapes' {
  /** By the titles of presets (first/notice.ts, `shapeSum`). */
  const shapes: Record<string, number | undefined>;
  export default shapes;
}
declare module 'virtual:doors' {
  import type { Thumbnail } from './elements/thumbnail.ts';
  /** What the lesson behind each question computes, small. */
  const pictures: Record<string, Thumbnail[] | undefined>;
  export default pictures;
}
declare module 'virtual:real' {
  import type { Ships } from './real/ships.ts';
  /** Nothing where the page was built without the model. */
  const ships: Ships | undefined;
  export default ships;
}
