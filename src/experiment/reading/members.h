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
    {"seed", "seed", "The seed for every number that is not given; 0 by default."},
    {"inputs", "inputs",
     "Named sources. A mechanism's role reads the input of the same name, unless mechanism.inputs names another."},
    {"examples", "examples",
     "A batch: each example fills inputs of the same names and shapes. Outputs then begin with an axis of examples."},
    {"mechanism", "mechanism", "One mechanism. A document has either a mechanism or a model."},
    {"model", "model", "Modules wired by name, each reading inputs and the modules before it."},
    {"tie", "ties", "Parameters that equal another parameter, by their dotted names."},
    {"parameters", "parameters", "Values by dotted name; all others are drawn from the seed."},
    {"interventions", "interventions",
     "Changes to tensors while the program runs; whatever reads a tensor uses the changed tensor."},
    {"outputs", "texts",
     "Names of the requested results; \"weights[3]\" is one row of the weights, \"inputs.x\" the vectors of x."},
    {"gradient", "gradient"},
    {"training", "training", "What the document learns and how; attend train uses it."},
}};

inline constexpr std::array<Member, 6> intervention{{
    {"type", "intervention-type",
     "set a value, scale the tensor, or patch it with its value from another run.", true},
    {"of", "text", "An output, an input (inputs.NAME), a parameter or a step.", true},
    {"head", "places", "Only this head or these heads."},
    {"rows", "places", "Only this query's row, or these rows."},
    {"value", "tensor",
     "For set and scale: one number, or numbers that broadcast to the changed part."},
    {"from", "patch-source",
     "For patch: one of the examples, or \"clean\" for this run without the interventions."},
}};
inline constexpr std::array<Member, 1> patch_source{{
    {"example", "whole", "Its index in examples, from 0.", true},
}};

inline constexpr std::array<Member, 1> transposed{{
    {"transpose", "text", "The parameter whose transposed matrix is used here.", true},
}};

inline constexpr std::array<Member, 14> training{{
    {"task", "setting", "A task's id, or an object with its type, its settings and `inputs`.",
     true},
    {"optimiser", "setting", "sgd, adam or adamw, or an object with its type and rate."},
    {"batch", "count", "Examples per step; 32 by default."},
    {"shares", "count",
     "Parts of each batch whose gradients are added in a fixed order; 1 by default."},
    {"steps", "count",
     "Steps of the whole training run, which the schedules use; 1000 by default."},
    {"clip", "number", "The largest norm of all gradients together; 0 means no limit."},
    {"schedule", "setting",
     "constant, linear, cosine or inverse-square-root, or an object with type, warmup and end."},
    {"dropout", "number", "The share of numbers that are dropped between modules."},
    {"word-dropout", "setting",
     "The share of words that are read as <unknown>: for the source, or by field."},
    {"teacher-forcing", "number",
     "The share of earlier words that are the true ones; the rest are the model's own."},
    {"guide", "number", "How strongly the weights are pulled towards the known alignment."},
    {"estimator", "text",
     "How choices without a gradient are learned; sets every knob that is named estimator."},
    {"frozen", "texts", "Parameters that training does not change; * matches any letters."},
    {"stop", "setting",
     "Ends the training before the last step: an object with accuracy, alignment or loss."},
}};

inline constexpr std::array<Member, 3> gradient{{
    {"of", "text",
     "The output whose gradient is requested; by default the context, the output or the loss."},
    {"cotangent", "tensor",
     "What the output is multiplied by before it is summed; ones by default."},
    {"outputs", "flag",
     "Whether gradients with respect to the other outputs are also requested, under outputs.NAME."},
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
    {"labels", "texts", "One per row."},
}};
inline constexpr std::array<Member, 3> shaped_source{{
    {"shape", "shape", "", true},
    {"data", "numbers", "Row-major.", true},
    {"labels", "texts", "One per row."},
}};

// How tokens become numbers, by `type`; the first where none is given.
struct Features {
  std::string_view type;
  Members members;
};
inline constexpr std::array<Member, 3> embedding{{
    {"type", "text"},
    {"dim", "count", "The width of a row."},
    {"seed", "whole", "Draws vectors from this seed instead of the document's."},
}};
inline constexpr std::array<Member, 2> of_width{{
    {"type", "text", "", true},
    {"dim", "count", "The width of a row."},
}};
inline constexpr std::array<Member, 2> given_rows{{
    {"type", "text", "", true},
    {"matrix", "matrix", "One row per token.", true},
}};
inline constexpr std::array<Member, 2> of_words{{
    {"type", "text", "", true},
    {"dim", "columns", "How many columns of the word vectors are used, from the first on."},
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
