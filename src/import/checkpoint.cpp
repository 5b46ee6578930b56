// SPDX-License-Identifier: Apache-2.0
#include "import/checkpoint.h"

#include <algorithm>
#include <set>

#include "import/config_lists.h"
#include "import/example_text.h"
#include "import/zip.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t most_json = std::uint64_t{64} << 20U;
constexpr std::size_t most_tensors = std::size_t{1} << 16U, most_names = 8, longest_name = 4096;

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string listed(const std::set<std::string>& names) {
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > most_names)
      return list + " and " + std::to_string(names.size() - most_names) + " more";
    list += (list.empty() ? "" : ", ") + name;
  }
  return list;
}

// An index names the file of each tensor: all of them must be there, and have it.
void check_index(const ByteSource& index, const std::vector<SharedSource>& files,
                 const Checkpoint& checkpoint) {
  const Json json = read_json_file(index);
  if (!json.is_object() || !json.contains("weight_map"))
    refuse_file(index,
                "expected an object with \"weight_map\", which names the file of each tensor");
  const Json map = json.is_object() ? json.value("weight_map", Json::object()) : Json::object();
  std::set<std::string> given, missing, absent;
  for (const SharedSource& file : files) given.insert(file_name(file->name()));
  for (const auto& [tensor, name] : map.items()) {
    const std::string file = name.is_string() ? name.get<std::string>() : name.dump();
    if (!given.contains(file)) missing.insert(file);
    if (!checkpoint.tensors.contains(tensor)) absent.insert(tensor);
  }
  if (!missing.empty())
    refuse_file(index, "it names files that are not among those given: " + listed(missing));
  if (!absent.empty())
    refuse_file(index, "it names tensors that none of the files has: " + listed(absent) +
                           ". A file is damaged or from another version: download the files again");
}

std::string named(const std::vector<std::string>& files) {
  std::set<std::string> names(files.begin(), files.end());
  return names.empty() ? "" : " (" + listed(names) + ")";
}

bool begins(const ByteSource& file, std::string_view with) {
  return file.size() >= with.size() && file.text(0, with.size()) == with;
}

void read_zip_archive(const SharedSource& file, Checkpoint& into) {
  const auto members = read_zip(file);
  const bool torch = std::ranges::any_of(
      members, [](const ZipMember& member) { return member.name.ends_with("/data.pkl"); });
  torch ? read_torch(file, into) : read_npz(file, into);
}

bool describes_pooling(const Json& settings) {
  return std::ranges::any_of(
      settings.items(), [](const auto& one) { return one.key().starts_with("pooling_mode_"); });
}

Checkpoint::Pooling pooling_of(const ByteSource& file, const Json& settings) {
  std::set<std::string> modes;
  for (const auto& [name, value] : settings.items()) {
    if (name.starts_with("pooling_mode_") && value == true) modes.insert(name);
  }
  // A folder has a config.json of the model, too.
  const bool in_folder = file.name().find('/') != std::string::npos;
  Checkpoint::Pooling pooling{.file = (in_folder ? "" : "1_Pooling/") + file.name(),
                              .mode = "",
                              .chosen = modes.empty() ? "none of its modes" : listed(modes)};
  if (pooling.chosen == "pooling_mode_mean_tokens") pooling.mode = "mean";
  if (pooling.chosen == "pooling_mode_cls_token") pooling.mode = "first";
  if (pooling.chosen == "pooling_mode_max_tokens") pooling.mode = "max";
  if (pooling.chosen == "pooling_mode_lasttoken") pooling.mode = "last";
  return pooling;
}

