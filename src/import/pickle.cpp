// SPDX-License-Identifier: Apache-2.0
// Python's pickle, protocol 2 to 4, by a closed list of opcodes. The machine has a stack, marks and a memo; the
// functions that a pickle names are compared with a list and never called.
#include "import/pickle.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "import/text_units.h"

namespace attend {
namespace {

// A step takes some hundred bytes of memory at most, so that no file makes the reader take more than 100 MB.
constexpr std::size_t most_steps = std::size_t{1} << 20U;
constexpr std::uint64_t most_pickle_text = std::uint64_t{1} << 20U;

constexpr std::array<std::string_view, 4> functions{
    "collections.OrderedDict", "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter",
    "torch.serialization._get_layout"};

constexpr std::size_t longest_storage = 64;

bool is_storage(std::string_view name) {
  return name.size() <= longest_storage && name.starts_with("torch.") &&
         name.ends_with("Storage") && std::ranges::count(name, '.') == 1;
}

class Machine {
 public:
  explicit Machine(const SharedSource& file, std::uint64_t at = 0) : in_(file, at) {}

  [[nodiscard]] std::uint64_t at() const { return in_.at(); }

  Pickle run() {
    while (true) {
      const auto op = static_cast<unsigned char>(in_.take<char>());
      if (op == '.') {
        made_.root = pop();
        return std::move(made_);
      }
      step(op);
      if (++steps_ > most_steps)
        refuse_file(in_.file(), "its pickle has more than " + std::to_string(most_steps) +
                                    " steps, which no file of weights needs; save the state_dict "
                                    "alone");
    }
  }

 private:
  void step(unsigned char op) {
    switch (op) {
      case 0x80:  // PROTO
        in_.skip(1);
        return;
      case 0x95:  // FRAME
        in_.skip(8);
        return;
      case '(':
        marks_.push_back(stack_.size());
        return;
      case '}':
        return push(PickleKind::dictionary);
      case ']':
      case ')':
        return push(PickleKind::list);
      case 'N':
        return push(PickleKind::none);
      case 0x88:
        return push_whole(1, PickleKind::boolean);
      case 0x89:
        return push_whole(0, PickleKind::boolean);
      case 'K':
        return push_whole(in_.take<std::uint8_t>());
      case 'M':
        return push_whole(in_.take<std::uint16_t>());
      case 'J':
        return push_whole(in_.take<std::int32_t>());
      case 0x8a:
        return push_long();
      case 'G':
        return push_number();
      case 'X':
        return push_text(in_.take<std::uint32_t>());
      case 0x8c:
        return push_text(in_.take<std::uint8_t>());
      case 0x8d:
        return push_text(in_.take<std::uint64_t>());
      case 'U':
        return push_latin(in_.take<std::uint8_t>());
      case 'T':
        return push_latin(in_.take<std::uint32_t>());
      case 'c': {
        const std::string module = in_.line();
        return push_global(module + "." + in_.line());
      }
      default:
        return combine(op);
    }
  }

  // The opcodes that work on what is there.
  void combine(unsigned char op) {
    switch (op) {
      case 't':  // TUPLE
        return push_list(since_mark());
      case 0x85:
      case 0x86:
      case 0x87:
        return push_list(last(op - 0x84));
      case 'a':
        return append(last(1));
      case 'e':
        return append(since_mark());
      case 's':
        return set(last(2));
      case 'u':
        return set(since_mark());
      case 'Q':
        return wrap(PickleKind::persistent, last(1));
      case 'R':
        return reduce();
      case 'b':  // BUILD: the attributes of an object, which no weight is among
        (void)pop();
        (void)top();
        return;
      case 0x93:
        return push_named_global(last(2));
      case 'q':
        return remember(in_.take<std::uint8_t>());
      case 'r':
        return remember(in_.take<std::uint32_t>());
      case 0x94:  // MEMOIZE
        return remember(static_cast<std::uint32_t>(memo_.size()));
      case 'h':
        return recall(in_.take<std::uint8_t>());
      case 'j':
        return recall(in_.take<std::uint32_t>());
      default:
        refuse_opcode(op);
    }
  }

  [[noreturn]] void refuse_opcode(unsigned char op) {
    std::array<char, 8> code{};
    (void)std::snprintf(code.data(), code.size(), "0x%02x", op);
    const bool printable = op > ' ' && op < 0x7f;
    refuse_file(in_.file(),
                "its pickle has the opcode " + std::string(code.data()) +
                    (printable ? std::string(" ('") + static_cast<char>(op) + "')" : "") +
                    " at byte " + std::to_string(in_.at() - 1) +
                    ", which a file of weights does not need; nothing was run. Save the "
                    "state_dict as safetensors");
  }

