// SPDX-License-Identifier: Apache-2.0
#include "fused/row_blocks.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "fused/key_axes.h"
#include "fused/row_axis.h"
#include "fused/uses.h"
#include "ops/module_places.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"
#include "ops/scan.h"

namespace attend::fused {
namespace {

void put(Places& places, const Placed& one) {
  if (index_of(places, one) < places.size()) return;
  std::size_t at = places.size();
  while (at > 0 && places[at - 1].id > one.id) --at;
  places.insert(places.begin() + static_cast<long>(at), one);
}

// Nodes that are computed together, a block of rows at a time.
struct Region {
  Places nodes;
  Places given;                 // nodes outside whose rows it reads
  Places whole;                 // nodes outside that every row reads; they have no axis
  std::vector<NodeId> results;  // what is read outside, in order
  std::size_t rows = 0;

  [[nodiscard]] bool reads(NodeId id) const {
    return place_of(given, id) != nullptr || place_of(whole, id) != nullptr;
  }
  [[nodiscard]] bool reads_before(NodeId id) const {
    return (given.empty() || given.back().id < id) && (whole.empty() || whole.back().id < id);
  }
};

class Finder {
 public:
  Finder(const Graph& graph, const std::vector<Var>& wanted, std::size_t from_numbers)
      : graph_(graph),
        uses_(graph, wanted),
        wanted_(graph.size(), false),
        links_(graph.size(), false),
        from_(from_numbers) {
    for (const Var& one : wanted) wanted_[one.id()] = true;
    for (NodeId id = 0; id < graph.size(); ++id) links_[id] = links(graph[id]);
  }

  [[nodiscard]] bool takes(NodeId map) const {
    Region region;
    return is_large(map) && graph_[map].shape.size() > 1 &&
           add(region, map, graph_[map].shape.size() - 2);
  }

  // Every region that may be computed in blocks.
  [[nodiscard]] std::vector<Region> regions() const {
    std::vector<Region> all;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (!uses_.needed[id] || is_large(id) || !reads_large(id)) continue;
      if (!all.empty() && joins(all.back(), id)) continue;
      if (std::optional<Region> region = ending_in(id)) all.push_back(*std::move(region));
    }
    return all;
  }

  // The same results, each in a region of its own.
  void take_apart(std::vector<Region>& regions, const Region* which) const {
    const std::vector<NodeId> results = which->results;
    regions.erase(regions.begin() + (which - regions.data()));
    for (const NodeId result : results) regions.push_back(ending_in(result).value());
  }

 private:
  [[nodiscard]] bool is_large(NodeId id) const {
    return !graph_[id].leaf && !wanted_[id] && element_count(graph_[id].shape) >= from_;
  }
  [[nodiscard]] bool reads_large(NodeId id) const {
    const auto& in = graph_[id].inputs;
    return std::any_of(in.begin(), in.end(), [&](NodeId one) { return is_large(one); });
  }

  [[nodiscard]] bool reads_one_of(NodeId id, const std::vector<NodeId>& read) const {
    const auto& in = graph_[id].inputs;
    return std::find_first_of(in.begin(), in.end(), read.begin(), read.end()) != in.end();
  }

  // A number or so of each row, made of large tensors, such as the largest score: to keep it between two scans would
  // have the large tensors computed twice.
  [[nodiscard]] bool links(const Node& node) const {
    if (node.leaf || (!node.shape.empty() && node.shape.back() != 1)) return false;
    return reads_large(node.id) || std::any_of(node.inputs.begin(), node.inputs.end(),
                                               [&](NodeId in) { return links_[in]; });
  }

