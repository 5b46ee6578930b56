// SPDX-License-Identifier: Apache-2.0
// Models of other programs, as the page's worker sees them (docs/import.md): the readers of src/import over files that
// the host reads by slices, their tokenizers, and the words that they write. It is a module of its own, fetched where
// somebody drops a model; what is wrong with a file is an answer.
#include <algorithm>
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/bytes.h"
#include "bindings/given_weights.h"
#include "experiment/files/tensor_file.h"
#include "experiment/files/tensor_header.h"
#include "experiment/service.h"
#include "import/choose_files.h"
#include "import/listing.h"
#include "import/text_session.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(ModelFiles)
EMSCRIPTEN_DECLARE_VAL_TYPE(ReadSlice)
EMSCRIPTEN_DECLARE_VAL_TYPE(TakeBytes)

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
  [[nodiscard]] unsigned index() const { return index_; }

 protected:
  void fetch(std::uint64_t first, std::span<char> room) const override {
    if (room.empty()) return;
    const val slice = read_(index_, static_cast<double>(first), static_cast<double>(room.size()));
    if (slice.isNull() || slice["length"].as<double>() != static_cast<double>(room.size()))
      attend::refuse_file(*this,
                          "it has changed or cannot be read at byte " + std::to_string(first));
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
  attend::StoreSteps store = {};
  attend::StepWriter writer = {};
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

// Somebody who drops all files of a folder drops a model twice, or what its training kept.
std::vector<attend::SharedSource> chosen(std::vector<attend::SharedSource> files, Json& left) {
  std::vector<std::string> names;
  for (const attend::SharedSource& file : files) names.push_back(file->name());
  const attend::FileChoice choice = attend::choose_files(names);
  const auto passed_over = [&](const attend::SharedSource& file) {
    return std::ranges::any_of(choice.left,
                               [&](const Json& one) { return one["file"] == file->name(); });
  };
  std::erase_if(files, passed_over);
  left = choice.left;
  return files;
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
    Json left = Json::array();
    fresh->checkpoint = attend::read_checkpoint(chosen(std::move(sources), left));
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
    answer["left_files"] = std::move(left);
    opened() = std::move(fresh);
    return text_of(answer);
  });
}

Opened& model_opened() {
  if (!opened()) attend::refuse("", "no model is open");
  return *opened();
}

const attend::StoreStep& step_at(unsigned k) {
  const auto& steps = model_opened().store.steps;
  if (k >= steps.size())
    attend::refuse("",
                   "there is no step " + std::to_string(k) + " of " + std::to_string(steps.size()));
  return steps[k];
}

// Where the numbers of a tensor lie among the host's files; null where they were unpacked out of them.
Json place_of(const attend::StoredTensor& tensor) {
  const auto [file, first] = tensor.file->place(tensor.first);
  const auto* const host = dynamic_cast<const HostSource*>(file);
  if (host == nullptr) return nullptr;
  return {{"file", host->index()}, {"first", first}, {"bytes", attend::bytes_spanned(tensor)}};
}

// All weights as one safetensors file, step by step: `take` gets what stands before the numbers. `small`: large
// matrices as bytes. {"document", which names that file, "bytes" of the file, "steps": [{"numbers", "lies",
// "passes"}]}: each step's bytes follow in order, those that pass as they lie in the host's file, the others as
// `convert` gives them.
std::string store(const std::string& from, const TakeBytes& take, bool small) {
  return attend::answer([&] {
    Opened& model = model_opened();
    model.writer = {};
    const auto numbers = small ? attend::StoreNumbers::bytes : attend::StoreNumbers::as_they_are;
    model.store =
        attend::plan_store(model.plan, attend::metadata_of(model.plan, model.checkpoint), numbers);
    take(view_of(model.store.head));
    Json steps = Json::array();
    for (const attend::StoreStep& step : model.store.steps) {
      Json lies = place_of(*step.source->tensor);
      const bool passes = step.passes && !lies.is_null();
      steps.push_back({{"numbers", attend::element_count(step.parts.back().shape)},
                       {"lies", std::move(lies)},
                       {"passes", passes}});
    }
    Json document = model.plan.document;
    document["parameters"] = {{"from", from}};
    return text_of({{"document", std::move(document)},
                    {"bytes", model.store.head.size() + attend::store_bytes(model.plan, numbers)},
                    {"steps", std::move(steps)}});
  });
}

// The bytes of a step, each time in memory that is used again.
std::string convert(unsigned k, const TakeBytes& take) {
  return attend::answer([&] {
    const auto write = [&](std::string_view bytes) { take(view_of(bytes)); };
    model_opened().writer.write(step_at(k), write);
    return std::string("{}");
  });
}

// Refuses numbers that are not finite among bytes that pass: those of a step from its byte `at` on, none cut in two.
std::string check(unsigned k, double at, const Uint8Array& part) {
  return attend::answer([&] {
    const attend::StoredTensor& tensor = *step_at(k).source->tensor;
    const std::uint64_t from = static_cast<std::uint64_t>(at) / attend::bytes_of(tensor.type, 1);
    const auto count = part["length"].as<std::size_t>();
    const auto bytes = std::make_unique_for_overwrite<char[]>(count);
    copy_bytes(part, {bytes.get(), count});
    attend::check_finite(tensor, from, {bytes.get(), count});
    return std::string("{}");
  });
}

