// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/mechanism.h"

namespace attend {

// What a file of the catalogue defines: what the mechanism says to a reader, what it is and does,
// and the same computed by another route, for the tests. The page's module is built with
// ATTEND_RECORDS_ONLY: it reads the words from a file beside it and runs no references.
#ifdef ATTEND_RECORDS_ONLY
struct Nothing {
  constexpr Nothing() = default;
  template <class T>
  constexpr Nothing(const T&) {}  // takes what an entry gives, and keeps none of it
};
struct NoSource {
  Nothing authors, year, where, link;
};
struct NoWords {
  Nothing title, formula, sentence, note;
  NoSource source;
  Nothing learns;
};
struct Entry {
  NoWords words;
  Mechanism record;
  Nothing reference;
};
#else
struct Entry {
  Words words;
  Mechanism record;
  Reference reference;
};
#endif

}  // namespace attend
