// SPDX-License-Identifier: Apache-2.0
// Zip archives as NumPy and PyTorch write them: members stored as they are, the directory at the end.
#include "import/zip.h"

#include <algorithm>

namespace attend {
namespace {

constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50,
                        end_mark_64 = 0x06064b50;
constexpr std::uint64_t end_bytes = 22, most_comment = 65'535, locator_bytes = 20;
constexpr std::uint64_t most_members = 1U << 20U;
constexpr std::uint32_t see_extension = 0xffffffff;

struct ZipDirectory {
  std::uint64_t at = 0, count = 0;
};

// Where the record at the end of the archive begins.
std::uint64_t find_end(const SharedSource& file) {
  const std::uint64_t size = file->size(), tail = std::min(size, end_bytes + most_comment);
  const std::string text = file->text(size - tail, tail);
  const std::size_t at = text.rfind(std::string("PK\5\6", 4));
  if (at == std::string::npos || text.size() - at < end_bytes)
    refuse_file(*file, "it has no directory at its end: it is cut short, or not a zip archive");
  return size - tail + at;
}

ZipDirectory find_directory(const SharedSource& file) {
  const std::uint64_t end = find_end(file);
  ByteReader in(file, end);
  if (in.take<std::uint32_t>() != end_mark) refuse_file(*file, "its directory is damaged");
  in.skip(6);
  ZipDirectory found;
  found.count = in.take<std::uint16_t>();
  in.skip(4);
  found.at = in.take<std::uint32_t>();
  if (found.at != see_extension && found.count != 0xffff) return found;
  if (end < locator_bytes) return found;
  ByteReader locator(file, end - locator_bytes + 8);
  const auto wide = locator.take<std::uint64_t>();
  if (wide >= file->size()) return found;
  ByteReader more(file, wide);
  if (more.take<std::uint32_t>() != end_mark_64) return found;
  more.skip(28);
  found.count = more.take<std::uint64_t>();
  more.skip(8);
  found.at = more.take<std::uint64_t>();
  return found;
}

// Sizes that do not fit into 32 bits stand in an extension of the entry.
void read_extension(ByteReader in, std::uint64_t bytes, bool wide_size, bool wide_stored,
                    bool wide_at, ZipMember& member) {
  while (bytes >= 4) {
    const auto id = in.take<std::uint16_t>();
    const std::uint64_t length = in.take<std::uint16_t>();
    if (length + 4 > bytes) return;
    if (id == 1) {
      std::uint64_t left = length;
      const auto next = [&](bool present) -> std::uint64_t {
        if (!present || left < 8) return 0;
        left -= 8;
        return in.take<std::uint64_t>();
      };
      (void)next(wide_size);
      if (wide_stored) member.bytes = next(true);
      if (wide_at) member.header = next(true);
      return;
    }
    in.skip(length);
    bytes -= length + 4;
  }
}

ZipMember read_entry(ByteReader& in, const SharedSource& file) {
  if (in.take<std::uint32_t>() != entry_mark)
    refuse_file(*file, "its directory is damaged at byte " + std::to_string(in.at() - 4));
  ZipMember member;
  in.skip(6);
  member.method = in.take<std::uint16_t>();
  in.skip(8);
  const auto stored = in.take<std::uint32_t>(), size = in.take<std::uint32_t>();
  const auto name = in.take<std::uint16_t>(), extension = in.take<std::uint16_t>(),
             comment = in.take<std::uint16_t>();
  in.skip(8);
  const auto at = in.take<std::uint32_t>();
  member.bytes = stored;
  member.header = at;
  member.name = in.text(name);
  read_extension(ByteReader(file, in.at()), std::min<std::uint64_t>(extension, in.left()),
                 size == see_extension, stored == see_extension, at == see_extension, member);
  in.skip(std::uint64_t{extension} + comment);
  return member;
}

}  // namespace

std::vector<ZipMember> read_zip(const SharedSource& file) {
  const ZipDirectory directory = find_directory(file);
  if (directory.at >= file->size() || directory.count > most_members)
    refuse_file(*file, "its directory should have " + std::to_string(directory.count) +
                           " entries at byte " + std::to_string(directory.at) +
                           ", but the file has " + std::to_string(file->size()) + " bytes");
  ByteReader in(file, directory.at);
  std::vector<ZipMember> members;
  for (std::uint64_t i = 0; i < directory.count; ++i) members.push_back(read_entry(in, file));
  return members;
}

SharedSource open_member(const SharedSource& file, const ZipMember& member) {
  if (member.method != 0)
    refuse_file(*file,
                "\"" + member.name +
                    "\" in the archive is compressed, and compressed files cannot be read; " +
                    (member.name.ends_with(".npy")
                         ? "save it with np.savez in place of np.savez_compressed, or pack it "
                           "again with zip -0"
                         : "save it again with torch.save, which does not compress"));
  if (member.header >= file->size())
    refuse_file(*file, "\"" + member.name + "\" in the archive should begin at byte " +
                           std::to_string(member.header) + ", beyond the end of the file");
  ByteReader in(file, member.header);
  if (in.take<std::uint32_t>() != local_mark)
    refuse_file(*file, "\"" + member.name + "\" is not where its directory says");
  in.skip(22);
  const auto name = in.take<std::uint16_t>(), extension = in.take<std::uint16_t>();
  in.skip(std::uint64_t{name} + extension);
  return std::make_shared<PartSource>(file, file->name() + "/" + member.name, in.at(),
                                      member.bytes);
}

}  // namespace attend
