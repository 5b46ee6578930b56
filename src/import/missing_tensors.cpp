// SPDX-License-Identifier: Apache-2.0
#include "import/missing_tensors.h"

#include <algorithm>
#include <initializer_list>

#include "import/tensor_names.h"
#include "ops/error.h"

namespace attend {
namespace {

bool is_of_type(const Json& family, const Json& type) {
  const Json& types = family["recognise"]["model_types"];
  return std::ranges::find(types, type) != types.end();
}

struct OtherModels {
  std::initializer_list<const char*> types;
  const char* reason;
};

// Models that no file describes although their names are well known, and what their documents could not compute.
constexpr const char* reason_experts =
    "such models send each token to a few of several feed-forward parts (a mixture of experts)";
constexpr const char* reason_steps = "such models have layers that read the text step by step";
constexpr const char* reason_sound =
    "such models read sound, but only encoders of texts and of pictures can be imported";
constexpr const char* reason_windows =
    "the encoder of such models attends in windows, with a few words that see all others";
constexpr const char* reason_places =
    "such models count positions from 2 and use fairseq's sinusoids, whose frequencies differ";
constexpr const char* reason_decoder =
    "such models have an encoder and a decoder that differ from those of T5, BART and Marian";
constexpr const char* reason_layers =
    "such models add another vector of each word in every layer, and layers share keys and values";
constexpr const char* reason_sizes =
    "such models read pictures of any shape, whose positions are interpolated; SigLIP 2 with a fixed size "
    "has the model_type siglip";
constexpr const char* reason_grid =
    "its positions are those of a grid (a bias or a rotation by row and column, or windows)";
constexpr const char* reason_content =
    "DeBERTa scores contents against distances, whose vectors it makes from the weights of the layer";
constexpr const char* reason_pair = "such a file holds one model for texts and one for pictures";
const OtherModels other_models[] = {
    {{"qwen2moe",     "qwen3moe",    "gpt_oss",     "gpt-oss",     "phimoe",
      "dbrx",         "deepseek_v2", "deepseek_v3", "deepseek2",   "llama4",
      "ernie4_5_moe", "glm4_moe",    "bailing_moe", "qwen3_5_moe", "qwen3_5_moe_text",
      "llama4_text",  "dots1",       "flex_olmo",   "minimax",     "hunyuan_v1_moe"},
     reason_experts},
    {{"mamba", "mamba2", "falcon_mamba", "rwkv", "rwkv6", "rwkv7", "jamba", "lfm2", "qwen3_next",
      "qwen3next", "recurrent_gemma", "bamba", "falcon_h1", "granitemoehybrid", "zamba2", "qwen3_5",
      "qwen3_5_text"},
     reason_steps},
    {{"whisper", "speech_to_text", "speech-encoder-decoder", "seamless_m4t", "moonshine"},
     reason_sound},
    {{"led", "longt5", "bigbird_pegasus", "pegasus_x"}, reason_windows},
    {{"m2m_100", "nllb_moe", "fsmt"}, reason_places},
    {{"encoder-decoder", "vision-encoder-decoder", "prophetnet", "xlm-prophetnet", "blenderbot",
      "blenderbot-small", "switch_transformers", "mvp", "plbart", "t5gemma"},
     reason_decoder},
    {{"clip", "siglip", "chinese_clip", "blip", "align"}, reason_pair},
    {{"siglip2", "siglip2_vision_model"}, reason_sizes},
    {{"beit", "data2vec-vision", "swin", "swinv2", "dinov3_vit", "hiera"}, reason_grid},
    {{"deberta", "deberta-v2"}, reason_content},
    {{"gemma3n", "gemma3n_text", "gemma4", "gemma4_text"}, reason_layers}};

}  // namespace

void check_known_type(const Checkpoint& checkpoint, const std::vector<Json>& families) {
  const Json type = checkpoint.config.value("model_type", Json());
  for (const OtherModels& others : other_models) {
    if (!type.is_string() ||
        std::ranges::find(others.types, type.get<std::string>()) == others.types.end())
      continue;
    std::string known;
    for (const Json& family : families)
      known += (known.empty() ? "" : ", ") + family["id"].get<std::string>();
    const std::string classes = type == "clip" ? "CLIP" : type == "siglip" ? "Siglip" : "";
    refuse("", "\"" + checkpoint.config_name + "\" gives the model_type " + type.dump() + ": " +
                   others.reason +
                   (!classes.empty()
                        ? "; give one of them: " + classes +
                              "TextModel.from_pretrained(folder).save_pretrained(\"text\"), or " +
                              classes + "VisionModel in the same way"
                        : ", which the import cannot compute; known families: " + known));
  }
}

void check_recognisable(const Checkpoint& checkpoint, const std::vector<Json>& families) {
  const Json type = checkpoint.config.value("model_type", Json());
  std::string missing, nearest;
  std::size_t fewest = 0;
  for (const Json& family : families) {
    if (!is_of_type(family, type)) continue;
    const Json& tensors = family["recognise"]["tensors"];
    std::string list;
    std::size_t count = 0;
    for (const Json& name : tensors) {
      if (TensorNames(checkpoint, family).choose_prefix(Json::array({name}))) continue;
      ++count;
      list += (list.empty() ? "" : ", ") + name.get<std::string>();
    }
    // Several files may describe one family, for releases with other names.
    if (count == 0 || count == tensors.size() || (fewest != 0 && fewest <= count)) continue;
    fewest = count;
    missing = list;
    nearest = family["id"];
  }
  if (fewest != 0)
    refuse("", "\"" + checkpoint.config_name + "\" gives the model_type " + type.dump() +
                   ", of the family " + nearest + ", but " + std::to_string(fewest) +
                   " of its tensors are missing: " + missing);
}

void check_one_model(const Checkpoint& checkpoint, const std::vector<Json>& families) {
  const Json type = checkpoint.config.value("model_type", Json());
  // In GGUF, tensors of several families have the same names, but the file names its family.
  const bool is_named =
      checkpoint.format == "gguf" &&
      std::ranges::any_of(families, [&](const Json& one) { return is_of_type(one, type); });
  std::vector<std::string> found;
  for (const Json& family : families) {
    if (is_named && !is_of_type(family, type)) continue;
    TensorNames names(checkpoint, family);
    const Json& typical = family["recognise"]["tensors"];
    if (!names.recognise()) continue;
    found.push_back(family["id"].get<std::string>() + " in \"" +
                    names.find(typical[0].get<std::string>())->file->name() + "\"");
  }
  if (found.size() > 1)
    refuse("", "there are two models: " + found[0] + " and " + found[1] +
                   "; give the files of one model only");
}

}  // namespace attend
