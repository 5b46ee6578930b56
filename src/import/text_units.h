// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "import/character_set.h"

// Text as characters and what kind of character each is, as far as tokenizers split by it.
namespace attend {

// The code points of UTF-8; a byte that belongs to none becomes U+FFFD.
std::u32string characters_of(std::string_view text);
// The same to read: a byte that belongs to no character is spelled, "<0xE2>".
std::string shown_bytes(std::string_view bytes);
// Whether each byte belongs to a character.
bool is_whole_text(std::string_view bytes);
std::string utf8_of(char32_t character);
std::string utf8_of(std::u32string_view text);

bool is_letter(char32_t c);
bool is_number(char32_t c);
bool is_mark(char32_t c);
// Of any kind, also one that takes room of its own.
bool is_any_mark(char32_t c);
// As \d has it: the decimal digits of all scripts.
bool is_digit(char32_t c);
bool is_symbol(char32_t c);
// Which kind of letter a letter is.
CharacterKind letter_kind(char32_t c);
// Whether it is written in this script, which is one of those that CharacterKind lists.
bool is_of_script(char32_t c, CharacterKind script);
bool is_space(char32_t c);
bool is_control(char32_t c);
// As BERT has it: every sign of ASCII that is no letter and no digit, and Unicode's punctuation.
bool is_punctuation(char32_t c);
bool is_ideograph(char32_t c);
// Its lower case, of as many characters as that has.
std::u32string lower_of(char32_t c);

// GPT-2's stand-ins for bytes: each byte is a character that can be printed.
char32_t stand_in_of(unsigned char byte);
// The byte of a stand-in, or -1.
int byte_of(char32_t stand_in);

}  // namespace attend
