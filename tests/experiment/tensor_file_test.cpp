// SPDX-License-Identifier: Apache-2.0
// Files of weights that are not what they seem.
#include "experiment/files/tensor_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace attend::tensor_file_test {
namespace {

std::string file_of(const std::string& header, std::size_t numbers) {
  std::string file(8, '\0');
  const auto size = static_cast<std::uint64_t>(header.size());
  std::memcpy(file.data(), &size, 8);
  return file + header + std::string(4 * numbers, '\0');
}

template <class Work>
std::string refusal(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  } catch (const std::exception& error) {
    return std::string("no error of a document: ") + error.what();
  }
  return "nothing was refused";
}

std::string read(const std::string& bytes) {
  return refusal([&] { (void)read_tensor_file(bytes); });
}

std::string two(const char* first, const char* second) {
  return std::string(R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": )") + first +
         R"(}, "b": {"dtype": "F32", "shape": [2], "data_offsets": )" + second + "}}";
}

}  // namespace

TEST_CASE("tensors that share bytes are refused, and told by their names") {
  CHECK(read(file_of(two("[0, 8]", "[8, 16]"), 4)) == "nothing was refused");
  CHECK(read(file_of(two("[8, 16]", "[0, 8]"), 4)) == "nothing was refused");
  for (const auto& [first, second] : {std::pair("[0, 8]", "[4, 12]"), {"[0, 8]", "[0, 8]"}}) {
    const std::string found = read(file_of(two(first, second), 4));
    CHECK_MESSAGE(found.find("\"a\" and \"b\" share bytes") != std::string::npos, found);
  }
  // A tensor of no numbers shares none.
  CHECK(read(file_of(R"({"a": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]},
                         "b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})",
                     1)) == "nothing was refused");
}

TEST_CASE("offsets the wrong way round are told as that") {
  const std::string found =
      read(file_of(R"({"a": {"dtype": "F32", "shape": [25], "data_offsets": [100, 0]}})", 25));
  CHECK_MESSAGE(
      found.find("should begin 100 bytes into the numbers and end at 0") != std::string::npos,
      found);
}

TEST_CASE("what another file holds is not told") {
  const std::string secret = "PASSWORD=swordfish\n";
  const std::string found = read(secret);
  CHECK_MESSAGE(found.find("more than the 11 bytes that follow") != std::string::npos, found);
  std::uint64_t number = 0;
  std::memcpy(&number, secret.data(), 8);
  CHECK(found.find(std::to_string(number)) == std::string::npos);
  const std::string within = read(file_of("[" + secret, 0));
  CHECK_MESSAGE(within.find("its header is not JSON") != std::string::npos, within);
  CHECK(within.find("swordfish") == std::string::npos);
}

TEST_CASE("a file of letters or one cut short is refused in a sentence that says what to do") {
  const std::string letters = read("notasafetensorfil");
  CHECK(
      letters ==
      ": this file of weights cannot be read: its first 8 bytes should give the length of its header, but "
      "they give more than the 9 bytes that follow. It is cut short, or it is not a safetensors file: download or "
      "save it again");
  const std::string whole = file_of(two("[0, 8]", "[8, 16]"), 4);
  CHECK(read(whole.substr(0, 40)).find("more than the 32 bytes that follow. It is cut short") !=
        std::string::npos);
  CHECK(read("seven77").find("it has 7 bytes, but the first 8 of a safetensors file") !=
        std::string::npos);
}

TEST_CASE("a header beyond what any file needs is refused before it is read") {
  const std::uint64_t most = std::uint64_t{16} << 20U;
  const std::uint64_t length = most + 1;
  std::string bytes(8 + most + 1, ' ');
  std::memcpy(bytes.data(), &length, 8);
  CHECK(read(bytes).find("more than 16777216 bytes, which no safetensors file has") !=
        std::string::npos);
}

TEST_CASE("bytes have one scale for each column, and a scale of another shape is refused") {
  const auto file = [](const std::string& shape) {
    const std::string header =
        R"({"M": {"dtype": "I8", "shape": [2, 2], "data_offsets": [8, 12]}, "M.scale": {"dtype": "F32", "shape": )" +
        shape + R"(, "data_offsets": [0, 8]}})";
    const std::uint64_t length = header.size();
    const std::array<float, 2> scales{.5F, 2};
    std::string bytes(8 + header.size() + 8, ' ');
    std::memcpy(bytes.data(), &length, 8);
    std::memcpy(bytes.data() + 8, header.data(), header.size());
    std::memcpy(bytes.data() + 8 + header.size(), scales.data(), 8);
    for (const int number : {1, 2, 3, -4}) bytes += static_cast<char>(number);
    return bytes;
  };
  const TensorFile by_column = read_tensor_file(file("[1, 2]"));
  CHECK(by_column.tensors.at("M").data == std::vector<double>{.5, 4, 1.5, -8});
  CHECK(by_column.tensors.size() == 1);
  const TensorFile by_row = read_tensor_file(file("[2, 1]"));
  CHECK(by_row.tensors.at("M").data == std::vector<double>{.5, 1, 6, -8});
  const std::string found = read(file("[2, 1, 1]"));
  CHECK_MESSAGE(found.find("\"M.scale\" has the shape [2 1 1]") != std::string::npos, found);
}

