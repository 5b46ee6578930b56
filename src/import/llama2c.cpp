// SPDX-License-Identifier: Apache-2.0
// llama2.c: seven int32 (width, hidden width, layers, heads, key-value heads, vocabulary, length; a negative
// vocabulary says that the classifier has its own matrix), then float32 matrices [out in], one kind after the other.
// Versions 1 and 2 begin with a magic number and a header of 256 bytes; 2 holds int8 in groups, which is not read.
#include <array>
#include <cstdlib>

#include "import/checkpoint.h"

namespace attend {
namespace {

constexpr std::uint32_t llama2c_magic = 0x616b3432;
constexpr std::uint64_t header_bytes_of_version_1 = 256;

struct LlamaSizes {
  std::uint64_t dim = 0, hidden = 0, layers = 0, heads = 0, kv_heads = 0, vocabulary = 0,
                length = 0;
  bool own_classifier = false;
  [[nodiscard]] std::uint64_t head() const { return dim / heads; }
};

LlamaSizes read_sizes(ByteReader& reader) {
  std::array<std::int64_t, 7> n{};
  for (std::int64_t& one : n) one = reader.take<std::int32_t>();
  constexpr std::array<const char*, 7> names{"width",           "hidden width", "layers", "heads",
                                             "key-value heads", "vocabulary",   "length"};
  const bool own = n[5] < 0;
  n[5] = std::abs(n[5]);
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (n[i] < 1 || n[i] > (1 << 24))
      refuse_file(reader.file(), "its header gives " + std::to_string(n[i]) + " for the " +
                                     names[i] +
                                     "; this is not a model of llama2.c, or it is damaged");
  }
  const auto u = [&](std::size_t i) { return static_cast<std::uint64_t>(n[i]); };
  const LlamaSizes sizes{u(0), u(1), u(2), u(3), u(4), u(5), u(6), own};
  if (sizes.dim % sizes.heads != 0 || sizes.heads % sizes.kv_heads != 0)
    refuse_file(reader.file(), "its header gives a width of " + std::to_string(sizes.dim) + ", " +
                                   std::to_string(sizes.heads) + " heads and " +
                                   std::to_string(sizes.kv_heads) +
                                   " key-value heads, but these numbers do not divide one another");
  return sizes;
}

// Walks through the file and names what lies there.
class Walk {
 public:
  Walk(const SharedSource& file, std::uint64_t at, Checkpoint& into)
      : file_(file), at_(at), into_(into) {}

  void one(const std::string& name, const Shape& shape) {
    into_.add({name, NumberType::f32, "float32", shape, file_, at_});
    at_ += bytes_of(NumberType::f32, count_of(into_.tensors.at(name)));
  }
  // A matrix of each layer, one behind the other.
  void layers(const LlamaSizes& sizes, const std::string& name, const Shape& shape) {
    for (std::uint64_t i = 0; i < sizes.layers; ++i)
      one("layers." + std::to_string(i) + "." + name, shape);
  }
  void skip(std::uint64_t numbers) { at_ += bytes_of(NumberType::f32, numbers); }
  [[nodiscard]] std::uint64_t at() const { return at_; }

 private:
  const SharedSource& file_;
  std::uint64_t at_;
  Checkpoint& into_;
};

void check_end(const ByteSource& file, std::uint64_t end) {
  if (end == file.size()) return;
  refuse_file(file, "according to its header it should have " + std::to_string(end) +
                        " bytes, but it has " + std::to_string(file.size()));
}

}  // namespace

void read_llama2c(const SharedSource& file, Checkpoint& into) {
  ByteReader reader(file);
  std::int32_t version = 0;
  bool shared = true;
  if (file->size() >= 4 && ByteReader(file).take<std::uint32_t>() == llama2c_magic) {
    reader.skip(4);
    version = reader.take<std::int32_t>();
    if (version != 1)
      refuse_file(*file, "version " + std::to_string(version) +
                             " of llama2.c's format holds integers in groups and cannot be read; "
                             "export it with --version 0");
  }
  const LlamaSizes s = read_sizes(reader);
  if (version == 1) {
    shared = reader.take<std::uint8_t>() != 0;
    reader.skip(header_bytes_of_version_1 - reader.at());
  } else {
    shared = !s.own_classifier;
  }
  Walk walk(file, reader.at(), into);
  const auto z = [](std::uint64_t n) { return static_cast<std::size_t>(n); };
  const Shape norm{z(s.dim)}, table{z(s.vocabulary), z(s.dim)}, square{z(s.dim), z(s.dim)},
      narrow{z(s.kv_heads * s.head()), z(s.dim)}, up{z(s.hidden), z(s.dim)},
      down{z(s.dim), z(s.hidden)};
  if (version == 1) {  // the norms come first
    walk.layers(s, "attention_norm", norm);
    walk.layers(s, "ffn_norm", norm);
    walk.one("norm", norm);
    walk.one("tok_embeddings", table);
  } else {
    walk.one("tok_embeddings", table);
    walk.layers(s, "attention_norm", norm);
  }
  walk.layers(s, "wq", square);
  walk.layers(s, "wk", narrow);
  walk.layers(s, "wv", narrow);
  walk.layers(s, "wo", square);
  if (version == 0) walk.layers(s, "ffn_norm", norm);
  walk.layers(s, "w1", up);
  walk.layers(s, "w2", down);
  walk.layers(s, "w3", up);
  if (version == 0) {
    walk.one("norm", norm);
    walk.skip(2 * s.length * (s.head() / 2));  // cosines and sines, which pos-rope computes
  }
  if (!shared) walk.one("output", table);
  check_end(*file, walk.at());
  into.format = "llama2c";
  into.files.push_back(file->name());
  into.config = {{"model_type", "llama2c"},    {"dim", s.dim},           {"hidden_dim", s.hidden},
                 {"n_layers", s.layers},       {"n_heads", s.heads},     {"n_kv_heads", s.kv_heads},
                 {"vocab_size", s.vocabulary}, {"max_seq_len", s.length}};
  into.config_name = file->name();
}

// tokenizer.bin: the longest piece, then of each piece its score, its length and its bytes.
void read_llama2c_tokenizer(const SharedSource& file, Checkpoint& into) {
  ByteReader reader(file);
  const auto longest = reader.take<std::uint32_t>();
  Json pieces = Json::array();
  while (reader.left() > 0) {
    const auto score = reader.take<float>();
    const auto bytes = reader.take<std::int32_t>();
    if (bytes < 0 || static_cast<std::uint32_t>(bytes) > longest)
      refuse_file(*file, "piece " + std::to_string(pieces.size()) + " should have " +
                             std::to_string(bytes) + " bytes, but the longest piece has " +
                             std::to_string(longest));
    pieces.push_back({reader.text(static_cast<std::uint64_t>(bytes)), static_cast<double>(score)});
  }
  into.tokenizer = {
      {"model", {{"type", "Scored"}, {"pieces", std::move(pieces)}, {"begin", 1}, {"end", 2}}}};
  into.tokenizer_name = file->name();
  into.files.push_back(file->name());
}

}  // namespace attend
