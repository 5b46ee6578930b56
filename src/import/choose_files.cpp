// SPDX-License-Identifier: Apache-2.0
#include "import/choose_files.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "import/checkpoint.h"

namespace attend {
namespace {

enum class Form : std::uint8_t { safetensors, gguf, npz, bin, pt, none };

std::string plain_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

bool is_settings(const std::string& name) {
  return name == "config.json" || name == "tokenizer.json" || name == "preprocessor_config.json" ||
         name == "generation_config.json" || name == "tokenizer_config.json" ||
         name == "added_tokens.json" || name == "modules.json" || is_piece_file(name) ||
         is_vocabulary_file(name);
}

// The tokenizer of llama2.c.
bool is_pieces(const std::string& name) {
  return name.starts_with("tok") && name.ends_with(".bin");
}

// What a training keeps beside the weights, by the names that Trainer and Accelerate give.
bool is_training(const std::string& name) {
  constexpr std::array<std::string_view, 7> stems{"training_args.", "optimizer.", "scheduler.",
                                                  "scaler.",        "rng_state",  "random_states",
                                                  "optimizer_"};
  const bool torch = name.ends_with(".bin") || name.ends_with(".pt") || name.ends_with(".pth") ||
                     name.ends_with(".pkl");
  return torch &&
         std::ranges::any_of(stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

// An index has the form of the files that it names.
Form form_of(const std::string& name) {
  const std::string plain = name.ends_with(".index.json") ? name.substr(0, name.size() - 11) : name;
  if (plain.ends_with(".safetensors")) return Form::safetensors;
  if (plain.ends_with(".gguf")) return Form::gguf;
  if (plain.ends_with(".npz") || plain.ends_with(".npy")) return Form::npz;
  if (plain.ends_with(".bin")) return Form::bin;
  if (plain.ends_with(".pt") || plain.ends_with(".pth") || plain.ends_with(".ckpt"))
    return Form::pt;
  return Form::none;
}

}  // namespace

FileChoice choose_files(const std::vector<std::string>& names) {
  FileChoice choice;
  const auto pass_over = [&](const std::string& name, const std::string& why) {
    choice.left.push_back({{"file", name}, {"why", why}});
  };
  std::vector<std::string> weights;
  const bool has_pieces = std::ranges::any_of(names, [](const std::string& path) {
    return is_piece_file(plain_name(path)) || plain_name(path) == "merges.txt";
  });
  for (const std::string& path : names) {
    const std::string name = plain_name(path);
    // Other tokenizers have a vocab.json, too, and repeat it in tokenizer.json.
    if (is_settings(name) || is_pieces(name) || (name == "vocab.json" && has_pieces)) {
      choice.taken.push_back(path);
    } else if (is_training(name)) {
      pass_over(name, "it holds the state of a training run, not weights");
    } else if (form_of(name) != Form::none) {
      weights.push_back(path);
    }
  }
  Form best = Form::none;
  std::string first;
  bool other_names =
      false;  // beside consolidated.safetensors, which has the same weights by other names
  for (const std::string& path : weights) {
    const std::string name = plain_name(path);
    const Form form = form_of(name);
    if (form < best) first = name;
    best = std::min(best, form);
    other_names = other_names || (form == Form::safetensors && !name.starts_with("consolidated"));
  }
  for (const std::string& path : weights) {
    const std::string name = plain_name(path);
    const bool twice =
        form_of(name) == Form::safetensors && name.starts_with("consolidated") && other_names;
    if (form_of(name) != best) {
      pass_over(name, "the weights are read from \"" + first + "\"");
    } else if (twice) {
      pass_over(name, "it has the same weights under different names");
    } else {
      choice.taken.push_back(path);
    }
  }
  return choice;
}

}  // namespace attend
