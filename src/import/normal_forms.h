// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Unicode's normal forms (Unicode Standard Annex 15), in which tokenizers expect their text.
namespace attend {

// Each character as its parts, with marks in their fixed order: NFD, or NFKD where characters that only differ in how
// they look are `compatible`.
std::u32string decomposed(std::u32string_view text, bool compatible);
// The same, composed again: NFC or NFKC.
std::u32string composed(std::u32string_view text, bool compatible);

}  // namespace attend