  // Adds a node and what it reads; whether all of it goes row by row.
  [[nodiscard]] bool add(Region& region, NodeId id, std::size_t axis) const {
    if (const Placed* known = place_of(region.nodes, id)) return known->axis == axis;
    put(region.nodes, {id, axis});
    const Node& node = graph_[id];
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const RowAxis own = row_axis(graph_, node, axis, k);
      const NodeId in = node.inputs[k];
      if (own.kind == RowAxis::Kind::mixed) return false;
      if (own.kind == RowAxis::Kind::fixed) {
        if (is_large(in)) return false;
        put(region.whole, {in, 0});
      } else if (is_large(in) || links_[in]) {
        if (!add(region, in, own.axis)) return false;
      } else {
        put(region.given, {in, own.axis});
      }
    }
    return node.primitive != nullptr;
  }

  // The axis of the rows is most often the last but one.
  [[nodiscard]] std::optional<Region> ending_in(NodeId id) const {
    const Shape& shape = graph_[id].shape;
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);
    if (axes.size() > 1) std::swap(axes.front(), axes.end()[-2]);
    for (const std::size_t axis : axes) {
      Region region;
      region.rows = shape[axis];
      region.results = {id};
      if (region.rows > 1 && add(region, id, axis) && region.reads_before(id)) return region;
    }
    return std::nullopt;
  }

  // Whether a node may be computed with a region that it shares tensors with, in its place: nothing before it reads
  // a result of the region.
  [[nodiscard]] bool joins(Region& region, NodeId id) const {
    std::optional<Region> own = ending_in(id);
    if (!own || own->rows != region.rows) return false;
    for (NodeId at = region.results.front() + 1; at <= id; ++at) {
      if (uses_.needed[at] && place_of(own->nodes, at) == nullptr &&
          reads_one_of(at, region.results))
        return false;
    }
    for (const NodeId result : region.results) {
      if (own->reads(result)) return false;
    }
    bool shares = false;
    for (const Placed& one : own->nodes) {
      const Placed* const known = place_of(region.nodes, one.id);
      if (known != nullptr && known->axis != one.axis) return false;
      shares = shares || known != nullptr;
    }
    if (!shares) return false;
    for (const Placed& one : own->nodes) put(region.nodes, one);
    for (const Placed& one : own->given) put(region.given, one);
    for (const Placed& one : own->whole) put(region.whole, one);
    region.results.push_back(id);
    return true;
  }

  const Graph& graph_;
  Uses uses_;
  std::vector<bool> wanted_, links_;
  std::size_t from_;
};

// How rows are cut: the last block begins again with the first rows, to be whole.
struct Blocks {
  std::size_t rows, count, size;

  Blocks(std::size_t all, std::size_t most)
      : rows(all), count((all + most - 1) / most), size((all + count - 1) / count) {}

  // [.. rows ..] to [count .. size ..]
  [[nodiscard]] Var cut(Var x, std::size_t axis) const {
    const std::size_t more = count * size - rows;
    const auto at = static_cast<long>(axis);
    if (more > 0) x = concat({x, slice(x, at, 0, more)}, at);
    Shape apart = x.shape();
    apart[axis] = size;
    apart.insert(apart.begin() + at, count);
    return moved(reshape(x, apart), axis, 0);
  }
  // The way back.
  [[nodiscard]] Var joined(Var x, std::size_t axis) const {
    x = moved(x, 0, axis);
    Shape whole = x.shape();
    whole.erase(whole.begin() + static_cast<long>(axis));
    whole[axis] = count * size;
    return slice(reshape(x, whole), static_cast<long>(axis), 0, rows);
  }

 private:
  // One axis goes to another place.
  static Var moved(Var x, std::size_t from, std::size_t to) {
    if (from == to) return x;
    std::vector<long> axes;
    for (std::size_t i = 0; i < x.rank(); ++i) axes.push_back(static_cast<long>(i));
    axes.erase(axes.begin() + static_cast<long>(from));
    axes.insert(axes.begin() + static_cast<long>(to), static_cast<long>(from));
    return permute(x, axes);
  }
};

// If a row's keys end, rows are computed in so many parts, each with the keys of its last row.
constexpr std::size_t most_parts = 8;

