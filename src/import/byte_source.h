// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attend {

// The bytes of one file, read in slices: from the disk, from memory, or from a file that was dropped on a page. The
// readers of formats use only this, so a file of several gigabytes is never held in memory as a whole.
class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // Fills the room with the bytes from `first` on. Throws Error, naming the file, where it ends before that.
  void read(std::uint64_t first, std::span<char> room) const;
  [[nodiscard]] std::string text(std::uint64_t first, std::uint64_t count) const;

  // A byte of a file, which may be that of a part of it.
  struct Place {
    const ByteSource* file;
    std::uint64_t first;
  };
  // Where the bytes from `first` on lie as they are.
  [[nodiscard]] virtual Place place(std::uint64_t first) const { return {this, first}; }

 protected:
  virtual void fetch(std::uint64_t first, std::span<char> room) const = 0;

 private:
  void check(std::uint64_t first, std::uint64_t count) const;

  std::string name_;
};

using SharedSource = std::shared_ptr<const ByteSource>;

// A file whose bytes are in memory already.
class MemorySource : public ByteSource {
 public:
  MemorySource(std::string name, std::string bytes)
      : ByteSource(std::move(name)), bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 protected:
  void fetch(std::uint64_t first, std::span<char> room) const override;

 private:
  std::string bytes_;
};

// Some bytes of another file, such as a member of an archive that is stored as it is.
class PartSource : public ByteSource {
 public:
  PartSource(SharedSource whole, std::string name, std::uint64_t first, std::uint64_t count);
  [[nodiscard]] std::uint64_t size() const override { return count_; }
  [[nodiscard]] Place place(std::uint64_t first) const override {
    return whole_->place(first_ + first);
  }

 protected:
  void fetch(std::uint64_t first, std::span<char> room) const override;

 private:
  SharedSource whole_;
  std::uint64_t first_, count_;
};

// Throws Error: what is wrong with this file.
[[noreturn]] void refuse_file(const ByteSource& file, const std::string& why);

// Numbers of a file in the order in which they come, little end first, read through a window.
class ByteReader {
 public:
  explicit ByteReader(SharedSource file, std::uint64_t at = 0) : file_(std::move(file)), at_(at) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t left() const { return file_->size() - at_; }
  [[nodiscard]] const ByteSource& file() const { return *file_; }
  void skip(std::uint64_t count);
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, bytes(sizeof(T)), sizeof(T));
    return value;
  }
  std::string text(std::uint64_t count);
  // Up to and without the next line break, which is passed.
  std::string line();

 private:
  const char* bytes(std::size_t count);

  SharedSource file_;
  std::uint64_t at_;
  std::string window_;
  std::uint64_t window_at_ = 0;
};

}  // namespace attend
