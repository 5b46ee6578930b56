// SPDX-License-Identifier: Apache-2.0
// Models of other programs, as the page's worker sees them (docs/import.md): the readers of src/import over files that
// the host reads by slices, their tokenizers, and the words that they write. It is a module of its own, fetched where
// somebody drops a model; what is wrong with a file is an answer.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/bytes.h"
#include "experiment/files/tensor_file.h"
#include "experiment/files/tensor_header.h"
#include "experiment/service.h"
#include "import/listing.h"
#include "import/text_session.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(ModelFiles)
EMSCRIPTEN_DECLARE_VAL_TYPE(ReadSlice)
EMSCRIPTEN_DECLARE_VAL_TYPE(StoreHost)

namespace {

using attend::Json;
using emscripten::val;

val view_of(std::span<const char> bytes) {
  return val(emscripten::typed_memory_view(bytes.size(),
                                           reinterpret_cast<const std::uint8_t*>(bytes.data())));
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A file of the host's, of which `read(index, first, count)` gives a slice as a Uint8Array, or null.
class HostSource : public attend::ByteSource {
 public:
  HostSource(std::string name, std::uint64_t size, unsigned index, val read)
      : ByteSource(std::move(name)), size_(size), index_(index), read_(std::move(read)) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 protected:
  void fetch(std::uint64_t first, std::span<char> room) const override {
    if (room.empty()) return;
    const val slice = read_(index_, static_cast<double>(first), static_cast<double>(room.size()));
    if (slice.isNull() || slice["length"].as<double>() != static_cast<double>(room.size()))
      attend::refuse_file(*this, "it changed, or cannot be read, at byte " + std::to_string(first));
    copy_bytes(slice, room);
  }

 private:
  std::uint64_t size_;
  unsigned index_;
  val read_;
};

struct Opened {
  attend::Checkpoint checkpoint;
  attend::ImportPlan plan;
};

std::unique_ptr<Opened>& opened() {
  static std::unique_ptr<Opened> held;
  return held;
}

// What a reader answered counts as the config of a model that came without one.
void take_answers(attend::Checkpoint& checkpoint, const std::string& answers) {
  const Json given = attend::parse_json(answers);
  if (!given.is_object()) attend::refuse("", "expected an object of answers, found " + answers);
  for (const auto& [key, value] : given.items()) {
    if (!checkpoint.config.contains(key)) checkpoint.config[key] = value;
  }
  if (checkpoint.config_name.empty() && !given.empty()) checkpoint.config_name = "your answer";
}

// What the files are together, as JSON: the report of `attend import` and what a reader is shown of each tensor; where
// a size is missing that a reader can give, {"question": {"key", "says", "choices"}}.
std::string open(const ModelFiles& files, const ReadSlice& read, const std::string& answers) {
  opened().reset();
  return attend::answer([&] {
    std::vector<attend::SharedSource> sources;
    const auto count = files["length"].as<unsigned>();
    for (unsigned i = 0; i < count; ++i)
      sources.push_back(std::make_shared<HostSource>(
          files[i]["name"].as<std::string>(),
          static_cast<std::uint64_t>(files[i]["size"].as<double>()), i, read));
    auto fresh = std::make_unique<Opened>();
    fresh->checkpoint = attend::read_checkpoint(sources);
    take_answers(fresh->checkpoint, answers);
    try {
      fresh->plan = attend::plan_import(fresh->checkpoint);
    } catch (const attend::SizeMissing& missing) {
      return text_of({{"question",
                       {{"key", missing.key},
                        {"says", missing.says},
                        {"choices", missing.choices},
                        {"message", missing.what()}}}});
    }
    attend::check_plan(fresh->plan);
    Json answer = fresh->plan.report;
    answer.update(attend::listing_of(fresh->checkpoint, fresh->plan));
    answer["bytes"] = attend::store_bytes(fresh->plan, attend::StoreNumbers::as_they_are);
    answer["small"] = attend::store_bytes(fresh->plan, attend::StoreNumbers::bytes);
    answer["writes"] = fresh->plan.writes;
    opened() = std::move(fresh);
    return text_of(answer);
  });
}

// Reads all weights and hands the host one safetensors file: `put(bytes)` its bytes in order, each time in memory that
// is used again, and `done(numbers, all)` after each tensor. `small`: large matrices as bytes. The answer is the
// document, which names that file.
std::string store(const std::string& from, const StoreHost& host, bool small) {
  return attend::answer([&] {
    if (!opened()) attend::refuse("", "no model is open");
    const Opened& model = *opened();
    attend::StoreWriter writer;
    if (small) writer.numbers = attend::StoreNumbers::bytes;
    writer.write = [&](std::string_view bytes) { host.call<void>("put", view_of(bytes)); };
    writer.done = [&](std::uint64_t done, std::uint64_t all) {
      host.call<void>("done", static_cast<double>(done), static_cast<double>(all));
    };
    attend::write_store(model.plan, attend::metadata_of(model.plan, model.checkpoint), writer);
    Json document = model.plan.document;
    document["parameters"] = {{"from", from}};
    return text_of(document);
  });
}

// A model that was opened, for texts.
struct Written {
  explicit Written(std::string_view bytes) {
    if (bytes.size() < 8)
      attend::refuse_tensor_file("it has " + std::to_string(bytes.size()) + " bytes");
    const auto length =
        static_cast<std::size_t>(attend::header_length(bytes.substr(0, 8), bytes.size()));
    metadata =
        attend::read_tensor_header(bytes.substr(8, length), bytes.size() - 8 - length).metadata;
    const Json json = attend::metadata_json(metadata, "tokenizer");
    if (json.is_object()) tokenizer.emplace(json);
  }

  attend::Metadata metadata;
  std::optional<attend::Tokenizer> tokenizer;
  std::unique_ptr<attend::TextSession> session;
  std::string of;  // the document that the session runs, without its inputs
};

std::map<std::string, Written>& written() {
  static std::map<std::string, Written> models;
  return models;
}

Written& model_named(const std::string& name) {
  const auto found = written().find(name);
  if (found == written().end())
    attend::refuse("", "there are no weights of the name \"" + name + "\"");
  return found->second;
}

// A file of weights by the name that documents give: {"writes", "tokenizer": how many pieces}.
std::string hold(const std::string& name, const FileBytes& file) {
  return attend::answer([&] {
    written().erase(name);
    std::string bytes = bytes_of(file);
    const Written& model = written().try_emplace(name, bytes).first->second;
    attend::give_parameters(name, std::move(bytes));
    return text_of({{"writes", attend::metadata_json(model.metadata, "writes")},
                    {"tokenizer", model.tokenizer ? Json(model.tokenizer->size()) : Json()}});
  });
}

const attend::Tokenizer& tokenizer_named(const std::string& name) {
  const Written& model = model_named(name);
  if (!model.tokenizer)
    attend::refuse("", "the model came without a tokenizer; give token numbers");
  return *model.tokenizer;
}

std::string encode(const std::string& name, const std::string& text) {
  return attend::answer(
      [&] { return text_of(attend::text_as_pieces(tokenizer_named(name), text)); });
}

attend::PieceIds ids_of(const std::string& text) {
  const Json list = attend::parse_json(text);
  const bool whole = list.is_array() && std::ranges::all_of(list, [](const Json& id) {
                       return id.is_number_unsigned();
                     });
  if (!whole) attend::refuse("", "expected a list of whole numbers, found " + text);
  return list.get<attend::PieceIds>();
}

std::string decode(const std::string& name, const std::string& ids) {
  return attend::answer(
      [&] { return text_of(attend::pieces_as_text(tokenizer_named(name), ids_of(ids))); });
}

attend::Sampling sampling_of(const Json& json) {
  attend::Sampling sampling;
  sampling.temperature = json.value("temperature", 0.0);
  sampling.top_k = json.value("top_k", std::size_t{0});
  sampling.top_p = json.value("top_p", 1.0);
  sampling.seed = json.value("seed", std::uint64_t{0});
  return sampling;
}

// What comes after these pieces: `request` is {"ids", "step", "temperature", "top_k", "top_p", "seed"}, the answer that
// of TextSession::next.
std::string next(const std::string& name, const std::string& document, const std::string& request) {
  return attend::answer([&] {
    Written& model = model_named(name);
    const Json asked = attend::parse_json(request);
    Json json = attend::parse_json(document);
    Json bare = json;
    bare.erase("inputs");
    const std::string of = text_of(bare);
    if (!model.session || model.of != of) {
      model.session.reset();  // before the next one takes as much memory
      model.session = std::make_unique<attend::TextSession>(std::move(json), model.metadata);
      model.of = of;
    }
    return text_of(model.session->next(asked.at("ids").get<attend::PieceIds>(), sampling_of(asked),
                                       asked.value("step", std::size_t{0})));
  });
}

// The answer of `next` without int8 activations, by a session that ends with the call, so that the other one keeps what
// it has of the text.
std::string unrounded(const std::string& name, const std::string& document,
                      const std::string& request) {
  return attend::answer([&] {
    const Json asked = attend::parse_json(request);
    Json json = attend::parse_json(document);
    json["parameters"].erase("activations");
    attend::TextSession session(std::move(json), model_named(name).metadata);
    return text_of(session.next(asked.at("ids").get<attend::PieceIds>(), sampling_of(asked),
                                asked.value("step", std::size_t{0})));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(import) {
  emscripten::register_type<ModelFiles>("{ name: string; size: number }[]");
  emscripten::register_type<ReadSlice>(
      "(file: number, first: number, count: number) => Uint8Array | null");
  emscripten::register_type<StoreHost>(
      "{ put(bytes: Uint8Array): void; done(numbers: number, all: number): void }");
  emscripten::register_type<FileBytes>(file_bytes_type);
  emscripten::function("open", &open);
  emscripten::function("store", &store);
  emscripten::function("hold", &hold);
  emscripten::function("encode", &encode);
  emscripten::function("decode", &decode);
  emscripten::function("next", &next);
  emscripten::function("unrounded", &unrounded);
}
