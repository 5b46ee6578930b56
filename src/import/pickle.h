// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "import/byte_source.h"

namespace attend {

struct PickleValue;
// Values belong to their Pickle: they are freed one after the other, however deep they lie in each other.
using Pickled = PickleValue*;

enum class PickleKind : std::uint8_t {
  none,
  boolean,
  whole,
  number,
  text,
  list,
  dictionary,
  global,
  made,
  persistent
};

// What a pickle describes. Nothing is run: `global` is a name, and `made` a call that is written down with what it was
// called with. It is small, because an opcode of one byte makes one.
struct PickleValue {
  PickleKind kind = PickleKind::none;
  std::int64_t whole = 0;  // of boolean too; of text and global: which text of the Pickle
  std::vector<Pickled>
      items;  // of list; of made: the function and its arguments; of dictionary: key, value, key, ..
};

struct Pickle {
  std::deque<PickleValue> values;
  std::deque<std::string> texts;  // of global: "module.name"
  Pickled root = nullptr;

  [[nodiscard]] const std::string& text(const PickleValue& value) const {
    return texts[static_cast<std::size_t>(value.whole)];
  }
};

// Reads a pickle by a closed list of the opcodes that torch.save writes for tensors, dictionaries, lists and numbers.
// Any other opcode, and any name of a function other than those which rebuild tensors and dictionaries, is
// refused by its name. Throws Error.
Pickle read_pickle(const SharedSource& file);
// The same for the pickle that begins at this byte, which then becomes the one after it.
Pickle read_pickle(const SharedSource& file, std::uint64_t& at);

}  // namespace attend
