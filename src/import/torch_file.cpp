// SPDX-License-Identifier: Apache-2.0
// What torch.save writes. Since PyTorch 1.6: a zip with data.pkl, which describes the tensors, and one member per
// storage, data/0, data/1, .. Before: five pickles (a magic number, the version, the machine, the tensors, the keys of
// the storages), then each storage with its count of numbers in front.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "import/checkpoint.h"
#include "import/pickle.h"
#include "import/zip.h"

namespace attend {
namespace {

constexpr int most_part_nesting = 8;
constexpr std::size_t most_name = 4096;

bool is_state(std::string_view key) {
  return key == "state_dict" || key == "model" || key == "model_state_dict";
}

NumberType storage_type_of(std::string_view storage) {
  if (storage == "torch.FloatStorage") return NumberType::f32;
  if (storage == "torch.DoubleStorage") return NumberType::f64;
  if (storage == "torch.HalfStorage") return NumberType::f16;
  if (storage == "torch.BFloat16Storage") return NumberType::bf16;
  if (storage == "torch.LongStorage") return NumberType::i64;
  if (storage == "torch.IntStorage") return NumberType::i32;
  if (storage == "torch.ShortStorage") return NumberType::i16;
  if (storage == "torch.CharStorage") return NumberType::i8;
  if (storage == "torch.ByteStorage" || storage == "torch.BoolStorage") return NumberType::u8;
  return NumberType::unknown;
}

class TorchFile {
 public:
  TorchFile(SharedSource file, Checkpoint& into) : file_(std::move(file)), into_(into) {}

  void read_zipped() {
    for (ZipMember& member : read_zip(file_)) {
      const std::string name = member.name;
      if (name.ends_with("/data.pkl")) folder_ = name.substr(0, name.size() - 8);
      members_.emplace(name, std::move(member));
    }
    if (folder_.empty() || !members_.contains(folder_ + "data.pkl"))
      refuse_file(*file_, "this zip archive has no data.pkl: torch.save did not write it");
    const auto order = members_.find(folder_ + "byteorder");
    if (order != members_.end()) {
      const SharedSource text = open_member(file_, order->second);
      if (text->text(0, std::min<std::uint64_t>(text->size(), 6)) != "little")
        refuse_file(*file_, "its numbers are big-endian");
    }
    pickle_ = read_pickle(open_member(file_, members_.at(folder_ + "data.pkl")));
    read_tensors();
  }

  void read_old(std::uint64_t at) {
    (void)read_pickle(file_, at);  // the version, which has been the same for all such files
    const Pickle machine = read_pickle(file_, at);
    for (std::size_t i = 0; i + 1 < machine.root->items.size(); i += 2) {
      const PickleValue &key = *machine.root->items[i], &value = *machine.root->items[i + 1];
      if (key.kind == PickleKind::text && machine.text(key) == "little_endian" && value.whole == 0)
        refuse_file(*file_, "its numbers are big-endian");
    }
    pickle_ = read_pickle(file_, at);
    find_old_storages(at);
    read_tensors();
  }

 private:
  void read_tensors() {
    if (pickle_.root->kind != PickleKind::dictionary)
      refuse_file(*file_, "it holds no dictionary of tensors; save model.state_dict()");
    walk(*pickle_.root, "", 0);
  }

  // The storages follow one another, those of an optimizer too, so the type of each is needed to find the next.
  void find_old_storages(std::uint64_t at) {
    std::map<std::string, NumberType, std::less<>> types;
    for (const PickleValue& value : pickle_.values) {
      if (value.kind != PickleKind::persistent || value.items[0]->items.size() < 3) continue;
      const std::vector<Pickled>& storage = value.items[0]->items;
      if (storage[1]->kind == PickleKind::global && storage[2]->kind == PickleKind::text)
        types[pickle_.text(*storage[2])] = storage_type_of(pickle_.text(*storage[1]));
    }
    const Pickle keys = read_pickle(file_, at);
    for (const Pickled key : keys.root->items) {
      const auto type = types.find(key->kind == PickleKind::text ? keys.text(*key) : "");
      if (type == types.end() || type->second == NumberType::unknown)
        refuse_file(*file_, "its pickle lists numbers of an unknown type; save model.state_dict()");
      if (storages_.contains(type->first))
        refuse_file(*file_, "its pickle lists the storage \"" + type->first + "\" twice");
      // A reader with a window would read far more than the count, for every storage.
      std::uint64_t count = 0;
      std::array<char, sizeof(count)> stored{};
      file_->read(at, stored);
      std::memcpy(&count, stored.data(), sizeof(count));
      at += sizeof(count);
      if (count > file_->size() || bytes_of(type->second, count) > file_->size() - at)
        refuse_file(*file_, "the file is cut short: it should have " + std::to_string(count) +
                                " more numbers from byte " + std::to_string(at) + " on");
      const std::uint64_t bytes = bytes_of(type->second, count);
      storages_[type->first] = std::make_shared<PartSource>(file_, file_->name(), at, bytes);
      at += bytes;
    }
  }

  // The numbers that tensors share, by their key; null where the file has none.
  SharedSource storage_of(const std::string& key) {
    if (folder_.empty()) {
      const auto found = storages_.find(key);
      return found == storages_.end() ? nullptr : found->second;
    }
    const auto member = members_.find(folder_ + "data/" + key);
    return member == members_.end() ? nullptr : open_member(file_, member->second);
  }

