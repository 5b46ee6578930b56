// SPDX-License-Identifier: Apache-2.0
#include "import/byte_source.h"

#include <algorithm>

#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t window_bytes = 1U << 16U;
constexpr std::uint64_t longest_line = 1U << 12U;

}  // namespace

void refuse_file(const ByteSource& file, const std::string& why) {
  refuse("", "\"" + file.name() + "\": " + why);
}

void ByteSource::check(std::uint64_t first, std::uint64_t count) const {
  if (count > size() || first > size() - count)
    refuse_file(*this, "the file is cut short: " + std::to_string(count) +
                           " bytes are needed from byte " + std::to_string(first) +
                           " on, but the file has " + std::to_string(size()));
}

void ByteSource::read(std::uint64_t first, std::span<char> room) const {
  check(first, room.size());
  fetch(first, room);
}

std::string ByteSource::text(std::uint64_t first, std::uint64_t count) const {
  // Asked before there is room for them: a file may claim any length.
  check(first, count);
  std::string text(static_cast<std::size_t>(count), '\0');
  read(first, text);
  return text;
}

void MemorySource::fetch(std::uint64_t first, std::span<char> room) const {
  std::copy_n(bytes_.data() + first, room.size(), room.data());
}

PartSource::PartSource(SharedSource whole, std::string name, std::uint64_t first,
                       std::uint64_t count)
    : ByteSource(std::move(name)), whole_(std::move(whole)), first_(first), count_(count) {
  if (count > whole_->size() || first > whole_->size() - count)
    refuse_file(*this, "the file is cut short: it should end at byte " +
                           std::to_string(first + count) + " of \"" + whole_->name() +
                           "\", which has " + std::to_string(whole_->size()));
}

void PartSource::fetch(std::uint64_t first, std::span<char> room) const {
  whole_->read(first_ + first, room);
}

void ByteReader::skip(std::uint64_t count) {
  if (count > left())
    refuse_file(*file_, "the file is cut short: it should have " + std::to_string(count) +
                            " more bytes, but only " + std::to_string(left()) + " are left");
  at_ += count;
}

const char* ByteReader::bytes(std::size_t count) {
  if (count > left()) skip(count);  // refuses
  const bool held = at_ >= window_at_ && at_ - window_at_ + count <= window_.size();
  if (!held) {
    window_ = file_->text(
        at_, std::min<std::uint64_t>(left(), std::max<std::uint64_t>(window_bytes, count)));
    window_at_ = at_;
  }
  const char* found = window_.data() + (at_ - window_at_);
  at_ += count;
  return found;
}

std::string ByteReader::text(std::uint64_t count) {
  if (count > left()) skip(count);  // refuses
  const auto size = static_cast<std::size_t>(count);
  return {bytes(size), size};
}

std::string ByteReader::line() {
  std::string text;
  while (text.size() < longest_line) {
    const char next = take<char>();
    if (next == '\n') return text;
    text += next;
  }
  refuse_file(*file_, "a line of more than " + std::to_string(longest_line) +
                          " bytes begins at byte " + std::to_string(at_ - longest_line));
}

}  // namespace attend
