// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "experiment/text/json_parse.h"

// The English words of data/catalogue/en. The build has checked that every id has its words (cmake/words.cmake).
namespace attend {

// The words of a mechanism, by its id: title, formula, sentence, note, source, how it learns, the titles of its knobs
// and slots. The page's modules link none of them: their host has them.
const Json& words_of(std::string_view id);
// The words of a measure: title, formula, sentence, what it tells, source, the titles of its knobs, its inputs. A
// measure and a loss may have the same id.
const Json& words_of_measure(std::string_view id);
// The words of a task: title, sentence, what a reader sees when it is learned, the titles of its knobs, its forms.
const Json& words_of_task(std::string_view id);

// The title of a setting among the words of a record. Throws std::logic_error, which names the record and the setting,
// where there is none.
const std::string& title_of_knob(const Json& words, std::string_view knob);

// Why two parts do not go together (catalogue/reason.h), in a sentence.
const std::string& sentence_of_reason(std::string_view id);

// Who published it first: authors, year, place in the text, link; empty where the words leave one out.
Json source_of(const Json& words);

// A text among words that may be left out: null where it is.
Json optional_words(const Json& words, std::string_view name);

}  // namespace attend
