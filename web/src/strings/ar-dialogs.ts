// SPDX-License-Identifier: Apache-2.0
import { characters, edits, inWords, numbers, ofNumbers, ofWords, presets } from './counted-ar.ts';
import type { Strings } from './language.ts';
import { either } from './message.ts';

/** Words of the dialogs and of what one takes home. */
export const dialogs: Pick<Strings, 'gallery' | 'sharing' | 'take' | 'bring'
  | 'embed' | 'learn' | 'cost' | 'mapRow'> = {
  gallery: {
    open: 'المعرض', now: 'المعرض؛ الآن: { $title }', edits: edits('n'), current: 'الحالي',
    find: 'ابحث عن نظام أو بحث أو فكرة', all: 'الكل { $n }',
    groups: { translation: 'الترجمة', transformers: 'المحوّلات', models: 'نماذج كاملة', sparse: 'متناثر وصلب',
      documents: 'الوثائق', several: 'عدة مدخلات', efficient: 'فعّال وصور' },
    none: 'لا شيء يطابق. جرّب مؤلفًا أو سنة أو اسم آلية.', keep: 'احتفظ بكلماتي وبذرتي',
    undo: 'التراجع يعيد ما كان لديك.', bring: 'افتح ملفًّا أو الصق أعدادًا', found: presets('n'),
    waiting: 'تُجلب النماذج …',
  },
  sharing: {
    open: 'مشاركة', title: 'شارك هذه التجربة',
    about: 'يحوي الرابط التجربة كلها: الكلمات والأعداد والخيارات والبذرة وما تقارن به. لا يُخزَّن شيء في أي مكان.',
    link: 'الرابط', copy: 'نسخ', copied: 'نُسخ', copyFailed: 'المتصفح يرفض النسخ: النص محدَّد، اضغط Ctrl أو ⌘ مع C.',
    send: 'إرسال …', length: characters('n'),
    long: 'تقطع بعض البرامج الروابط الأطول من { $most } حرف. أرسل الملف بدلًا منها ليُسقطه المستلم على الصفحة.',
    markdown: 'بصيغة Markdown', file: 'حفظ في ملف', oneSide: 'يحوي الملف الجانب الذي تضبطه الأدوات دون الآخر.',
    untitled: 'تجربة انتباه',
  },
  take: {
    open: 'صورة وأعداد وشيفرة', title: 'خذها معك',
    tabs: { picture: 'الصورة', numbers: 'الأعداد', code: 'الصيغة والشيفرة' },
    what: 'ما الذي يُرسم', slice: 'شريحة', colours: 'الألوان', light: 'فاتحة', dark: 'داكنة', preview: 'معاينة الصورة',
    svg: 'احفظ SVG', png: 'احفظ PNG',
    pictureNote: 'في SVG يمكن تحديد النص كله والبحث فيه؛ وPNG مرسوم بدقة ثلاثة أضعاف.',
    nothing: 'اختر مصفوفة واحدة على الأقل.',
    numbersNote: 'كل عدد حُسب، بدقة مفردة، مع تسمياته.', all: 'كل شيء',
    json: 'JSON', csvZip: 'CSV (zip)', npz: 'NumPy (.npz)', csv: 'CSV',
    groups: { inputs: 'المدخلات', outputs: 'المخرجات', parameters: 'المعاملات', gradients: 'التدرّجات',
      steps: 'الخطوات' },
    as: '{ $format }: { $name }', formats: { latex: 'LaTeX', pytorch: 'PyTorch', numpy: 'NumPy' },
    codeNotes: {
      latex: 'كل خطوة صيغةً؛ يحتاج amsmath و amssymb.', pytorch: 'برنامج فيه الأعداد: يطبع ما تعرضه الصفحة.',
      numpy: 'برنامج فيه الأعداد: يطبع ما تعرضه الصفحة.',
    },
    copy: 'نسخ', copied: 'نُسخ', save: 'حفظ { $ending }', refused: 'لا شيفرة لهذا بعد: { $message }',
    waiting: 'لم يُحسب شيء بعد.', failed: 'تعذّر إنشاء الملف.',
  },
  bring: {
    title: 'استعمل ما لديك', open: 'افتح', openFile: 'ملف أو أعداد',
    about: 'كلمات أو جدول أعداد أو صورة أو تجربة محفوظة من هنا. تبقى في متصفحك.',
    paste: 'الصق نصًّا أو CSV أو JSON', choose: 'اختر ملفًّا',
    drop: 'أو أسقطه في أي مكان من الصفحة: نص أو CSV أو JSON أو ‎.npy أو صورة',
    use: 'استعمله', asWords: 'خذه كلماتٍ', into: 'يدخل في', preview: 'الأعداد الأولى', grid: '{ $n } × { $n } منطقة',
    foundWords: inWords('n'), foundMatrix:
      either('named', { yes: '{ $rows } × { $cols } من الأعداد، وللصفوف أسماء',
      no: '{ $rows } × { $cols } من الأعداد' }),
    foundTensor: '{ $shape } من الأعداد', foundDocument: either('named', { yes: 'تجربة: { $title }', no: 'تجربة' }),
    honestWords: 'سماتها مسحوبة عشوائيًّا أو مصنوعة بقاعدة: ليست نموذجًا مدرَّبًا.',
    honestNumbers: 'تُستعمل كما هي، صف لكل كلمة.',
    honestImage: 'كل منطقة ألوانها لا أكثر: ليست نموذج رؤية مدرَّبًا.', empty: 'لا شيء فيه.',
    tooLong: 'هذا أكبر من أن يُعرض هنا.',
    tooMany: '{ $rows } × { $cols } من الأعداد أكثر مما يُعرض هنا: الحد { $most } صفًّا و{ $all } عددًا.',
    noNumbers: 'لم يوجد عمود أعداد.',
    ragged: `في الصف { $row } من الأعداد: ${numbers('found')}، وفي الأول { $wanted }.`,
    notNumber: 'في الصف { $row } والعمود { $column } «{ $found }» وليس عددًا.',
    badJson: 'تعذّرت قراءة JSON: { $message }', notDocument: 'يبدو تجربةً لكن لا يمكن قراءته كذلك.',
    unknownJson: 'ليس في JSON هذا كلمات ولا أعداد ولا تجربة.',
    unevenJson: 'القوائم في JSON هذا متفاوتة الطول أو فيها غير الأعداد.',
    wrongShape: `الشكل { $shape } لا يناسب ${ofNumbers('n')}.`, notFinite: 'بينها قيمة ليست عددًا منتهيًا.',
    badNpy: 'لا يمكن استعمال ملف ‎.npy هذا: { $message }.',
    unreadable: 'تعذّرت قراءة هذا الملف هنا. يُقرأ النص وCSV وJSON و‎.npy والصور.',
  },
  embed: {
    open: 'تضمين', title: 'ضعها في صفحتك', what: 'اعرض',
    compact: 'مصفوفة واحدة وشرحها', full: 'الصفحة كلها', hide: 'أخفِ',
    parts: { header: 'شريط العنوان', controls: 'عناصر التحكم', inputs: 'المدخلات', card: 'الشرح', steps: 'المراحل' },
    readers: 'القراء', fixed: 'لا يغيّرون الآلية ولا المدخلات',
    colours: 'الألوان', themes: { auto: 'كما عند القارئ', light: 'فاتحة', dark: 'داكنة' },
    height: 'الارتفاع بالبكسل', where: 'نوع الصفحة',
    ways: { frame: 'أي صفحة (iframe)', element: 'عنصر HTML', myst: 'MyST', jupyter: 'Jupyter و marimo', link: 'عنوان' },
    about: {
      frame: 'لـ Moodle و Canvas و WordPress و Notion و reveal.js: كل ما يقبل iframe. لا تأخذ مفاتيح صفحتك، '
        + 'ولا تتحرك إلا حيث تكون أقصر من محتواها.',
      element: 'لصفحاتك. يتبع الارتفاع المحتوى، ولا بأس بعدة نسخ في صفحة.',
      myst: 'لـ MyST و Jupyter Book.',
      jupyter: 'لدفتر مع الحزمة anywidget؛ وفي marimo داخل mo.ui.anywidget(...).',
      link: 'لما يطلب عنوانًا للتضمين.',
    },
    code: 'الشيفرة للصق', copy: 'نسخ', copied: 'نُسخت', marked: 'حُدّدت: انسخها', preview: 'شاهدها وحدها',
  },
  learn: {
    open: 'أسئلة', title: 'أسئلة', done: 'أُنجز { $n } من { $of }', tour: 'جولة', begin: 'ابدأ',
    again: 'مرة أخرى',
    doneMark: 'أُنجز', step: 'الخطوة { $n } من { $of }', next: 'التالي', nextLesson: 'الدرس التالي', all: 'كل الدروس',
    leave: 'خروج', back: 'من البداية', skip: 'تخطَّ', todo: 'المطلوب', well: 'أُنجز', finished: 'انتهى',
    chapters: { start: 'الخطوات الأولى', weights: 'من الدرجات إلى الأوزان', order: 'الترتيب والأقنعة',
      values: 'ما الذي ينتج', cost: 'الكلفة والأشكال', meaning: 'ما معنى الأوزان', learning: 'ما يجده التدريب' },
    find: 'ابحث عن سؤال', asked: 'الأكثر سؤالًا', none: 'لا سؤال هنا فيه «{ $search }».',
    about: 'كل درس يهيئ الصفحة ويُنجز حين تفعل ما يطلبه. يعود عملك عند الخروج.',
  },
  cost: {
    open: 'الكلفة', title: 'كيف تنمو الكلفة', about: 'آلية هذه الصفحة على كلمات أكثر فأكثر، تُقاس الآن في متصفحك.',
    measuring: 'جارٍ القياس', stop: 'إيقاف', again: 'القياس من جديد', done: 'تم القياس.',
    stopped: 'أُوقف القياس. هذه الأحجام مقيسة.',
    time: 'زمن تشغيل واحد', memory: 'أعداد تشغيل واحد', milliseconds: 'م‌ث', megabytes: 'م‌ب', runs: 'مرات التشغيل',
    grows: `ابتداءً من ${ofWords('from')} ينمو الزمن مثل n^{ $time } والذاكرة مثل n^{ $memory }.`,
    refused: `رُفض الحساب عند ${ofWords('n')}: { $message }`,
    left: `ابتداءً من ${ofWords('n')} لا تُحفظ أكبر النتائج، `
      + 'لأن أحدًا لا يطلبها بأسمائها: { $names }. هناك تنخفض الذاكرة.',
    numbers: 'أعداد { $name }',
    honest: 'يسحب كل تشغيل السمات والمعاملات ويحسب كل خطوة يمكن لهذه الصفحة عرضها، في خيط واحد؛ وتُحتسب أسرع جولة من '
      + 'ثلاث. تُحسب الذاكرة بكل هذه الأعداد، أربعة بايتات لكل عدد. أي عمل آخر على هذا الجهاز يطيل الأزمنة، ومكتبة '
      + 'للتدريب تُبنى على نحو مختلف.',
  },
  mapRow: {
    query: 'الاستعلام',
    about: 'المصفوفة كاملةً فيها { $rows } × { $keys } عددًا لكل رأس، فلذلك يُحسب صف واحد منها: صف استعلام. اختره هنا '
      + 'أو اضغط كلمة.',
    rowOf: 'الصف { $row } من { $rows }', oneScale: 'مقياس واحد', most: 'الأكبر',
    help: 'تنقلك مفاتيح الأسهم من مفتاح إلى مفتاح، وصفحة لأعلى ولأسفل بمقدار 100، ويثبّت Enter، ويحرّر Escape.',
  },
};
