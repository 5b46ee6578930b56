// SPDX-License-Identifier: Apache-2.0
// Releases whose matrices are whole numbers that a method multiplies back, such as LLM.int8 of bitsandbytes. Without
// that method the whole numbers would be read as weights.
#include "import/checkpoint.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr const char* convert =
    ". Use the release without quantization, or convert it: from transformers import AutoModel; "
    "AutoModel.from_pretrained(folder).dequantize().save_pretrained(\"converted\"); use "
    "AutoModelForCausalLM if the model writes text";

// What a quantization_config calls its method: "bitsandbytes", "gptq", "awq", "fp8".
std::string method_of(const Json& settings) {
  if (settings.is_object() && settings.contains("quant_method") &&
      settings["quant_method"].is_string())
    return "\"" + settings["quant_method"].get<std::string>() + "\"";
  return "an unnamed method";
}

}  // namespace

void check_not_quantized(const Checkpoint& checkpoint, const ByteSource* config) {
  // A GGUF file gives the type of each tensor itself, whatever the model was made from.
  if (checkpoint.format == "gguf") return;
  const Json settings = checkpoint.config.value("quantization_config", Json());
  if (config != nullptr && method_of(settings) == "\"mxfp4\"")
    refuse_file(
        *config,
        "its \"quantization_config\" says that the weights are in MXFP4, which cannot be read. "
        "Convert it: from transformers import AutoModelForCausalLM, Mxfp4Config; "
        "AutoModelForCausalLM.from_pretrained(folder, quantization_config="
        "Mxfp4Config(dequantize=True)).save_pretrained(\"converted\")");
  if (config != nullptr && !settings.is_null())
    refuse_file(*config, "its \"quantization_config\" says that the weights are quantized by " +
                             method_of(settings) + ", which cannot be read" + convert);
  for (const auto& [name, tensor] : checkpoint.tensors) {
    if (tensor.type != NumberType::i8 || !name.ends_with(".weight")) continue;
    const std::string scales = name.substr(0, name.size() - 6) + "SCB";
    if (checkpoint.tensors.contains(scales))
      refuse_file(*tensor.file, "the tensor \"" + name + "\" has the type " + tensor.type_name +
                                    ", and \"" + scales +
                                    "\" has its scales: weights that bitsandbytes quantized "
                                    "cannot be read" +
                                    convert);
  }
}

}  // namespace attend
