// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiment/text/json_parse.h"
#include "import/stored_tensor.h"

namespace attend {

class Tokenizer;

// The contents of a model's files together: tensors by name, the model's config and its tokenizer.
struct Checkpoint {
  std::map<std::string, StoredTensor, std::less<>> tensors;
  std::string format;  // of the tensors' file: "safetensors", "gguf", "llama2c", "npz", "pickle"
  Json config = Json::object();  // config.json, or what the file itself says of the kind
  std::string config_name;       // the file that says it
  Json tokenizer;  // tokenizer.json, or the same of another form; null where there is none
  std::string tokenizer_name;
  std::vector<SharedSource> piece_files;  // of SentencePiece
  SharedSource vocabulary_file;           // vocab.txt, or merges.txt
  Json vocabulary;                        // vocab.json: the numbers of the pieces
  std::string vocabulary_name;
  Json tokenizer_settings = Json::object();         // tokenizer_config.json
  Json added_tokens = Json::object();               // added_tokens.json: numbers by text
  Json generation = Json::object();                 // generation_config.json
  std::string tokenizer_damage;                     // why one of these two files cannot be read
  std::string tokenizer_left;                       // why a tokenizer of the files is not used
  std::shared_ptr<const Tokenizer> tokenizer_read;  // none where there is no tokenizer
  std::string tokenizer_text;                       // as the file of the weights has it
  std::vector<std::string> files;                   // names of all that was read
  // Which rows make a sentence, by 1_Pooling/config.json of sentence-transformers.
  struct Pooling {
    std::string file;
    std::string mode;                    // as fm-pool calls it; empty where it cannot be computed
    std::string chosen;                  // the modes of the file
    bool unit = false;                   // whether modules.json divides the sentence by its length
    std::vector<std::string> left = {};  // what modules.json does to it besides
  };
  Pooling pooling;
  Json preprocessor = Json::object();  // preprocessor_config.json: how a picture becomes numbers
  std::string preprocessor_name;
  // A GGUF file that is part `number` of `count`, from 0 on; together they have so many tensors.
  struct Part {
    std::string file;
    std::uint64_t number = 0, count = 1, tensors = 0;
  };
  std::vector<Part> parts;

  // Adds a tensor. Throws Error where another file has one of this name, where it lies outside of its file, where its
  // name is too long, or where there are more tensors than any model has.
  void add(StoredTensor tensor);
};

// One reader per format. Each adds what the file holds and throws Error, naming the file, where it cannot.
void read_safetensors(const SharedSource& file, Checkpoint& into);
void read_gguf(const SharedSource& file, Checkpoint& into);
// The tokenizer among the settings of a GGUF file, if there is one.
void read_gguf_tokenizer(const SharedSource& file, const Json& settings, Checkpoint& into);
void read_llama2c(const SharedSource& file, Checkpoint& into);
void read_llama2c_tokenizer(const SharedSource& file, Checkpoint& into);
void read_npy(const SharedSource& file, const std::string& name, Checkpoint& into);
void read_npz(const SharedSource& file, Checkpoint& into);
void read_torch(const SharedSource& file, Checkpoint& into);
// Whether torch.save of a PyTorch before 1.6 wrote this file.
bool is_old_torch(const ByteSource& file);
// Whether a file of this name holds pieces of SentencePiece.
bool is_piece_file(std::string_view name);
// The files of pieces as a tokenizer.json, if there is none. Throws Error where one is damaged.
void settle_piece_files(Checkpoint& into);
// Whether a file of this name is part of a tokenizer of the older form.
bool is_vocabulary_file(std::string_view name);
// vocab.txt, or vocab.json with merges.txt, as a tokenizer.json, if there is none. Throws Error where one is damaged.
void settle_vocabulary_files(Checkpoint& into);
// Makes one tensor of those that a mixture of experts has for each expert. Throws Error where one of them is missing or
// differs in shape or type.
void stack_experts(Checkpoint& into);
// Checks that the GGUF files are all parts of one model, or a single file. Throws Error naming those that are missing.
void check_parts(const Checkpoint& checkpoint);
// Checks that the numbers of the tensors are the weights themselves, not an int8 form that has to be undone with a
// config or scales beside them. Throws Error that explains how to convert them.
void check_not_quantized(const Checkpoint& checkpoint, const ByteSource* config);
// The rotation that the tensor rope_freqs.weight describes, as settings of the config. Throws Error where no known
// settings give its numbers.
void read_rope_freqs(Checkpoint& into);

// All files of one model, each recognised by its first bytes and its name. Throws Error where they belong to two
// models, or where an index names a file that is not among them.
Checkpoint read_checkpoint(const std::vector<SharedSource>& files);

// The text of a JSON file of a model, which may be larger than a document. Throws Error, naming the file, where it is
// no JSON, or its lists and objects are nested deeper than a document's may be.
Json read_json_file(const ByteSource& file);
// JSON that another program wrote: `from` names it in errors. Discarded where it is no JSON.
Json parse_foreign_json(std::string_view text, const std::string& from);

}  // namespace attend
