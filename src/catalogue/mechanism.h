// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "catalogue/knob.h"
#include "catalogue/reference.h"
#include "ops/graph.h"
#include "ops/list.h"

namespace attend {

class Tensors;
struct Scope;
struct ScoreIn;
struct AlignmentIn;
struct MaskIn;
struct PositionIn;
struct QkIn;
struct ValueIn;
struct QueryIn;
struct KeyIn;
struct HeadsIn;
struct DimensionalityIn;
struct AggregateIn;
struct OutputIn;
struct PenaltyIn;
struct CellIn;
struct CoreIn;
struct Weighing;

// Queries, keys and values on their way through the module; an empty `q` where no query is read.
struct Triple {
  Var q, k, v;
  std::size_t memory = 0;  // rows in front of k and v that lie before position 0
};

// What a mechanism does, one struct a kind. The kinds are the slots of a document. Functions not
// named are absent.
struct Score {
  Var (*build)(const ScoreIn&);            // [.. m n], or [.. 1 n] when all queries score alike
  Var (*scale)(const ScoreIn&) = nullptr;  // the factor on the product, for terms that join it
  bool reads_query = true;
  bool (*asks_nobody)(const Scope&) =
      nullptr;                           // whether it has rows of its own, so that no query is read
  Var (*mask)(const MaskIn&) = nullptr;  // [m n], where the score itself rules keys out
  Var (*state)(const ScoreIn&) =
      nullptr;         // recurrent: what the last row leaves, [.. n] or [.. n x]
  bool given = false;  // makes none: its only port gives the scores
};
struct Alignment {
  Var (*build)(const AlignmentIn&);  // weights of the scores' shape
};
struct Mask {
  Var (*build)(const MaskIn&) = nullptr;           // [m n] of 0 and 1 (may attend); may be empty
  Var (*energy)(const MaskIn&, Var e) = nullptr;   // energies [.. m n] that go to the alignment
  Var (*weights)(const MaskIn&, Var a) = nullptr;  // weights [.. m n] after it
  Var (*rows)(const MaskIn&, Var rows) = nullptr;  // the tokens' rows [n d] before anything else
};
struct Position {
  Var (*encode)(const PositionIn&, Var rows) = nullptr;  // what is added to rows [n d]
  Triple (*rows)(const PositionIn&, Triple) = nullptr;   // other changes of the rows that enter
  // A rotation: q and k as the heads projected them, [.. m p] and [.. n p], turned by their positions.
  Triple (*projected)(const PositionIn&, Triple) = nullptr;
  Var (*score)(const PositionIn&, Var scores) = nullptr;  // scores with the position term
  Var (*context)(const PositionIn&, Var weights, Var context) = nullptr;
};
struct Query {
  Triple (*build)(const QueryIn&);
};
struct Key {
  Triple (*build)(const KeyIn&, Triple);  // other keys and values: [n dk] [n dv]
};
// Changes q and k after the heads' projections and before a rotation: [.. m dq] [.. n dk].
struct Qk {
  Triple (*build)(const QkIn&, Triple);
};
// Changes the values after the heads' projections: [.. n dv].
struct Value {
  Var (*build)(const ValueIn&, Var v);
};
struct Heads {
  Triple (*split)(const HeadsIn&, Triple) = nullptr;  // [h m p] [h n p] [h n pv]
  Var (*merge)(const HeadsIn&, Var heads) = nullptr;  // [h m pv] -> [m dc]
  Var (*heads)(const HeadsIn&, Var heads) = nullptr;  // [h m pv], changed before they are merged
  std::string_view alignments = {};  // the slot with one alignment a head, if heads differ
  // Where heads mix: their scores [.. h m n] before masks, and their weights after the alignment. Several streams of
  // queries may make one head: `split` then gives s queries and keys for h values, and `weights` joins the streams'
  // maps [.. s m n] to those of the heads [.. h m n].
  Var (*scores)(const HeadsIn&, Var scores) = nullptr;
  Var (*weights)(const HeadsIn&, Var weights) = nullptr;
  bool streams = false;  // several queries and keys make one head
  // Where `weights` adds the maps of streams up: the same of their contexts [.. s m dv], which gives those of the heads
  // without a joined map.
  Var (*contexts)(const HeadsIn&, Var contexts) = nullptr;
};
struct Dimensionality {
  Var (*scores)(const DimensionalityIn&) =
      nullptr;  // owns its score: [dv .. m n]; absent: one weight a value row
};
struct Aggregate {
  Var (*build)(const AggregateIn&);  // [.. m dv], in place of the context
};
struct OutputModel {
  void (*build)(const OutputIn&);                          // names its `output`
  Var (*before)(const OutputIn&, Var features) = nullptr;  // [n d] that attends, for pre-norm
};
struct Penalty {
  Var (*build)(const PenaltyIn&);                           // a scalar []
  Var (*context)(const PenaltyIn&, Var context) = nullptr;  // [.. m dv]
};
struct Structure {
  Tensors (*build)(const Scope&,
                   const Tensors& inputs);  // by the names of its ports -> its results
  // Of a loss that compares classes with words: the port of the logits. The words are read at another.
  std::string_view logits = {};
  bool sized = false;  // its build gets a scope whose sizes its ports have settled
};
struct Cell {
  // x [1 dx] and the states before it -> the states after it, all [1 dh]; the first is what the cell
  // gives out.
  std::vector<Var> (*step)(const CellIn&, Var x, const std::vector<Var>& states);
  std::string_view states;  // their symbols: "h c"
};
// Replaces score, alignment and aggregate together: (Q, K, V) -> context.
struct Core {
  // Computes everything that does not read the values, and returns how values are weighted: every core is linear in
  // them.
  Weighing (*build)(const CoreIn&);
  List<std::string_view> masks = {};   // those it honours; `mask-causal` is its knob `causal`
  bool always_causal = false;          // no row sees what comes after it, without any knob
  std::string_view never_causal = {};  // why there is no such form, where there is none
  std::string_view peeks =
      {};                    // what an earlier row learns of later tokens even where it is causal
  bool exact = false;        // gives what softmax attention gives, whatever its knobs
  bool shares_keys = false;  // the queries are its keys
  bool serves_all_heads = false;  // all heads use its parameters, which have no axis of heads
  bool group_decides = false;     // heads that share keys make one choice together
  std::string_view keys_per_query = {};  // the knob that says so, where each query has several keys
  Var (*finish)(const CoreIn&, Var context) = nullptr;  // the context afterwards, not linear in V
};
using Behaviour =
    std::variant<Structure, Query, Key, Score, Mask, Position, Alignment, Dimensionality, Heads,
                 Aggregate, OutputModel, Penalty, Cell, Core, Qk, Value>;
enum class Kind {
  structure,
  query,
  key,
  score,
  mask,
  position,
  alignment,
  dimensionality,
  heads,
  aggregate,
  output,
  penalty,
  cell,
  core,
  qk,
  value
};
inline constexpr std::size_t kind_count = std::variant_size_v<Behaviour>;
std::string_view kind_name(Kind kind);

// The numbers of a parameter that the document does not give.
enum class Distribution {
  // Initialisers: how a weight begins.
  weight,
  zero,
  one,
  half,
  stated,    // the number that the record states in `start`
  identity,  // ones along the diagonal of the last two axes
  unit,      // as a weight, but of variance 1: learned places, classes, queries, memories
  // Noise, drawn at every step and for every example.
  uniform,
  normal,
  gumbel,
  bernoulli,
  permutation,
  // A constant: |i - j| of the last two indices, the tokens as a chain.
  distances
};
enum class Origin { initialiser, noise, constant };
constexpr Origin origin_of(Distribution distribution) {
  return distribution <= Distribution::unit          ? Origin::initialiser
         : distribution <= Distribution::permutation ? Origin::noise
                                                     : Origin::constant;
}

// The numbers that a parameter may hold: from `low`, or above it, to `high`.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;  // `low` itself is not allowed

