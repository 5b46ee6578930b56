// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

#include "import/byte_source.h"

// A file of the disk, read by slices. Throws Error where it cannot be opened.
class FileSource : public attend::ByteSource {
 public:
  // `name`: what errors call it.
  FileSource(const std::filesystem::path& path, const std::string& name);
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 protected:
  void fetch(std::uint64_t first, std::span<char> room) const override;

 private:
  mutable std::ifstream stream_;
  std::uint64_t size_ = 0;
};