  // Tensors by their keys. Checkpoints often keep the weights in a dictionary among others. A dictionary that is in
  // several others is walked once: some bytes could otherwise describe any number of visits.
  void walk(const PickleValue& dictionary, const std::string& prefix, int depth) {
    if (depth > most_part_nesting || !walked_.insert(&dictionary).second) return;
    // The weights come first, so that they keep their plain names.
    for (const bool weights : {true, false}) {
      for (std::size_t i = 0; i < dictionary.items.size(); i += 2) {
        const PickleValue &key = *dictionary.items[i], &value = *dictionary.items[i + 1];
        if (key.kind != PickleKind::text || is_state(pickle_.text(key)) != weights) continue;
        const std::string& own = pickle_.text(key);
        if (prefix.size() + own.size() > most_name)
          refuse_file(*file_, "its pickle has a name of more than " + std::to_string(most_name) +
                                  " bytes: \"" + (prefix + own).substr(0, 40) + "..\"");
        const std::string name = prefix + own;
        if (value.kind == PickleKind::dictionary) {
          walk(value, weights ? "" : name + ".", depth + 1);
        } else if (value.kind == PickleKind::made) {
          add(value, name);
        } else if (prefix == "model_args.") {
          set(own, value);
        }
      }
    }
  }

  // A training that keeps the sizes of its model keeps them so: no config.json is needed then.
  void set(const std::string& name, const PickleValue& value) {
    if (value.kind == PickleKind::boolean) into_.config[name] = value.whole != 0;
    if (value.kind == PickleKind::whole) into_.config[name] = value.whole;
    into_.config_name = file_->name();
  }

  [[noreturn]] void refuse_description(const std::string& name) {
    refuse_file(*file_, "the pickle describes the tensor \"" + name + "\" in an unknown way");
  }

  void add(const PickleValue& call, const std::string& name) {
    const PickleValue* made = &call;
    if (pickle_.text(*made->items[0]) == "torch._utils._rebuild_parameter") {
      const std::vector<Pickled>& inner = made->items[1]->items;
      if (inner.empty() || inner[0]->kind != PickleKind::made) refuse_description(name);
      made = inner[0];
      if (pickle_.text(*made->items[0]) != "torch._utils._rebuild_tensor_v2")
        refuse_description(name);
    }
    if (pickle_.text(*made->items[0]) != "torch._utils._rebuild_tensor_v2") return;
    const std::vector<Pickled>& arguments = made->items[1]->items;
    if (arguments.size() < 4 || arguments[0]->kind != PickleKind::persistent)
      refuse_description(name);
    const std::vector<Pickled>& storage =
        arguments[0]->items[0]->items;  // 'storage', type, key, where, count, view
    if (storage.size() < 3 || storage[1]->kind != PickleKind::global ||
        storage[2]->kind != PickleKind::text)
      refuse_description(name);
    const std::string& key = pickle_.text(*storage[2]);
    const SharedSource numbers = storage_of(key);
    const std::string member = (folder_.empty() ? "" : "data/") + key;
    if (numbers == nullptr)
      refuse_file(*file_, "the numbers of the tensor \"" + name + "\" are missing: there is no \"" +
                              member + "\"");
    StoredTensor tensor;
    tensor.name = name;
    tensor.type_name = pickle_.text(*storage[1]);
    tensor.type = storage_type_of(tensor.type_name);
    tensor.advice = "convert it with tensor.float() before torch.save";
    tensor.file = numbers;
    tensor.first = bytes_of(tensor.type, whole(*arguments[1], name) + first_of_view(storage, name));
    for (const Pickled& extent : arguments[2]->items)
      tensor.shape.push_back(static_cast<std::size_t>(whole(*extent, name)));
    for (const Pickled& stride : arguments[3]->items)
      tensor.strides.push_back(whole(*stride, name));
    if (tensor.shape.size() != tensor.strides.size()) refuse_description(name);
    into_.add(std::move(tensor));
  }

  // Before PyTorch 0.4, a storage could be a view of another one: its key, where it begins, and its count.
  std::uint64_t first_of_view(const std::vector<Pickled>& storage, const std::string& name) {
    if (storage.size() < 6 || storage[5]->kind == PickleKind::none) return 0;
    if (storage[5]->kind != PickleKind::list || storage[5]->items.size() != 3)
      refuse_description(name);
    return whole(*storage[5]->items[1], name);
  }

  std::uint64_t whole(const PickleValue& value, const std::string& name) {
    constexpr std::int64_t most = std::int64_t{1} << 40U;
    if (value.kind != PickleKind::whole || value.whole < 0 || value.whole > most)
      refuse_description(name);
    return static_cast<std::uint64_t>(value.whole);
  }

  SharedSource file_;
  Checkpoint& into_;
  Pickle pickle_;
  std::set<const PickleValue*> walked_;
  std::map<std::string, ZipMember, std::less<>> members_;  // of the zip
  std::string folder_;
  std::map<std::string, SharedSource, std::less<>> storages_;  // of an old file
};

// Where the pickles after the magic number of an old file begin; 0 where the file does not begin with it.
std::uint64_t after_old_magic(const ByteSource& file) {
  constexpr std::string_view magic = "\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.";
  constexpr std::uint64_t most_before = 16;  // the protocol, and the frame of protocol 4
  const std::string begin =
      file.text(0, std::min<std::uint64_t>(file.size(), most_before + magic.size()));
  const std::size_t found = begin.find(magic);
  return found == std::string::npos ? 0 : found + magic.size();
}

}  // namespace

bool is_old_torch(const ByteSource& file) { return after_old_magic(file) != 0; }

void read_torch(const SharedSource& file, Checkpoint& into) {
  if (const std::uint64_t at = after_old_magic(*file); at != 0)
    TorchFile(file, into).read_old(at);
  else
    TorchFile(file, into).read_zipped();
  into.format = "pickle";
  into.files.push_back(file->name());
}

}  // namespace attend
