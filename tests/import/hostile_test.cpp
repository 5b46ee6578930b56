// SPDX-License-Identifier: Apache-2.0
// Files that lie or are damaged: an error names the file and what is wrong, whatever the bytes are.
#include <doctest/doctest.h>

#include "import/pickle.h"
#include "ops/error.h"
#include "ops/random.h"
#include "tests/import/made_files.h"

namespace attend::hostile_test {
namespace {

using namespace testing;

std::string read(const std::string& name, const std::string& bytes) {
  return refused([&] {
    const Checkpoint checkpoint = read_checkpoint({in_memory(name, bytes)});
    for (const auto& [own, tensor] : checkpoint.tensors) (void)read_stored(tensor);
  });
}

void check_says(const std::string& found, const std::vector<std::string>& words) {
  for (const std::string& word : words) CHECK_MESSAGE(found.find(word) != std::string::npos, found);
}

struct Sample {
  std::string name, bytes;
};
std::vector<Sample> samples() {
  return {{"a.safetensors", small_safetensors()},
          {"a.gguf", small_gguf()},
          {"a.npy", small_npy()},
          {"a.npz", small_npz()},
          {"a.pt", small_torch(small_pickle())},
          {"a.bin", small_llama2c()}};
}

std::string header(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"w": {"dtype": ")" + dtype + R"(", "shape": )" + shape + R"(, "data_offsets": )" +
         offsets + "}}";
}

}  // namespace

TEST_CASE("import: each format gives the tensor that it holds") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    const Checkpoint checkpoint = read_checkpoint({in_memory(sample.name, sample.bytes)});
    if (sample.name == "a.bin") {
      CHECK(checkpoint.tensors.size() == 20);
      continue;
    }
    const std::string own = sample.name == "a.npy" ? "a" : "w";
    const FloatTensor w = read_stored(checkpoint.tensors.at(own));
    CHECK(w.shape == Shape{2, 3});
    CHECK(w.data == std::vector<float>{1, 2, 3, 4, 5, 6});
  }
  const Checkpoint fortran = read_checkpoint({in_memory("f.npy", small_npy("<f4", true))});
  CHECK(read_stored(fortran.tensors.at("f")).data == std::vector<float>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("import: a file that is cut short anywhere is refused by its name") {
  for (const Sample& sample : samples()) {
    for (std::size_t length = 0; length < sample.bytes.size(); ++length) {
      CAPTURE(sample.name);
      CAPTURE(length);
      const std::string found = read(sample.name, sample.bytes.substr(0, length));
      CHECK_MESSAGE(found.find("\"" + sample.name) != std::string::npos, found);
    }
  }
}

TEST_CASE("import: whatever a byte becomes, a file is read or refused") {
  for (const Sample& sample : samples()) {
    const RandomStream draws(7, sample.name);
    for (std::uint64_t trial = 0; trial < 3000; ++trial) {
      std::string bytes = sample.bytes;
      for (std::uint64_t k = 0; k <= trial % 3; ++k) {
        const std::uint64_t at = draws.below(8 * trial + k, bytes.size());
        bytes[static_cast<std::size_t>(at)] =
            static_cast<char>(draws.below(8 * trial + 4 + k, 256));
      }
      (void)read(sample.name, bytes);
    }
  }
}

TEST_CASE("import: a header of safetensors that lies is refused") {
  const std::string data = floats({1, 2, 3, 4, 5, 6});
  const auto says = [&](const std::string& text, const std::vector<std::string>& words) {
    check_says(read("a.safetensors", safetensors_of(text, data)), words);
  };
  says(header("F32", "[2, 4]", "[0, 24]"), {"a.safetensors", "\"w\"", "[2 4]", "32 bytes"});
  says(header("F32", "[2, 3]", "[8, 32]"), {"a.safetensors", "\"w\"", "end 32", "24"});
  says(header("F32", "[2, 3]", "[24, 0]"), {"a.safetensors", "wrong way round"});
  says(header("F32", "[1152921504606846976, 1152921504606846976]", "[0, 24]"),
       {"a.safetensors", "\"w\""});
  says(header("F32", "[-1]", "[0, 4]"), {"a.safetensors", "no dtype, shape and data_offsets"});
  says(header("F8_E4M3", "[24]", "[0, 24]"), {"a.safetensors", "\"w\"", "F8_E4M3", "float16"});
  says(R"({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]},
           "v": {"dtype": "F32", "shape": [4], "data_offsets": [8, 24]}})",
       {"a.safetensors", "overlap"});
  says("[1, 2]", {"a.safetensors", "not a JSON object"});
  check_says(read("a.safetensors", bytes_of_number(std::uint64_t{1} << 60U) + data),
             {"a.safetensors"});
}