  void put(Pickled value) { stack_.push_back(value); }
  void push(PickleKind kind) {
    put(&made_.values.emplace_back());
    stack_.back()->kind = kind;
  }
  void push_whole(std::int64_t number, PickleKind kind = PickleKind::whole) {
    push(kind);
    stack_.back()->whole = number;
  }
  void push_long() {
    const auto bytes = in_.take<std::uint8_t>();
    if (bytes > 8) refuse_file(in_.file(), "its pickle has a whole number beyond 64 bits");
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < bytes; ++i) bits |= std::uint64_t{in_.take<std::uint8_t>()} << (8 * i);
    if (bytes > 0 && bytes < 8 && (bits >> (8U * bytes - 1) & 1U) != 0)
      bits |= ~std::uint64_t{0} << (8U * bytes);
    push_whole(static_cast<std::int64_t>(bits));
  }
  void push_number() {  // which no tensor is described by
    in_.skip(8);
    push(PickleKind::number);
  }
  void push_text(std::uint64_t length) {
    if (length > most_pickle_text)
      refuse_file(in_.file(),
                  "its pickle has a text that is too long: " + std::to_string(length) + " bytes");
    hold(PickleKind::text, in_.text(length));
  }
  // A text of Python 2 has bytes for characters. torch.load reads them as Latin-1.
  void push_latin(std::uint64_t length) {
    push_text(length);
    std::string& bytes = made_.texts.back();
    std::string text;
    for (const char byte : bytes)
      text += utf8_of(static_cast<char32_t>(static_cast<unsigned char>(byte)));
    bytes = std::move(text);
  }
  void hold(PickleKind kind, std::string text) {
    push_whole(static_cast<std::int64_t>(made_.texts.size()), kind);
    made_.texts.push_back(std::move(text));
  }
  // Since protocol 4, module and name are texts of the stack.
  void push_named_global(const std::vector<Pickled>& both) {
    if (both[0]->kind != PickleKind::text || both[1]->kind != PickleKind::text)
      refuse_file(in_.file(), "its pickle gives a function a name that is not text");
    push_global(made_.text(*both[0]) + "." + made_.text(*both[1]));
  }
  void push_global(std::string name) {
    if (std::ranges::find(functions, name) == functions.end() && !is_storage(name))
      refuse_file(in_.file(), "its pickle names \"" + name.substr(0, longest_storage) +
                                  "\", which is not needed for weights; nothing was run. Save the "
                                  "state_dict as safetensors");
    hold(PickleKind::global, std::move(name));
  }

  Pickled& top() {
    const std::size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() <= floor)
      refuse_file(in_.file(), "its pickle takes a value from an empty stack");
    return stack_.back();
  }
  Pickled pop() {
    const Pickled value = top();
    stack_.pop_back();
    return value;
  }
  std::vector<Pickled> last(std::size_t count) {
    std::vector<Pickled> values(count);
    for (std::size_t i = count; i-- > 0;) values[i] = pop();
    return values;
  }
  std::vector<Pickled> since_mark() {
    if (marks_.empty()) refuse_file(in_.file(), "its pickle closes a list that it has not opened");
    const auto begin = stack_.begin() + static_cast<long>(marks_.back());
    std::vector<Pickled> values(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return values;
  }
  void push_list(std::vector<Pickled> values) { wrap(PickleKind::list, std::move(values)); }
  void wrap(PickleKind kind, std::vector<Pickled> values) {
    push(kind);
    stack_.back()->items = std::move(values);
  }
  void append(const std::vector<Pickled>& values) {
    if (top()->kind != PickleKind::list)
      refuse_file(in_.file(), "its pickle appends to something that is not a list");
    for (const Pickled value : values) top()->items.push_back(value);
  }
  void set(const std::vector<Pickled>& values) {
    if (values.size() % 2 != 0 || top()->kind != PickleKind::dictionary)
      refuse_file(in_.file(), "its pickle sets members of something that is not a dictionary");
    for (const Pickled value : values) top()->items.push_back(value);
  }
  // A function is not called: what it would be called with is kept. An ordered dictionary is a dictionary.
  void reduce() {
    std::vector<Pickled> both = last(2);
    if (both[0]->kind != PickleKind::global || both[1]->kind != PickleKind::list)
      refuse_file(in_.file(), "its pickle calls something that is not a function");
    if (made_.text(*both[0]) == functions[0]) return push(PickleKind::dictionary);
    wrap(PickleKind::made, std::move(both));
  }
  void remember(std::uint32_t place) { memo_[place] = top(); }
  void recall(std::uint32_t place) {
    const auto found = memo_.find(place);
    if (found == memo_.end())
      refuse_file(in_.file(), "its pickle recalls value " + std::to_string(place) +
                                  ", which it has not stored");
    put(found->second);
  }

  ByteReader in_;
  Pickle made_;
  std::vector<Pickled> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint32_t, Pickled> memo_;
  std::size_t steps_ = 0;
};

}  // namespace

Pickle read_pickle(const SharedSource& file) { return Machine(file).run(); }

Pickle read_pickle(const SharedSource& file, std::uint64_t& at) {
  Machine machine(file, at);
  Pickle pickle = machine.run();
  at = machine.at();
  return pickle;
}

}  // namespace attend
