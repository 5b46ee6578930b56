// SPDX-License-Identifier: Apache-2.0
// Files that are small and ask for much: deep nesting, the same part any number of times, lists without end; and files
// whose parts do not fit together.
#include <doctest/doctest.h>

#include "import/store.h"
#include "tests/import/made_files.h"

namespace attend::bounds_test {
namespace {

using namespace testing;

void check_says(const std::string& found, const std::vector<std::string>& words) {
  for (const std::string& word : words) CHECK_MESSAGE(found.find(word) != std::string::npos, found);
}

void refuses(const std::vector<SharedSource>& files, const std::vector<std::string>& words) {
  check_says(refused([&] { (void)read_checkpoint(files); }), words);
}

std::string times(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string pickle_text(const std::string& text) {
  return "X" + bytes_of_number(static_cast<std::uint32_t>(text.size())) + text;
}

void refuses_pickle(const std::string& steps, const std::vector<std::string>& words) {
  refuses({in_memory("a.pt", small_torch("\x80\x02" + steps))}, words);
}

std::string gguf_text(const std::string& text) {
  return bytes_of_number(std::uint64_t{text.size()}) + text;
}

std::string setting(const std::string& key, std::uint32_t number) {
  return gguf_text(key) + bytes_of_number(std::uint32_t{4}) + bytes_of_number(number);
}

// A GGUF file of settings and of tensors of eight float32 numbers at these places of its data.
struct GgufTensor {
  std::string name;
  std::uint64_t first = 0;
  std::uint32_t type = 0;
};
std::string gguf(const std::vector<std::string>& settings, const std::vector<GgufTensor>& tensors,
                 std::size_t numbers) {
  std::string out = "GGUF" + bytes_of_number(std::uint32_t{3}) +
                    bytes_of_number(std::uint64_t{tensors.size()}) +
                    bytes_of_number(std::uint64_t{settings.size()});
  for (const std::string& one : settings) out += one;
  for (const GgufTensor& tensor : tensors)
    out += gguf_text(tensor.name) + bytes_of_number(std::uint32_t{1}) +
           bytes_of_number(std::uint64_t{8}) + bytes_of_number(tensor.type) +
           bytes_of_number(tensor.first);
  out.resize((out.size() + 31) / 32 * 32, '\0');
  return out + floats(std::vector<float>(numbers, 0.5F));
}

}  // namespace

TEST_CASE("import: a pickle may be nested as deep as it likes") {
  constexpr std::size_t deep = 300'000;
  refuses_pickle(")" + times("\x85", deep) + ".", {"a.pt", "no dictionary"});
  refuses_pickle(times("]", deep) + times("a", deep - 1) + ".", {"a.pt", "no dictionary"});
  refuses_pickle(times("}K\1", deep / 2) + "N" + times("s", deep / 2) + ".", {"no tensors"});
  const std::string parameter = "ctorch._utils\n_rebuild_parameter\n";
  refuses_pickle(
      "}" + pickle_text("w") + times(parameter, 20'000) + "N" + times("\x85R", 20'000) + "s.",
      {"a.pt", "\"w\"", "unknown way"});
}

TEST_CASE("import: a dictionary that is shared is walked once") {
  // Eight levels of 40 times the one below would be 40^8 visits.
  std::string steps = "}q" + std::string(1, '\0');
  for (char level = 1; level < 9; ++level) {
    steps += "}(";
    for (int i = 0; i < 40; ++i)
      steps +=
          pickle_text("k" + std::to_string(i)) + "h" + std::string(1, static_cast<char>(level - 1));
    steps += "uq" + std::string(1, level);
  }
  refuses_pickle(steps + ".", {"no tensors"});
  // The weights keep their plain names where another name for them comes first.
  const std::string weights = small_pickle();
  const std::string inner = weights.substr(2, weights.size() - 3);
  const Checkpoint both = read_checkpoint(
      {in_memory("a.pt", small_torch("\x80\x02}(" + pickle_text("ema") + inner + "q\x63" +
                                     pickle_text("state_dict") + "h\x63u."))});
  CHECK(both.tensors.size() == 1);
  CHECK(both.tensors.contains("w"));
}

TEST_CASE("import: a pickle has a bounded number of steps, and names a bounded length") {
  refuses_pickle(times(")", 1'100'000) + ".", {"a.pt", "more than 1048576 steps"});
  refuses_pickle("}" + pickle_text(std::string(5000, 'n')) + "Ns.", {"a.pt", "4096", "nnnn"});
  refuses_pickle("\x8c\x02os\x8c\x06system\x93.", {"a.pt", "os.system", "nothing was run"});
  refuses_pickle("K\1K\2\x93.", {"a.pt", "that is not text"});
}

TEST_CASE("import: a pickle of protocol 4 is read") {
  const auto name = [](const std::string& text) {
    return "\x8c" + std::string(1, static_cast<char>(text.size())) + text;
  };
  std::string steps = "\x80\x04\x95" + std::string(8, '\0') + "}\x94" + name("w") + "\x94" +
                      name("torch._utils") + name("_rebuild_tensor_v2") + "\x93\x94((";
  steps += name("storage") + name("torch") + name("FloatStorage") + "\x93" + "\x8d" +
           bytes_of_number(std::uint64_t{1}) + "0" + name("cpu") + "K\6t\x94Q";
  steps += std::string("K\0K\2K\3\x86K\3K\1\x86\x89", 13) + name("collections") +
           name("OrderedDict") + "\x93)R\x94t\x94R\x94s.";
  const Checkpoint found = read_checkpoint({in_memory("a.pt", small_torch(steps))});
  CHECK(read_stored(found.tensors.at("w")).data == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("import: JSON is refused beyond a depth, by its file") {
  const SharedSource weights = in_memory("a.safetensors", small_safetensors());
  constexpr std::size_t deep = 200'000;
  const std::string lists = times("[", deep) + times("]", deep);
  for (const char* const name : {"config.json", "tokenizer.json", "model.safetensors.index.json"})
    refuses({weights, in_memory(name, "{\"model\": " + lists + "}")}, {name, "64 deep", "byte"});
  const std::string objects = times("{\"a\":", deep) + "1" + times("}", deep);
  refuses({weights, in_memory("config.json", objects)}, {"config.json", "64 deep"});
  // Brackets in texts are no nesting.
  const std::string text = R"({"model_type": "\")" + times("[", 100) + "\"}";
  CHECK(read_checkpoint({weights, in_memory("config.json", text)}).config.size() == 1);
  check_says(refused([&] {
               (void)metadata_json({{"tokenizer", lists}}, "tokenizer");
             }),
             {"\"tokenizer\"", "weights", "64 deep"});
}

TEST_CASE("import: the lists of GGUF's settings have a bounded number of entries") {
  const auto bytes = [](std::size_t count) {
    return gguf_text("toy.list") + bytes_of_number(std::uint32_t{9}) +
           bytes_of_number(std::uint32_t{0}) + bytes_of_number(std::uint64_t{count}) +
           std::string(count, '\1');
  };
  refuses({in_memory("a.gguf", gguf({bytes(2'200'000)}, {{"w"}}, 8))},
          {"a.gguf", "2200000", "2097152"});
  refuses({in_memory("a.gguf", gguf({bytes(1'100'000), bytes(1'100'000)}, {{"w"}}, 8))},
          {"a.gguf", "1100000", "2097152"});
}

TEST_CASE("import: GGUF's tensors follow each other, and all are named") {
  const auto says = [](const std::vector<GgufTensor>& tensors, std::size_t numbers,
                       const std::vector<std::string>& words) {
    refuses({in_memory("a.gguf", gguf({}, tensors, numbers))}, words);
  };
  CHECK(read_checkpoint({in_memory("a.gguf", gguf({}, {{"v", 32}, {"w"}}, 16))}).tensors.size() ==
        2);
  says({{"w"}, {"v"}}, 16, {"a.gguf", "\"w\"", "\"v\"", "overlap"});
  says({{"w"}, {"v", 40}}, 32, {"a.gguf", "\"v\"", "40", "alignment, 32"});
  says({{"w"}, {"v", 64}}, 24, {"a.gguf", "\"v\"", "leaves out a tensor"});
  says({{"w"}}, 16, {"a.gguf", "1 tensors", "leaves out a tensor"});
  says({{"w", 0, 99}}, 8, {"a.gguf", "\"w\"", "type 99"});
}

TEST_CASE("import: a GGUF model in parts takes its settings from the first") {
  const auto part = [](std::uint32_t k, const std::string& tensor, std::uint32_t all = 2) {
    std::vector<std::string> settings{setting("split.no", k), setting("split.count", 2),
                                      setting("split.tensors.count", all)};
    if (k == 0) settings.push_back(setting("toy.heads", 3));
    return in_memory("m-" + std::to_string(k + 1) + ".gguf", gguf(settings, {{tensor}}, 8));
  };
  for (const bool turned : {false, true}) {
    const SharedSource first = part(0, "v"), second = part(1, "w");
    const Checkpoint found =
        read_checkpoint(turned ? std::vector{second, first} : std::vector{first, second});
    CHECK(found.tensors.size() == 2);
    CHECK(found.config["toy.heads"] == 3);
    CHECK(found.config_name == "m-1.gguf");
  }
  refuses({part(0, "v")}, {"m-1.gguf", "part 1 of 2", "part 2 is not"});
  refuses({part(1, "w")}, {"m-2.gguf", "part 2 of 2", "part 1 is not"});
  refuses({part(0, "v"), part(0, "w")}, {"m-1.gguf", "one model only"});
  refuses({part(0, "v", 3), part(1, "w", 3)}, {"m-1.gguf", "3 tensors", "found 2"});
  const SharedSource whole = in_memory("x.gguf", gguf({}, {{"x"}}, 8));
  refuses({in_memory("y.gguf", gguf({}, {{"y"}}, 8)), whole},
          {"x.gguf", "y.gguf", "one model only"});
}

TEST_CASE("import: a safetensors file ends with its last number") {
  refuses({in_memory("a.safetensors", small_safetensors() + std::string(8, '\0'))},
          {"a.safetensors", "24 bytes", "32"});
}

TEST_CASE("import: an index names tensors that the files have") {
  refuses({in_memory("a.safetensors", small_safetensors()),
           in_memory("model.safetensors.index.json",
                     R"({"weight_map": {"w": "a.safetensors", "v.bias": "a.safetensors"}})")},
          {"model.safetensors.index.json", "v.bias", "none of the files"});
}

TEST_CASE("import: weights that a method quantized are refused by its name") {
  const SharedSource weights = in_memory("a.safetensors", small_safetensors());
  refuses({weights, in_memory("config.json",
                              R"({"quantization_config": {"quant_method": "bitsandbytes"}})")},
          {"config.json", "bitsandbytes", "dequantize"});
  const std::string header =
      R"({"h.weight": {"dtype": "I8", "shape": [4], "data_offsets": [0, 4]},
          "h.SCB": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})";
  refuses({in_memory("a.safetensors", safetensors_of(header, std::string(8, '\0')))},
          {"a.safetensors", "\"h.weight\"", "I8", "\"h.SCB\"", "dequantize"});
}

}  // namespace attend::bounds_test