// modules.json of sentence-transformers lists what is done to a text, one module after the other: only a Normalize that
// directly follows the Pooling is computed.
void take_modules(const ByteSource& file, Checkpoint& into) {
  const Json modules = read_json_file(file);
  if (!modules.is_array()) refuse_file(file, "expected a list, found " + describe(modules));
  bool pools = false;
  for (const Json& one : modules) {
    const Json type = one.is_object() ? one.value("type", Json()) : Json();
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    if (name.ends_with(".Pooling")) {
      pools = true;
    } else if (pools && name.ends_with(".Normalize") && into.pooling.left.empty()) {
      into.pooling.unit = true;
    } else if (pools) {
      const Json path = one.value("path", Json());
      into.pooling.left.push_back(path.is_string() ? path.get<std::string>() : name);
    }
  }
}

// What completes the older form of a tokenizer. A damaged file only costs the tokenizer, not the model.
Json beside_vocabulary(const ByteSource& file, Checkpoint& into) {
  try {
    Json json = read_json_file(file);
    if (!json.is_object()) refuse_file(file, "expected an object, found " + describe(json));
    return json;
  } catch (const Error& error) {
    into.tokenizer_damage = error.what();
    return Json::object();
  }
}

void read_json(const ByteSource& file, const std::string& name,
               const std::vector<SharedSource>& files, Checkpoint& into) {
  into.files.push_back(file.name());
  if (name.ends_with(".index.json")) return check_index(file, files, into);
  if (name == "tokenizer_config.json" || name == "added_tokens.json") {
    Json& place = name == "added_tokens.json" ? into.added_tokens : into.tokenizer_settings;
    place = beside_vocabulary(file, into);
    return;
  }
  if (name == "modules.json") return take_modules(file, into);
  Json json = read_json_file(file);
  if (!json.is_object()) refuse_file(file, "expected an object, found " + describe(json));
  // minGPT's config.json has a "model", too.
  if (name == "generation_config.json") {
    into.generation = std::move(json);
  } else if (describes_pooling(json)) {
    Checkpoint::Pooling pooling = pooling_of(file, json);
    pooling.unit = into.pooling.unit;
    pooling.left = std::move(into.pooling.left);
    into.pooling = std::move(pooling);
    into.files.back() = into.pooling.file;
  } else if (name == "vocab.json") {
    into.vocabulary = std::move(json);
    into.vocabulary_name = file.name();
  } else if (name != "config.json" && json.contains("model") && json["model"].is_object()) {
    into.tokenizer = std::move(json);
    into.tokenizer_name = file.name();
  } else if (name == "preprocessor_config.json") {
    into.preprocessor = std::move(json);
    into.preprocessor_name = file.name();
  } else if (name == "config.json" || json.contains("model_type") ||
             json.contains("architectures")) {
    into.config = std::move(json);
    take_text_settings(into.config);
    into.config_name = file.name();
  }  // others, such as special_tokens_map.json, say nothing that is needed
}

// Newer releases say only there how an encoder and a decoder begin and end a text.
void take_tokens_of_generation(Checkpoint& into) {
  if (!into.generation.contains("decoder_start_token_id")) return;
  for (const char* const key :
       {"decoder_start_token_id", "eos_token_id", "pad_token_id", "forced_bos_token_id"}) {
    const bool is_given = !into.config.value(key, Json()).is_null();
    if (!is_given && into.generation.contains(key)) into.config[key] = into.generation[key];
  }
}

