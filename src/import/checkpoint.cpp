// SPDX-License-Identifier: Apache-2.0
#include "import/checkpoint.h"

#include <algorithm>
#include <set>

#include "import/example_text.h"
#include "import/zip.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t most_json = std::uint64_t{64} << 20U;

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// An index names the file of each tensor: all of them must be there.
void check_index(const ByteSource& index, const std::vector<SharedSource>& files) {
  const Json json = read_json_file(index);
  const Json map = json.is_object() ? json.value("weight_map", Json::object()) : Json::object();
  std::set<std::string> missing;
  for (const Json& name : map) {
    const bool there =
        name.is_string() && std::ranges::any_of(files, [&](const SharedSource& file) {
          return file_name(file->name()) == name.get<std::string>();
        });
    if (!there) missing.insert(name.is_string() ? name.get<std::string>() : name.dump());
  }
  if (missing.empty()) return;
  std::string list;
  for (const std::string& name : missing) list += (list.empty() ? "" : ", ") + name;
  refuse_file(index, "it names files that are not among those given: " + list);
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

void read_json(const ByteSource& file, const std::string& name,
               const std::vector<SharedSource>& files, Checkpoint& into) {
  into.files.push_back(file.name());
  if (name.ends_with(".index.json")) return check_index(file, files);
  Json json = read_json_file(file);
  if (!json.is_object()) refuse_file(file, "expected an object, found " + describe(json));
  if (json.contains("model") && json["model"].is_object()) {
    into.tokenizer = std::move(json);
    into.tokenizer_name = file.name();
  } else if (name == "preprocessor_config.json") {
    into.preprocessor = std::move(json);
    into.preprocessor_name = file.name();
  } else if (name == "config.json" || json.contains("model_type") ||
             json.contains("architectures")) {
    into.config = std::move(json);
    into.config_name = file.name();
  }  // others, such as tokenizer_config.json, say nothing that is needed
}

void read_one(const SharedSource& file, const std::vector<SharedSource>& files, Checkpoint& into) {
  const std::string name = file_name(file->name());
  if (name.ends_with(".json")) return read_json(*file, name, files, into);
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
  if (begins(*file, "\x80\x02"))
    refuse_file(*file,
                "it was saved before PyTorch 1.6. Convert it: import torch; "
                "w = torch.load(\"" +
                    name +
                    "\", map_location=\"cpu\", weights_only=True); "
                    "torch.save(w, \"" +
                    name + "\")");
  if (name.starts_with("tok") && name.ends_with(".bin")) return read_llama2c_tokenizer(file, into);
  if (name.ends_with(".bin")) return read_llama2c(file, into);
  refuse_file(*file,
              "this is none of the files that are read: .safetensors, .gguf, .npz, .npy, "
              "pytorch_model.bin, .bin of llama2.c, config.json, tokenizer.json");
}

}  // namespace

void Checkpoint::add(StoredTensor tensor) {
  check_inside(tensor);
  const auto [place, fresh] = tensors.try_emplace(tensor.name, tensor);
  if (!fresh)
    refuse_file(*tensor.file, "the tensor \"" + tensor.name + "\" is in \"" +
                                  place->second.file->name() +
                                  "\" too; give the files of one model only");
}

Json read_json_file(const ByteSource& file) {
  if (file.size() > most_json)
    refuse_file(file, "it has " + std::to_string(file.size()) + " bytes; at most " +
                          std::to_string(most_json) + " are read");
  // Not parse_json: a tokenizer is larger than any document.
  Json json = Json::parse(file.text(0, file.size()), nullptr, false);
  if (json.is_discarded()) refuse_file(file, "this is not JSON");
  return json;
}

Checkpoint read_checkpoint(const std::vector<SharedSource>& files) {
  Checkpoint checkpoint;
  std::string format, config, tokenizer;
  // Settings last: what a file of its own says counts more than what GGUF has inside.
  for (const bool settings : {false, true}) {
    for (const SharedSource& file : files) {
      if (file->name().ends_with(".json") != settings) continue;
      const std::string before = checkpoint.format;
      read_one(file, files, checkpoint);
      if (!before.empty() && checkpoint.format != before)
        refuse_file(*file, "it is of the format " + checkpoint.format +
                               ", and the files before it of " + before +
                               "; give the files of one model only");
    }
  }
  if (checkpoint.tensors.empty())
    refuse("", "there are no tensors in the files given: add the file of the weights");
  read_rope_freqs(checkpoint);
  settle_tokenizer(checkpoint);
  return checkpoint;
}

}  // namespace attend
