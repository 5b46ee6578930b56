// SPDX-License-Identifier: Apache-2.0
// Counted words in Arabic, each with the six forms of the language: none, one, two, 3 to 10, 11 to 99, hundreds.
import { plural } from './message.ts';

type SixForms = readonly [zero: string, one: string, two: string, few: string, many: string, other: string];

/** The counted word for the number with this name; the three last forms stand behind the number. */
const counted = ([zero, one, two, few, many, other]: SixForms) => (name: string): string =>
  plural(name, { zero, one, two, few: `# ${few}`, many: `# ${many}`, other: `# ${other}` });

export const inWords = counted(['لا كلمات', 'كلمة واحدة', 'كلمتان', 'كلمات', 'كلمة', 'كلمة']);
/** The same behind a preposition. */
export const ofWords = counted(['لا كلمات', 'كلمة واحدة', 'كلمتين', 'كلمات', 'كلمة', 'كلمة']);
export const numbers = counted(['لا أعداد', 'عدد واحد', 'عددان', 'أعداد', 'عددًا', 'عدد']);
export const ofNumbers = counted(['لا أعداد', 'عدد واحد', 'عددين', 'أعداد', 'عددًا', 'عدد']);
export const queries = counted(['لا استعلامات', 'استعلام واحد', 'استعلامان', 'استعلامات', 'استعلامًا', 'استعلام']);
export const keys = counted(['لا مفاتيح', 'مفتاح واحد', 'مفتاحان', 'مفاتيح', 'مفتاحًا', 'مفتاح']);
export const cells = counted(['لا خلايا', 'خلية واحدة', 'خليتان', 'خلايا', 'خلية', 'خلية']);
export const ofCells = counted(['لا خلايا', 'خلية واحدة', 'خليتين', 'خلايا', 'خلية', 'خلية']);
export const draws = counted(['لا سحبات', 'سحبة واحدة', 'سحبتان', 'سحبات', 'سحبة', 'سحبة']);
export const ofDraws = counted(['لا سحبات', 'سحبة واحدة', 'سحبتين', 'سحبات', 'سحبة', 'سحبة']);
export const ofRows = counted(['لا صفوف', 'صف واحد', 'صفين', 'صفوف', 'صفًّا', 'صف']);
export const ofColumns = counted(['لا أعمدة', 'عمود واحد', 'عمودين', 'أعمدة', 'عمودًا', 'عمود']);
export const steps = counted(['لا خطوات', 'خطوة واحدة', 'خطوتان', 'خطوات', 'خطوة', 'خطوة']);
export const ofSteps = counted(['لا خطوات', 'خطوة واحدة', 'خطوتين', 'خطوات', 'خطوة', 'خطوة']);
export const points = counted(['لا نقاط', 'نقطة واحدة', 'نقطتان', 'نقاط', 'نقطة', 'نقطة']);
export const hops = counted(['لا قفزات', 'قفزة واحدة', 'قفزتان', 'قفزات', 'قفزة', 'قفزة']);
export const ofBlocks = counted(['لا كتل', 'كتلة واحدة', 'كتلتين', 'كتل', 'كتلة', 'كتلة']);
export const ofGroups = counted(['لا مجموعات', 'مجموعة واحدة', 'مجموعتين', 'مجموعات', 'مجموعة', 'مجموعة']);
export const edits = counted(['لا تعديلات', 'تعديل واحد', 'تعديلان', 'تعديلات', 'تعديلًا', 'تعديل']);
export const presets = counted(['لا أمثلة جاهزة', 'مثال جاهز واحد', 'مثالان جاهزان', 'أمثلة جاهزة', 'مثالًا جاهزًا',
  'مثال جاهز']);
export const ofModels = counted(['لا نماذج', 'نموذجًا واحدًا', 'نموذجين', 'نماذج', 'نموذجًا', 'نموذج']);
export const ofExamples = counted(['لا أمثلة', 'مثال واحد', 'مثالين', 'أمثلة', 'مثالًا', 'مثال']);
export const examples = counted(['لا أمثلة', 'مثال واحد', 'مثالان', 'أمثلة', 'مثالًا', 'مثال']);
export const systems = counted(['لا أنظمة', 'نظام واحد', 'نظامان', 'أنظمة', 'نظامًا', 'نظام']);
export const results = counted(['لا نتائج', 'نتيجة واحدة', 'نتيجتان', 'نتائج', 'نتيجة', 'نتيجة']);
export const parts = counted(['لا أجزاء', 'جزء واحد', 'جزآن', 'أجزاء', 'جزءًا', 'جزء']);
export const characters = counted(['لا حروف', 'حرف واحد', 'حرفان', 'حروف', 'حرفًا', 'حرف']);
export const trainedWeights = counted(['لا أوزان مدرَّبة', 'وزن مدرَّب واحد', 'وزنان مدرَّبان', 'أوزان مدرَّبة',
  'وزنًا مدرَّبًا', 'وزن مدرَّب']);
export const matrices = counted(['لا مصفوفات', 'مصفوفة واحدة', 'مصفوفتين', 'مصفوفات', 'مصفوفة', 'مصفوفة']);
export const textLines = counted(['لا أسطر', 'سطر واحد', 'سطران', 'أسطر', 'سطرًا', 'سطر']);
export const seconds = counted(['صفر ثانية', 'ثانية واحدة', 'ثانيتين', 'ثوانٍ', 'ثانية', 'ثانية']);
export const minutes = counted(['صفر دقيقة', 'دقيقة واحدة', 'دقيقتين', 'دقائق', 'دقيقة', 'دقيقة']);
export const kinds = counted(['لا أنواع', 'نوع واحد', 'نوعان', 'أنواع', 'نوعًا', 'نوع']);
export const windows = counted(['لا نوافذ', 'نافذة واحدة', 'نافذتان', 'نوافذ', 'نافذة', 'نافذة']);