void read_one(const SharedSource& file, const std::vector<SharedSource>& files, Checkpoint& into) {
  const std::string name = file_name(file->name());
  if (name.ends_with(".json")) return read_json(*file, name, files, into);
  if (is_piece_file(name)) {
    into.files.push_back(file->name());
    into.piece_files.push_back(file);
    return;
  }
  if (is_vocabulary_file(name)) {
    into.files.push_back(file->name());
    into.vocabulary_file = file;
    return;
  }
  if (begins(*file, "GGUF")) return read_gguf(file, into);
  if (begins(*file, "PK\3\4")) return read_zip_archive(file, into);
  if (begins(*file, "\x93NUMPY")) {
    into.files.push_back(file->name());
    into.format = "npz";
    return read_npy(file, name.substr(0, name.rfind(".npy")), into);
  }
  if (name.ends_with(".safetensors")) return read_safetensors(file, into);
  if (name.ends_with(".gguf")) refuse_file(*file, "it does not begin with \"GGUF\"");
  if (name.ends_with(".npz")) refuse_file(*file, "it is not a zip archive");
  if (is_old_torch(*file)) return read_torch(file, into);
  if (begins(*file, "\x80") && name.starts_with("pytorch"))
    refuse_file(
        *file,
        "it is a pickle without PyTorch's archive around it, and only such archives are read. "
        "Convert it: torch.save(tensors_by_name, \"" +
            name + "\")");
  if (name.starts_with("tok") && name.ends_with(".bin")) return read_llama2c_tokenizer(file, into);
  if (name.ends_with(".bin")) return read_llama2c(file, into);
  refuse_file(*file,
              "this kind of file cannot be read; known are .safetensors, .gguf, .npz, .npy, "
              "pytorch_model.bin, .bin of llama2.c, config.json, tokenizer.json, vocab.txt, "
              "merges.txt, source.spm, spiece.model");
}

}  // namespace

void Checkpoint::add(StoredTensor tensor) {
  if (tensor.name.size() > longest_name)
    refuse_file(*tensor.file, "the name of a tensor has " + std::to_string(tensor.name.size()) +
                                  " bytes; at most " + std::to_string(longest_name) + " are read");
  check_inside(tensor);
  if (tensors.size() >= most_tensors)
    refuse_file(*tensor.file, "the model has more than " + std::to_string(most_tensors) +
                                  " tensors, the limit: give the files of one model only");
  const auto [place, fresh] = tensors.try_emplace(tensor.name, tensor);
  if (!fresh)
    refuse_file(*tensor.file, "the tensor \"" + tensor.name + "\" is also in \"" +
                                  place->second.file->name() +
                                  "\"; give the files of one model only");
}

Json read_json_file(const ByteSource& file) {
  if (file.size() > most_json)
    refuse_file(file, "it has " + std::to_string(file.size()) + " bytes; at most " +
                          std::to_string(most_json) + " are read");
  Json json = parse_foreign_json(file.text(0, file.size()), "\"" + file.name() + "\"");
  if (json.is_discarded()) refuse_file(file, "this is not JSON");
  return json;
}

Json parse_foreign_json(std::string_view text, const std::string& from) {
  // Not parse_json: a tokenizer is larger than any document. Copies of a value and what reads it follow its depth, so
  // this is bounded before it is parsed.
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_nesting)
        refuse("", from + ": lists and objects are nested more than " +
                       std::to_string(max_nesting) + " deep at byte " + std::to_string(i));
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return Json::parse(text, nullptr, false);
}

Checkpoint read_checkpoint(const std::vector<SharedSource>& files) {
  Checkpoint checkpoint;
  const ByteSource* config = nullptr;
  // Settings last: what a file of its own says counts more than what GGUF has inside.
  for (const bool settings : {false, true}) {
    for (const SharedSource& file : files) {
      if (file->name().ends_with(".json") != settings) continue;
      const std::string before = checkpoint.format;
      read_one(file, files, checkpoint);
      if (settings && checkpoint.config_name == file->name()) config = file.get();
      if (!before.empty() && checkpoint.format != before)
        refuse_file(*file, "its format is " + checkpoint.format +
                               ", but that of the files before it is " + before +
                               "; give the files of one model only");
    }
  }
  if (checkpoint.tensors.empty())
    refuse("", "there are no tensors in the files given" + named(checkpoint.files) +
                   ": add the file of the weights");
  check_parts(checkpoint);
  check_not_quantized(checkpoint, config);
  stack_experts(checkpoint);
  read_rope_freqs(checkpoint);
  take_tokens_of_generation(checkpoint);
  settle_piece_files(checkpoint);
  settle_vocabulary_files(checkpoint);
  settle_tokenizer(checkpoint);
  return checkpoint;
}

}  // namespace attend
