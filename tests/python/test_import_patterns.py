# SPDX-License-Identifier: Apache-2.0
"""Tokenizers of published models: the ids of difficult texts, against Python's own regular expressions, in which kinds
of characters are written out, and a byte-level BPE whose merges cross the borders that the pattern draws."""
import base64
import collections
import json
import re
import struct
import sys
import unicodedata

import import_cases
import pytest
from checkpoints import write_safetensors
from import_cases import GPT2, HEADS, attend, config, gpt2_tensors

TEXTS = ["Hello  world, it's 2024!\n\n ok", "I'VE can't\t\ttabs   \n x  ", "naïve café — “quoted” … 3.14159 12345678",
         "你好，世界！今天是2024年。これはテストです。한국어 문장.", "emoji 👩‍👩‍👧 🎉🎉 ok 👍🏽!",
         "iPhoneXR HTMLParser getURL2 camelCase", "def f(x):\n    return x**2  # ok\n", "مرحبا بالعالم ١٢٣",
         "हिन्दी में नमस्ते", "   leading and trailing   ", "a\r\nb\r\n\r\nc", "https://x.org/a?b=c&d=1#e_f",
         "Wait... what?!  (yes) [no] {a}", "'s 'S 's-a 'll 'LL", "ÀÉÎ ÄÖÜß straße ǅ ʰ", "1 22 333 4444 55555"]
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
CAPITALS, SMALL = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
REST = r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
SHORT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
PATTERNS = {
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+", "llama3": LLAMA3,
    "qwen2": LLAMA3.replace("{1,3}", ""),
    "cl100k": r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]"
              r"|\s+(?!\S)|\s+",
    "o200k": rf"[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}*{SMALL}+{SHORT}|[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}+{SMALL}*{SHORT}"
             r"|\p{N}{1,3}" + REST,
    "tekken": rf"[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}*{SMALL}+|[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}+{SMALL}*|\p{{N}}" + REST,
    "deepseek": r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
                r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"}


def written_out(kind):
    """The characters of a category for a set of Python's `re`."""
    runs = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(kind):
            if runs and runs[-1][1] == code - 1:
                runs[-1][1] = code
            else:
                runs.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in runs)


def in_python(pattern):
    kinds = {kind: written_out(kind) for kind in set(re.findall(r"\\p\{(\w+)\}", pattern))}
    pieces = re.split(r"(\\\\|\\\[|\\\]|\\p\{\w+\}|\[|\])", pattern)
    depth, out = 0, ""
    for piece in pieces:
        depth += (piece == "[") - (piece == "]")
        found = re.fullmatch(r"\\p\{(\w+)\}", piece)
        out += piece if not found else kinds[found[1]] if depth else f"[{kinds[found[1]]}]"
    return re.compile(out)


def cut_by(pattern, text):
    """The matches, and what lies between them."""
    parts, end = [], 0
    for found in pattern.finditer(text):
        parts += [text[end:found.start()], found[0]]
        end = found.end()
    return [part for part in [*parts, text[end:]] if part]


def stand_ins():
    """GPT-2's printable characters for bytes."""
    printed = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in printed]
    return {**{b: chr(b) for b in printed}, **{b: chr(256 + i) for i, b in enumerate(others)}}


SIGNS = stand_ins()


def spelled(text):
    return [SIGNS[b] for b in text.encode()]


def joined(pieces, pair):
    """The pieces with this pair made one, from the left; what was joined begins no further pair."""
    out, i = [], 0
    while i < len(pieces):
        both = tuple(pieces[i:i + 2]) == pair
        out.append("".join(pair) if both else pieces[i])
        i += 2 if both else 1
    return out


def learned_merges(count):
    """The commonest pairs of whole texts, so that merges cross every border."""
    texts, merges = [spelled(text) for text in TEXTS], []
    for _ in range(count):
        pairs = collections.Counter(pair for text in texts for pair in zip(text, text[1:]))
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        texts = [joined(text, merges[-1]) for text in texts]
    return merges


MERGES = learned_merges(300)
VOCABULARY = {piece: i for i, piece in enumerate(dict.fromkeys([*SIGNS.values(), *(a + b for a, b in MERGES)]))}


