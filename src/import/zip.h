// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "import/byte_source.h"

namespace attend {

// A file inside a zip archive.
struct ZipMember {
  std::string name;
  std::uint64_t header = 0;  // where its local header begins
  std::uint64_t bytes = 0;   // as stored
  std::uint16_t method = 0;  // 0: as it is, which is all that is read
};

// The directory of an archive, with the extension for more than 4 GB. Throws Error.
std::vector<ZipMember> read_zip(const SharedSource& file);

// The bytes of a member. Throws Error where it is compressed, saying how to save it without.
SharedSource open_member(const SharedSource& file, const ZipMember& member);

}  // namespace attend
