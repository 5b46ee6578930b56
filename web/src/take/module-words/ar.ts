// SPDX-License-Identifier: Apache-2.0
import type { Translated } from '../../strings/message.ts';
import type { words as english } from './en.ts';

/** The words of modules as code, in Arabic. */
export const words: Translated<typeof english> = {
  kind: 'ما الذي يُكتب',
  kinds: { script: 'برنامج (هذا المثال)', module: 'وحدة (دفعات وتدريب)', train: 'برنامج التدريب' },
  moduleNotes: {
    pytorch: 'وحدة torch.nn.Module لدفعات من أي طول، في ملف واحد. ولأوزانها الأسماء نفسها هنا، '
      + 'فيمكنك أن تواصل تدريبها في PyTorch، ثم تحفظ الأوزان وتفتحها في هذه الصفحة.',
    numpy: 'دالة لدفعات من أي طول، في ملف واحد لا يحتاج إلا NumPy. وهي تقرأ الأوزان المحفوظة.',
  },
  trainNote: 'يدرّب هذا البرنامج model.py كما يحدد تدريب هذا المستند، بعملية واحدة أو بعدة عمليات. '
    + 'احفظ الملفين في مجلد واحد؛ والأوامر مكتوبة في أول البرنامج.',
  writing: 'تُكتب الشيفرة …',
  beginning: 'حجم الملف كله { $size } ميغابايت، لأنه يحوي كل أعداد النموذج. ولا يظهر هنا إلا أوله، أما «حفظ» و«نسخ» '
    + 'فيعطيان الملف كله.',
  noModule: 'لا يمكن كتابة هذا المستند وحدةً: { $message }',
  noTraining: 'لا يمكن كتابة هذا التدريب برنامجًا: { $message }',
  lost: 'تعذّر تشغيل الجزء الذي يكتب الوحدات: { $message }',
  script: 'اعرض برنامج هذا المثال',
};