// Records scans in the place of a region.
class Recorder {
 public:
  Recorder(const Graph& old, Rewrite& to, const Region& region, std::size_t numbers)
      : old_(old),
        to_(to),
        region_(region),
        keys_(key_axes(old, region.nodes, region.given, region.whole, region.results)),
        blocks_(region.rows, most_rows(numbers)) {
    for (const auto& [id, axis] : region.given) given_.push_back(blocks_.cut(to.now(id), axis));
  }

  // The region's results, in order.
  std::vector<Var> recorded() {
    const std::size_t parts = keys_ ? std::min(most_parts, blocks_.count) : 1;
    std::vector<std::vector<Var>> results(region_.results.size());
    for (std::size_t part = 0; part < parts; ++part) {
      const std::vector<Var> own =
          scan(part * blocks_.count / parts, (part + 1) * blocks_.count / parts);
      for (std::size_t k = 0; k < own.size(); ++k) results[k].push_back(own[k]);
    }
    std::vector<Var> joined;
    for (std::size_t k = 0; k < results.size(); ++k) {
      const Var all = parts == 1 ? results[k][0] : concat(results[k], 0);
      joined.push_back(blocks_.joined(all, place_of(region_.nodes, region_.results[k])->axis));
    }
    return joined;
  }

 private:
  [[nodiscard]] std::size_t most_rows(std::size_t numbers) const {
    std::size_t of_row = 1;
    for (const auto& [id, axis] : region_.nodes)
      of_row += element_count(old_[id].shape) / region_.rows;
    return std::max<std::size_t>(numbers / of_row, 1);
  }

  // The first keys alone, of what has an axis of keys.
  static Var cut(Var x, KeyAxes::Axis axis, std::size_t keys) {
    if (!axis || x.extent(static_cast<long>(*axis)) == keys) return x;
    return slice(x, static_cast<long>(*axis), 0, keys);
  }

  // The results [blocks ..] of these blocks.
  std::vector<Var> scan(std::size_t first, std::size_t last) {
    const std::size_t keys =
        keys_ ? keys_->before_row(std::min(last * blocks_.size, region_.rows)) : 0;
    std::vector<Var> row, whole, made;
    for (std::size_t k = 0; k < given_.size(); ++k) {
      const bool all = last - first == blocks_.count;
      Var own = all ? given_[k] : slice(given_[k], 0, first, last);
      if (keys_ && keys_->given[k]) own = cut(own, *keys_->given[k] + 1, keys);
      row.push_back(own);
    }
    for (std::size_t k = 0; k < region_.whole.size(); ++k) {
      const Var own = to_.now(region_.whole[k].id);
      whole.push_back(keys_ ? cut(own, keys_->whole[k], keys) : own);
    }
    ScanRecorder recorder(to_.graph(), last - first);
    for (std::size_t k = 0; k < row.size(); ++k)
      row[k] = recorder.row({old_[region_.given[k].id].name, row[k]});
    Graph& step = to_.graph().innermost();
    for (const auto& [id, axis] : region_.nodes) {
      const Node& node = old_[id];
      std::vector<Var> in;
      for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const RowAxis own = row_axis(old_, node, axis, k);
        const bool fixed = own.kind == RowAxis::Kind::fixed;
        const Placed input{node.inputs[k], fixed ? 0 : own.axis};
        const std::size_t inside = fixed ? made.size() : index_of(region_.nodes, input);
        if (fixed)
          in.push_back(whole[index_of(region_.whole, input)]);
        else
          in.push_back(inside < made.size() ? made[inside] : row[index_of(region_.given, input)]);
      }
      Attributes own = node.attributes;
      resize(own, node, axis, blocks_.size);
      if (const auto at = keys_ ? keys_->nodes[made.size()] : std::nullopt)
        resize(own, node, *at, node.shape[*at] + keys - keys_->keys);
      const RecordedFor module(step, node.module);
      made.push_back(step.record(*node.primitive, in, own));
    }
    for (const NodeId id : region_.results)
      recorder.output(
          made[static_cast<std::size_t>(place_of(region_.nodes, id) - region_.nodes.data())]);
    return recorder.finish_quietly().outputs;
  }

  const Graph& old_;
  Rewrite& to_;
  const Region& region_;
  std::optional<KeyAxes> keys_;
  Blocks blocks_;
  std::vector<Var> given_;
};

