// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "import/byte_source.h"

namespace attend {

struct PickleValue;
using Pickled = std::shared_ptr<PickleValue>;

enum class PickleKind {
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
// called with.
struct PickleValue {
  PickleKind kind = PickleKind::none;
  std::int64_t whole = 0;  // of boolean too
  double number = 0;
  std::string text;            // of global: "module.name"
  std::vector<Pickled> items;  // of list; of made: the function and its arguments
  std::vector<std::pair<Pickled, Pickled>> pairs;  // of dictionary
};

// Reads a pickle by a closed list of the opcodes that torch.save writes for tensors, dictionaries, lists and numbers.
// Any other opcode, and any name that stands for a function other than those which rebuild tensors and dictionaries, is
// refused by its name. Throws Error.
Pickled read_pickle(const SharedSource& file);

}  // namespace attend