  // Whether there is a number that is not allowed.
  [[nodiscard]] constexpr bool bounded() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return low > -infinity || high < infinity;
  }
  [[nodiscard]] constexpr bool holds(double x) const {
    return x <= high && (open ? x > low : x >= low);
  }
};

// A parameter's name is the catalogue's symbol; its shape is a list of symbols and expressions ("dq
// a", "2k+1 dk"), "" a scalar. "n | m n" are alternatives: the first unless a given tensor fits
// another. A name with a dot is complete; any other follows the slot's prefix. "W2+" is W2,
// W3, .., as many as the build asks for.
struct Parameter {
  std::string_view name;
  std::string_view shape;
  Distribution distribution = Distribution::weight;
  std::string_view below = {};  // of indices: the number that they lie below, "m+n"
  std::string_view start = {};  // of `stated`: an expression of sizes, "0.43", "0-ln(n)"
  Interval values = {};         // what a document may give
};

// An input that a mechanism reads, by the name that it has in `inputs`.
struct Role {
  std::string_view name;
  std::string_view shape;  // "m dq"
  bool required = true;
  std::string_view falls_back_to = {};  // the role whose input serves when this one is missing
  bool words = false;                   // its tokens are read, by the knob `vocabulary`
};

// The mechanism in a slot unless the document names a different one.
struct Default {
  std::string_view slot;
  std::string_view id;
};