def pieces_of(part):
    pieces = spelled(part)
    ranks = {pair: rank for rank, pair in enumerate(MERGES)}
    while len(pieces) > 1:
        best = min(zip(pieces, pieces[1:]), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        pieces = joined(pieces, best)
    return [VOCABULARY[piece] for piece in pieces]


def ids_of(folder, monkeypatch, tokenizer, texts, size):
    """What a small model reads of each text: the prompt's ids, without the one that it writes."""
    monkeypatch.setattr(import_cases, "WORDS", size)
    monkeypatch.setattr(import_cases, "LENGTH", 128)
    write_safetensors(folder / "model.safetensors", gpt2_tensors(1)[0])
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    settings = config(folder, **{**GPT2, "vocab_size": size, "n_positions": 128, "n_head": HEADS})
    files = [folder / "model.safetensors", settings, folder / "tokenizer.json"]
    report = attend("import", *files, "--to", folder / "d.json")
    assert report["tokenizer"] and "tokenizer_left" not in report
    return [attend("write", folder / "d.json", "--prompt", text, "--words", 1)["ids"] for text in texts]


def check_ids(read, expected):
    for ids, wanted in zip(read, expected, strict=True):
        assert ids[:len(wanted)] == wanted and len(ids) <= len(wanted) + 1


@pytest.mark.parametrize("name", PATTERNS)
def test_published_patterns(tmp_path, monkeypatch, name):
    steps = [{"type": "Split", "pattern": {"Regex": PATTERNS[name]}, "behavior": "Isolated", "invert": False},
             {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}]
    tokenizer = {"pre_tokenizer": {"type": "Sequence", "pretokenizers": steps}, "decoder": {"type": "ByteLevel"},
                 "model": {"type": "BPE", "vocab": VOCABULARY, "merges": [list(pair) for pair in MERGES]}}
    pattern = in_python(PATTERNS[name])
    cut = [cut_by(pattern, text) for text in TEXTS]
    expected = [[i for part in parts for i in pieces_of(part)] for parts in cut]
    check_ids(ids_of(tmp_path, monkeypatch, tokenizer, TEXTS, len(VOCABULARY)), expected)


def double_array(texts):
    """SentencePiece's table: units that lead from byte to byte, as darts-clone lays them out, and the new texts."""
    blob, starts = b"", {}
    for old, new in texts.items():
        starts[old.encode()] = len(blob)
        blob += new.encode() + b"\0"
    units, used = [0] * 65536, [False] * 65536

    def place(at, keys):
        """Puts the bytes that follow at a unit, and what each of them leads to."""
        labels = sorted({key[0] if key else 0 for key, _ in keys})
        offset = next(o for o in range(1, 60000) if all(not used[o ^ at ^ b] for b in labels) and o < 1 << 21)
        base = at ^ offset
        for b in labels:
            used[base ^ b] = True
        units[at] |= offset << 10
        for b in labels:
            inner = [(key[1:], value) for key, value in keys if (key[0] if key else 0) == b]
            if b == 0:
                units[base] = 0x80000000 | inner[0][1]
                units[at] |= 1 << 8
            else:
                units[base ^ b] |= b
                place(base ^ b, inner)
    used[0] = True
    place(0, sorted(starts.items()))
    last = max(i for i in range(65536) if used[i]) | 0xff
    table = struct.pack(f"<{last + 1}I", *units[:last + 1])
    return base64.b64encode(struct.pack("<I", len(table)) + table + blob).decode()


def test_sentencepiece_changes_characters_by_its_table(tmp_path, monkeypatch):
    """Full-width signs, ligatures, dots and accents written apart, as in T5, XLM-R and ALBERT."""
    table = {"…": "...", "，": ",", "Ａ": "A", "ﬁ": "fi", "e\u0301": "é", "①": "1", "\n": " ", "\t": " ", "\u3000": " ",
             "\u200b": ""}
    texts = ["a…b，Ａ ﬁn e\u0301 ①", "x\u3000\ty\n z\u200bw", "é 你好，…"]
    characters = sorted({c for text in texts for c in "".join(table.values()) + text} | {"▁"})
    vocabulary = [["<unk>", 0.0], *([c, -2.0] for c in characters)]
    steps = [{"type": "Precompiled", "precompiled_charsmap": double_array(table)}]
    tokenizer = {"normalizer": {"type": "Sequence", "normalizers": steps},
                 "pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "always"},
                 "model": {"type": "Unigram", "unk_id": 0, "vocab": vocabulary}}
    expected = []
    for text in texts:
        for old in sorted(table, key=len, reverse=True):
            text = text.replace(old, table[old])
        expected.append([1 + characters.index(c) for c in "▁" + text.replace(" ", "▁")])
    check_ids(ids_of(tmp_path, monkeypatch, tokenizer, texts, len(vocabulary)), expected)
    tokenizer["normalizer"]["normalizers"][0]["precompiled_charsmap"] = "?"
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    files = [tmp_path / name for name in ("model.safetensors", "config.json", "tokenizer.json")]
    assert "precompiled_charsmap" in attend("import", *files, "--to", tmp_path / "e.json", refused=True)