TEST_CASE("documents of one file share its numbers") {
  give_parameters("shared", file_of(two("[0, 8]", "[8, 16]"), 4));
  CHECK(named_parameters("shared") == named_parameters("shared"));
}

TEST_CASE("a document reads weights of this build's type where its file holds them") {
  const auto width = std::to_string(4 * sizeof(real));
  std::string header = R"({"score.W": {"dtype": ")" +
                       std::string(sizeof(real) == 8 ? "F64" : "F32") +
                       R"(", "shape": [2, 2], "data_offsets": [0, )" + width + "]}}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  std::string file = file_of(header, sizeof(real));
  const std::array<real, 4> numbers{1, 2, 3, 4};
  std::memcpy(file.data() + file.size() - sizeof(numbers), numbers.data(), sizeof(numbers));
  give_parameters("laid", std::move(file));
  constexpr std::string_view document = R"({"schema": "attention-playground/1",
    "inputs": {"x": {"matrix": [[1, 0], [0, 1]]}}, "parameters": {"from": "laid"},
    "mechanism": {"type": "attention", "query": "self-attention", "score": "general"}})";
  const Compiled compiled = compile(read_document(document));
  const Node& w = compiled.graph()[compiled.find("score.W")];
  REQUIRE(w.numbers != nullptr);
  CHECK(w.numbers == named_parameters("laid")->at("score.W").numbers().get());
  CHECK(compiled.leaf_data(*compiled.recording().leaf("score.W")) == std::vector<real>{1, 2, 3, 4});
}

TEST_CASE("a document reads the weights of several files, of which other documents share each") {
  const auto give = [](const std::string& file, const std::string& name, double x) {
    TensorFile made;
    made.tensors[name] = {{1, 2, 2}, {x, 0, 0, x}};
    give_parameters(file, write_tensor_file(made, NumberCode::half));
  };
  give("one-of-two", "heads.W_Q", 2);
  give("two-of-two", "heads.W_K", 3);
  give("the-same", "heads.W_Q", 4);
  const auto with = [](const std::string& from) {
    return compile(read_document(parse_json(R"({"schema": "attention-playground/1",
      "inputs": {"x": {"matrix": [[1, 0], [0, 1]]}}, "parameters": {"from": )" +
                                            from + R"(}, "mechanism": {"type": "attention",
      "query": "self-attention", "heads": {"type": "multi-head", "count": 1}}})")));
  };
  const Compiled both = with(R"(["one-of-two", "two-of-two"])");
  for (const auto& [name, x] : {std::pair("heads.W_Q", 2.0), std::pair("heads.W_K", 3.0)}) {
    CAPTURE(name);
    const auto found = both.leaf_data(*both.recording().leaf(name));
    CHECK(found.front() == static_cast<real>(x));
  }
  // A document with one of the two files has the same numbers in the same place.
  const auto together = named_parameters(std::vector<std::string>{"one-of-two", "two-of-two"});
  CHECK(together->at("heads.W_Q").numbers() ==
        named_parameters("one-of-two")->at("heads.W_Q").numbers());
  const auto refused = [&](const std::string& from) { return refusal([&] { (void)with(from); }); };
  CHECK(refused(R"(["one-of-two", "the-same"])") ==
        "/parameters/from/1: \"heads.W_Q\" is also in \"one-of-two\"; "
        "leave it out of one of the files");
  CHECK(refused(R"(["one-of-two", "nowhere"])") ==
        "/parameters/from/1: there are no weights named \"nowhere\"");
  CHECK(refused("[]") ==
        "/parameters/from: expected at least one name of a file, found an empty list");
  CHECK(refused(R"(["one-of-two", 2])") == "/parameters/from/1: expected a string, found 2");
}

TEST_CASE("a name that ends before its end is no name of a file") {
  give_parameters("beside", file_of(two("[0, 8]", "[8, 16]"), 4));
  const auto asked = [](const std::string& name) {
    return refusal([&] { (void)named_parameters(name); });
  };
  CHECK(asked("beside") == "nothing was refused");
  const std::string found = asked(std::string("beside\0", 7));
  CHECK_MESSAGE(found.starts_with("/parameters/from: expected the name of a file"), found);
}

}  // namespace attend::tensor_file_test
