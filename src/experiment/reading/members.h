// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>

// What may stand in the objects of a document, outside the catalogue's part. The reader refuses
// every other name, and the schema is written from the same rows.
namespace attend {

inline constexpr double largest_seed =
    9007199254740992.0;  // 2^53: what every JSON reader keeps exactly
inline constexpr double largest_count = 1e9;

struct Member {
  std::string_view name;
  std::string_view form;       // what may stand there: a definition of schema.cpp
  std::string_view says = {};  // for a reader of the schema
  bool required = false;
};
using Members = std::span<const Member>;

namespace members {

inline constexpr std::array<Member, 13> document{{
    {"schema", "version", "", true},
    {"title", "text"},
    {"seed", "seed", "What is not given is drawn from it; 0 where it is left out."},
    {"inputs", "inputs",
     "Named sources. A mechanism's role takes the input of its own name, unless mechanism.inputs says otherwise."},
    {"examples", "examples",
     "A batch: each example fills inputs of the same names and shapes. Outputs lead with an axis over them."},
    {"mechanism", "mechanism", "One mechanism; or else a model."},
    {"model", "model", "Modules wired by name, each reading inputs and the modules before it."},
    {"tie", "ties", "Parameters that are another one, by their dotted names."},
    {"parameters", "parameters",
     "Values by dotted name; what is not given is drawn from the seed."},
    {"interventions", "interventions",
     "Changes to tensors while the program runs; what reads a tensor reads the changed one."},
    {"outputs", "texts",
     "Names of the results wanted; \"weights[3]\" is one row of one, \"inputs.x\" the vectors of an input."},
    {"gradient", "gradient"},
    {"training", "training", "What the document learns, and how: attend train."},
}};

inline constexpr std::array<Member, 6> intervention{{
    {"type", "intervention-type",
     "set a value, scale the tensor, or patch it with its value from another run.", true},
    {"of", "text", "An output, an input (inputs.NAME), a parameter or a step.", true},
    {"head", "places", "Only this head, or these."},
    {"rows", "places", "Only this row of queries, or these."},
    {"value", "tensor",
     "Of set and scale: one number, or numbers that broadcast to what is changed."},
    {"from", "patch-source",
     "Of patch: an example of examples, or \"clean\" for this run without the interventions."},
}};
inline constexpr std::array<Member, 1> patch_source{{
    {"example", "whole", "Its place in examples, from 0.", true},
}};

inline constexpr std::array<Member, 1> transposed{{
    {"transpose", "text", "The parameter whose transposed matrix stands here.", true},
}};

inline constexpr std::array<Member, 13> training{{
    {"task", "setting", "A task's id, or an object with its type, its settings and `inputs`.",
     true},
    {"optimiser", "setting", "sgd, adam or adamw, or an object with its type and rate."},
    {"batch", "count", "Examples in a step; 32 where it is left out."},
    {"steps", "count", "Of the whole training, by which schedules go; 1000 where it is left out."},
    {"clip", "number",
     "The longest that all gradients together may be; 0 leaves them as they are."},
    {"schedule", "setting",
     "constant, linear, cosine or inverse-square-root, or an object with type, warmup and end."},
    {"dropout", "number", "The share of what one module hands to another that is left out."},
    {"word-dropout", "setting",
     "The share of words that are read as <unknown>: of the source, or by field."},
    {"teacher-forcing", "number",
     "The share of words that come from the truth; the others are the model's own."},
    {"guide", "number", "How much the weights are drawn to the known alignment."},
    {"estimator", "text",
     "How choices that have no slope learn: the knob of that name, wherever there is one."},
    {"frozen", "texts", "Parameters that training leaves as they are; * stands for any letters."},
    {"stop", "setting", "Ends before the last step: an object with accuracy, alignment or loss."},
}};

inline constexpr std::array<Member, 3> gradient{{
    {"of", "text",
     "The output whose gradient is wanted: the context, the output or the loss, where it is left out."},
    {"cotangent", "tensor",
     "What the output is multiplied by before it is summed: ones where it is left out."},
    {"outputs", "flag",
     "Whether gradients to the other outputs are wanted too, under outputs.NAME."},
}};

// A tensor of any rank.
inline constexpr std::array<Member, 2> shaped{{
    {"shape", "shape", "", true},
    {"data", "numbers", "Row-major.", true},
}};

// The three forms of an input.
inline constexpr std::array<Member, 2> token_source{{
    {"tokens", "tokens", "", true},
    {"features", "features"},
}};
inline constexpr std::array<Member, 2> matrix_source{{
    {"matrix", "matrix", "", true},
    {"labels", "texts", "One a row."},
}};
inline constexpr std::array<Member, 3> shaped_source{{
    {"shape", "shape", "", true},
    {"data", "numbers", "Row-major.", true},
    {"labels", "texts", "One a row."},
}};

// How tokens become numbers, by `type`; the first where none is given.
struct Features {
  std::string_view type;
  Members members;
};
inline constexpr std::array<Member, 3> embedding{{
    {"type", "text"},
    {"dim", "count", "The width of a row."},
    {"seed", "whole", "Draws other vectors than the document's seed."},
}};
inline constexpr std::array<Member, 2> of_width{{
    {"type", "text", "", true},
    {"dim", "count", "The width of a row."},
}};
inline constexpr std::array<Member, 2> given_rows{{
    {"type", "text", "", true},
    {"matrix", "matrix", "One row a token.", true},
}};
inline constexpr std::array<Member, 2> of_words{{
    {"type", "text", "", true},
    {"dim", "columns", "The first columns of the word vectors."},
}};
inline constexpr std::array<Features, 5> features{{
    {"embedding", embedding},
    {"words", of_words},
    {"one-hot", of_width},
    {"sinusoidal", of_width},
    {"matrix", given_rows},
}};

}  // namespace members
}  // namespace attend