// A model that was opened, for texts.
struct Written {
  // By the head of its file of so many bytes, which is all that stands before the numbers.
  Written(std::string_view head, std::uint64_t bytes) {
    if (head.size() < 8) attend::refuse_tensor_file("it has " + std::to_string(bytes) + " bytes");
    const std::uint64_t length = attend::header_length(head.substr(0, 8), bytes);
    if (head.size() < 8 + length)
      attend::refuse("", "expected a head of " + std::to_string(8 + length) + " bytes, found " +
                             std::to_string(head.size()));
    metadata = attend::read_tensor_header(head.substr(8, static_cast<std::size_t>(length)),
                                          bytes - 8 - length)
                   .metadata;
    const Json json = attend::metadata_json(metadata, "tokenizer");
    if (json.is_object()) tokenizer.emplace(json);
  }

  attend::Metadata metadata;
  std::optional<attend::Tokenizer> tokenizer;
  std::unique_ptr<attend::TextSession> session;
  std::string of;  // the document that the session runs, without its inputs
  std::string
      said;  // the document as the last call wrote it, so that the same text is not read again
};

std::map<std::string, Written>& written() {
  static std::map<std::string, Written> models;
  return models;
}

Written& model_named(const std::string& name) {
  const auto found = written().find(name);
  if (found == written().end()) attend::refuse("", "there are no weights named \"" + name + "\"");
  return found->second;
}

// A file of weights by the name that documents give, for its texts: {"writes", "tokenizer": how many pieces}. Its head
// is enough for that; what comes next needs its `weights`, too.
std::string hold(const std::string& name, double size, const Uint8Array& head) {
  return attend::answer([&] {
    written().erase(name);
    const Written& model =
        written().try_emplace(name, bytes_of(head), static_cast<std::uint64_t>(size)).first->second;
    return text_of({{"writes", attend::metadata_json(model.metadata, "writes")},
                    {"tokenizer", model.tokenizer ? Json(model.tokenizer->size()) : Json()}});
  });
}

// Drops a model that has no more texts to write, with its weights.
void forget(const std::string& name) {
  written().erase(name);
  forget_weights(name);
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

attend::PieceIds ids_of(const Json& list, const std::string& path = "") {
  const bool whole = list.is_array() && std::ranges::all_of(list, [](const Json& id) {
                       return id.is_number_unsigned();
                     });
  if (!whole) attend::refuse(path, "expected a list of whole numbers, found " + text_of(list));
  return list.get<attend::PieceIds>();
}

std::string decode(const std::string& name, const std::string& ids) {
  return attend::answer([&] {
    return text_of(attend::pieces_as_text(tokenizer_named(name), ids_of(attend::parse_json(ids))));
  });
}

// {"ids", "step", "temperature", "top_k", "top_p", "seed", "also"}: all but the ids may be left out.
attend::NextRequest request_of(const std::string& text) {
  const Json json = attend::parse_json(text);
  attend::NextRequest request;
  request.ids = json.at("ids").get<attend::PieceIds>();
  request.step = json.value("step", std::size_t{0});
  if (json.contains("also")) request.also = ids_of(json["also"], "/also");
  attend::Sampling& sampling = request.sampling;
  sampling.temperature = json.value("temperature", 0.0);
  sampling.top_k = json.value("top_k", std::size_t{0});
  sampling.top_p = json.value("top_p", 1.0);
  sampling.seed = json.value("seed", std::uint64_t{0});
  return request;
}

// A session for this document, unless the one of before runs the same with other inputs.
void prepare_session(Written& model, const std::string& name, const std::string& document) {
  Json json = attend::parse_json(document);
  Json bare = json;
  bare.erase("inputs");
  const std::string of = text_of(bare);
  if (!model.session || model.of != of) {
    // Weights that are missing are said before a session is made: one that failed once never runs row by row again.
    (void)attend::named_parameters(name);
    model.session.reset();  // before the next one takes as much memory
    model.session = std::make_unique<attend::TextSession>(json, model.metadata);
    model.of = of;
  }
  model.session->take_source(json);
  model.said = document;
}

// What comes after these pieces: the answer of TextSession::next to this request.
std::string next(const std::string& name, const std::string& document, const std::string& request) {
  return attend::answer([&] {
    Written& model = model_named(name);
    if (!model.session || model.said != document) prepare_session(model, name, document);
    return text_of(model.session->next(request_of(request)));
  });
}

// The answer of `next` for another document, by a session that ends with the call, so that the session of `next` keeps
// what it has of the text.
std::string next_beside(const std::string& name, const std::string& document,
                        const std::string& request) {
  return attend::answer([&] {
    attend::TextSession session(attend::parse_json(document), model_named(name).metadata);
    return text_of(session.next(request_of(request)));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(import) {
  emscripten::register_type<ModelFiles>("{ name: string; size: number }[]");
  emscripten::register_type<ReadSlice>(
      "(file: number, first: number, count: number) => Uint8Array | null");
  emscripten::register_type<TakeBytes>("(bytes: Uint8Array) => void");
  emscripten::register_type<Uint8Array>("Uint8Array");
  emscripten::function("open", &open);
  emscripten::function("store", &store);
  emscripten::function("convert", &convert);
  emscripten::function("check", &check);
  emscripten::function("hold", &hold);
  emscripten::function("forget", &forget);
  emscripten::function("weights", &given_weights);
  emscripten::function("encode", &encode);
  emscripten::function("decode", &decode);
  emscripten::function("next", &next);
  emscripten::function("nextBeside", &next_beside);
}