TEST_CASE("import: a number that is not finite is named by tensor and position") {
  const std::string text = header("F32", "[3]", "[0, 12]");
  check_says(read("a.safetensors", safetensors_of(text, floats({1, std::nanf(""), 3}))),
             {"a.safetensors", "\"w\"", "NaN", "position 1"});
  check_says(read("a.safetensors", safetensors_of(text, floats({1, 2, -INFINITY}))),
             {"infinity", "position 2"});
  const std::string wide = header("F64", "[1]", "[0, 8]");
  check_says(read("a.safetensors", safetensors_of(wide, bytes_of_number(1e300))),
             {"beyond float32"});
}

TEST_CASE("import: GGUF says what a type is called and how to convert it") {
  check_says(read("a.gguf", small_gguf(12)), {"a.gguf", "\"w\"", "Q4_K", "Q8_0", "llama-quantize"});
  check_says(read("a.gguf", small_gguf(99)), {"a.gguf", "type 99"});
  check_says(read("a.gguf", small_gguf(8)), {"a.gguf", "a multiple of 32"});
  check_says(read("a.gguf", small_gguf(8, false)), {"a.gguf", "a multiple of 32"});
  std::string many = small_gguf();
  many.replace(8, 8, bytes_of_number(std::uint64_t{1} << 60U));
  check_says(read("a.gguf", many), {"a.gguf", "claims"});
  std::string old = small_gguf();
  old[4] = 1;
  check_says(read("a.gguf", old), {"a.gguf", "version 1"});
}

TEST_CASE("import: llama2.c's header is compared with the file") {
  std::string bytes = small_llama2c();
  check_says(read("a.bin", bytes + "x"), {"a.bin", "according to its header"});
  bytes.replace(0, 4, bytes_of_number(std::int32_t{-4}));
  check_says(read("a.bin", bytes), {"a.bin", "-4", "width"});
  bytes.replace(0, 4, bytes_of_number(std::int32_t{5}));
  check_says(read("a.bin", bytes), {"a.bin", "do not divide"});
  check_says(read("a.bin", bytes_of_number(std::uint32_t{0x616b3432}) +
                               bytes_of_number(std::int32_t{2}) + std::string(300, '\0')),
             {"a.bin", "version 2", "--version 0"});
}

TEST_CASE("import: compressed members of an archive are refused with what to do") {
  check_says(read("a.npz", small_zip({{"w.npy", small_npy()}}, 8)),
             {"a.npz", "w.npy", "compressed", "np.savez"});
  check_says(read("a.npy", small_npy(">f4")), {"a.npy", ">f4", "float32"});
}

TEST_CASE("import: a pickle runs nothing, and any other opcode is named") {
  // cos\nsystem\n(X..tR. is what an attack looks like.
  const std::string attack =
      "\x80\x02"
      "cos\nsystem\n(X\4\0\0\0echo\x85R.";
  check_says(read("a.pt", small_torch(attack)), {"a.pt", "os.system", "nothing was run"});
  check_says(read("a.pt", small_torch("\x80\x02"
                                      "cbuiltins\neval\n.")),
             {"builtins.eval"});
  check_says(read("a.pt", small_torch("\x80\x02"
                                      "c__builtin__\ngetattr\n.")),
             {"__builtin__.getattr"});
  std::string allowed(".(}])NKMJGXUTcteasuQRbqrhj");
  for (const int op : {0x80, 0x95, 0x88, 0x89, 0x8a, 0x8c, 0x85, 0x86, 0x87, 0x8d, 0x93, 0x94})
    allowed += static_cast<char>(op);
  int others = 0;
  for (int op = 0; op < 256; ++op) {
    if (allowed.find(static_cast<char>(op)) != std::string::npos) continue;
    ++others;
    const std::string found =
        read("a.pt", small_torch(std::string("\x80\x02}", 3) + static_cast<char>(op) + "."));
    CAPTURE(op);
    check_says(found, {"a.pt", "opcode 0x", "nothing was run"});
  }
  CHECK(others == 256 - 38);
  check_says(read("a.pt", small_torch("\x80\x02K\1.")), {"a.pt", "state_dict"});
}

TEST_CASE("import: files of two models are refused by name") {
  const SharedSource one = in_memory("a.safetensors", small_safetensors()),
                     two = in_memory("b.safetensors", small_safetensors());
  check_says(refused([&] {
               (void)read_checkpoint({one, two});
             }),
             {"a.safetensors", "b.safetensors", "one model"});
  check_says(
      refused([&] {
        (void)read_checkpoint({one, in_memory("c.npz", small_zip({{"v.npy", small_npy()}}))});
      }),
      {"c.npz", "npz", "safetensors"});
  check_says(refused([&] { (void)read_checkpoint({in_memory("config.json", "{}")}); }),
             {"no tensors"});
  check_says(refused([&] { (void)read_checkpoint({in_memory("notes.txt", "hello")}); }),
             {"notes.txt"});
  check_says(refused([&] {
               (void)read_checkpoint({one, in_memory("model.safetensors.index.json",
                                                     R"({"weight_map": {"w": "z.safetensors"}})")});
             }),
             {"model.safetensors.index.json", "z.safetensors"});
}

}  // namespace attend::hostile_test