// By node: the region whose result it is.
using RegionOf = std::vector<const Region*>;

RegionOf regions_by_node(const Graph& graph, const std::vector<Region>& regions) {
  RegionOf region_of(graph.size(), nullptr);
  for (const Region& one : regions) {
    for (const NodeId result : one.results) region_of[result] = &one;
  }
  return region_of;
}

// What is read where a node is computed beside the regions, or the region whose place it is.
std::vector<NodeId> read_at(const Graph& graph, NodeId id, const Region* region) {
  if (region == nullptr) return graph[id].inputs;
  std::vector<NodeId> read;
  for (const Placed& one : region->given) read.push_back(one.id);
  for (const Placed& one : region->whole) read.push_back(one.id);
  return read;
}

// Which nodes are still computed for those that are wanted: none inside a region.
std::vector<bool> needed_beside(const Program& program, const RegionOf& region_of) {
  const Graph& graph = program.graph();
  std::vector<bool> needed(graph.size(), false);
  for (const Program::Leaf& one : program.leaves()) needed[one.node] = true;
  for (const Var& one : program.wanted()) needed[one.id()] = true;
  for (NodeId id = static_cast<NodeId>(graph.size()); id-- > 0;) {
    const Region* const region = region_of[id];
    if (region != nullptr) {
      // All results have the place of the last.
      const auto& results = region->results;
      needed[id] =
          id == results.back() && std::any_of(results.begin(), results.end(),
                                              [&](NodeId result) { return needed[result]; });
    }
    if (!needed[id]) continue;
    for (const NodeId in : read_at(graph, id, region)) needed[in] = true;
  }
  return needed;
}

// A region one of whose results is read before the place of its last one.
const Region* read_too_early(const Graph& graph, const std::vector<bool>& needed,
                             const RegionOf& region_of) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!needed[id]) continue;
    for (const NodeId in : read_at(graph, id, region_of[id])) {
      const Region* const read = region_of[in];
      if (read != nullptr && read->results.back() > id) return read;
    }
  }
  return nullptr;
}

}  // namespace

bool is_for_blocks(const Graph& graph, const std::vector<Var>& wanted, NodeId map) {
  return element_count(graph[map].shape) >= min_in_blocks &&
         Finder(graph, wanted, min_in_blocks).takes(map);
}

Program in_blocks(const Program& program, std::size_t from_numbers, std::size_t numbers_in_step) {
  const Graph& old = program.graph();
  bool large = false;
  for (NodeId id = 0; id < old.size() && !large; ++id)
    large = element_count(old[id].shape) >= from_numbers;
  if (!large) return program;
  const Finder finder(old, program.wanted(), from_numbers);
  std::vector<Region> regions = finder.regions();
  if (regions.empty()) return program;
  RegionOf region_of = regions_by_node(old, regions);
  std::vector<bool> needed = needed_beside(program, region_of);
  // A node inside a region may also be computed beside it, where it reads the results.
  while (const Region* const early = read_too_early(old, needed, region_of)) {
    finder.take_apart(regions, early);
    region_of = regions_by_node(old, regions);
    needed = needed_beside(program, region_of);
  }
  Rewrite to(program);
  to.copy_some(needed, [&](const Node& node, const auto&) {
    const Region* const region = region_of[node.id];
    if (region == nullptr) return Var{};
    const auto results = Recorder(old, to, *region, numbers_in_step).recorded();
    for (std::size_t k = 0; k + 1 < results.size(); ++k) to.let_be(region->results[k], results[k]);
    ++to.made.fused;
    return results.back();
  });
  return to.program();
}

}  // namespace attend::fused