// A place for another mechanism; its title and its group are among the words. `only` names the sole id that fits,
// `among` the few that do;
// `inner` replaces the defaults of that one's own slots.
struct Slot {
  std::string_view name;
  Kind kind;
  std::string_view fallback;  // id used when the slot is missing; empty: nothing
  bool list = false;
  std::string_view only = {};
  List<Default> inner = {};
  List<std::string_view> without = {};  // slots of that mechanism which have no meaning here
  List<std::string_view> among = {};
};

// Mechanisms that this one cannot be combined with, and why. `only`: just these ids are possible in that slot; without
// ids, the slot must stay empty.
struct Exclusion {
  std::string_view slot;
  List<std::string_view> ids;
  bool only;
  std::string_view reason;
};

// The same where the ids follow from the whole catalogue.
struct Ban {
  std::string_view slot;
  std::vector<std::string_view> ids;
  bool only;
  std::string_view reason;
};

// A free symbol of the parameters' shapes, and its value when no given parameter settles it.
struct Symbol {
  std::string_view name;
  std::string_view fallback;
};

// Laws of the result that the tests check for every mechanism.
struct Laws {
  bool rows_sum_to_one = true;  // of an alignment: every row with an allowed key
  bool permutation = true;      // permuting keys permutes columns (not: uses positions, samples)
  bool content = true;          // of a score: equal keys give equal scores
  bool nonnegative = true;      // no weight is below zero
  bool heads_alike = true;      // heads with equal parameters compute the same
};

// Its word in a dimension of the survey's taxonomy.
struct Coordinate {
  std::string_view dimension;
  std::string_view word;
};

// The size of an axis symbol in the example.
struct Extent {
  std::string_view symbol;
  std::size_t size;
};

struct Mechanism {
  std::string_view id;
  List<std::string_view> aliases = {};
  List<Parameter> parameters = {};
  List<Symbol> symbols = {};
  List<Knob> knobs = {};
  List<Role> roles = {};
  List<Slot> slots = {};
  List<Exclusion> excludes = {};
  bool recurrent = false;       // row t needs the rows before it: built one row at a time
  bool needs_all_rows = false;  // of an alignment: has no meaning row by row
  bool drops_query = false;     // leaves the module without a query
  bool needs_query = false;     // has no meaning in a module without a query (scores say it apart)
  bool needs_product = false;   // joins the score's product of query and key
  bool needs_weights = false;   // has no meaning without a weight for each pair (beside a core)
  List<Default> beside = {};    // defaults of the slots beside it
  Laws laws = {};
  std::string_view coordinate = {};   // its word in the survey's taxonomy; empty: the title
  List<Coordinate> coordinates = {};  // a structure's words
  std::string_view example = {};  // members (JSON) that a small example document needs in this slot
  std::string_view around = {};   // and a merge patch (JSON) of the whole example document
  List<Extent> extents = {};
  bool differentiable = true;  // otherwise the words say how it learns
  Behaviour behaviour;

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(behaviour.index()); }
};

// Every mechanism: generated from the files below this folder.
std::span<const Mechanism* const> all_mechanisms();

// The mechanism of a kind with this id or alias; null if there is none.
const Mechanism* find_mechanism(Kind kind, std::string_view id);

// The general attention module, which is meant where a document names no type.
const Mechanism& general_module();

// The port whose tokens a module reads as words; null of one that reads none.
const Role* role_of_words(const Mechanism& mechanism);

// The knob of this role, null where the mechanism has none.
const Knob* knob_of(const Mechanism& mechanism, Knob::Role role);

// What it excludes: its own list, and what follows from its `needs_` and `drops_query`.
std::vector<Ban> exclusions_of(const Mechanism& mechanism);

// The name that the general module gives to the slot of a kind: "score", "penalties".
std::string_view slot_name(Kind kind);

// The id without its section's prefix ("causal" for "mask-causal"), an alias of it; empty when it
// has none.
std::string_view short_id(const Mechanism& mechanism);

}  // namespace attend
