// SPDX-License-Identifier: Apache-2.0
#include "cli/file_source.h"

#include "ops/error.h"

FileSource::FileSource(const std::filesystem::path& path, const std::string& name)
    : ByteSource(name), stream_(path, std::ios::binary) {
  std::error_code none;
  if (!stream_ || !std::filesystem::is_regular_file(path, none))
    attend::refuse("", "cannot read the file \"" + path.string() + "\"");
  size_ = std::filesystem::file_size(path, none);
}

void FileSource::fetch(std::uint64_t first, std::span<char> room) const {
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(first));
  stream_.read(room.data(), static_cast<std::streamsize>(room.size()));
  if (stream_.gcount() != static_cast<std::streamsize>(room.size()))
    attend::refuse_file(*this, "it has changed or cannot be read at byte " + std::to_string(first));
}
