# SPDX-License-Identifier: Apache-2.0
"""Writes small checkpoints in the formats that `attend import` reads, by the formats' own descriptions."""
import json
import struct

import numpy as np
import torch

CODES = {"F32": (np.float32, 0), "F16": (np.float16, 1), "Q8_0": (None, 8), "BF16": (None, 30)}


def bfloat16(array):
    """The upper halves of float32, rounded to the nearest."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def blocks_of_32(array):
    """GGUF's Q8_0: of each 32 numbers a half-precision scale and 32 bytes."""
    rows = np.asarray(array, np.float32).reshape(-1, 32)
    scale = (np.abs(rows).max(1) / 127).astype(np.float16)
    safe = np.where(scale == 0, 1, scale).astype(np.float32)
    whole = np.clip(np.rint(rows / safe[:, None]), -127, 127).astype(np.int8)
    return b"".join(s.tobytes() + w.tobytes() for s, w in zip(scale, whole))


def from_blocks(array):
    """What is left of an array that was written so."""
    data = np.frombuffer(blocks_of_32(array), np.uint8).reshape(-1, 34)
    scale = data[:, :2].copy().view(np.float16).astype(np.float32)
    return (scale * data[:, 2:].copy().view(np.int8).astype(np.float32)).reshape(array.shape)


def coded(array, dtype):
    if dtype == "BF16":
        return bfloat16(array).tobytes()
    return blocks_of_32(array) if dtype == "Q8_0" else np.ascontiguousarray(array, CODES[dtype][0]).tobytes()


def write_safetensors(path, tensors, dtype="F32", metadata=None):
    header, data = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, array in tensors.items():
        own = dtype if array.dtype.kind == "f" else "I64"
        part = coded(array, own) if own != "I64" else array.astype(np.int64).tobytes()
        header[name] = {"dtype": own, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_torch(path, tensors):
    torch.save({name: torch.from_numpy(array.copy()) for name, array in tensors.items()}, path)


def write_npz(path, tensors):
    np.savez(path, **tensors)


def gguf_text(text):
    return struct.pack("<Q", len(text.encode())) + text.encode()


def gguf_value(value):
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + gguf_text(value)
    inner = gguf_value(value[0])[:4]
    return struct.pack("<I", 9) + inner + struct.pack("<Q", len(value)) + b"".join(gguf_value(one)[4:] for one in value)


def write_gguf(path, settings, tensors, dtype="F32", align=32):
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(settings))
    for name, value in settings.items():
        out += gguf_text(name) + gguf_value(value)
    data = b""
    for name, array in tensors.items():
        own = dtype if array.ndim > 1 else "F32"
        out += gguf_text(name) + struct.pack("<I", array.ndim)
        out += b"".join(struct.pack("<Q", extent) for extent in reversed(array.shape))
        out += struct.pack("<IQ", CODES[own][1], len(data))
        data += coded(array, own)
        data += b"\0" * (-len(data) % align)
    path.write_bytes(out + b"\0" * (-len(out) % align) + data)


def write_llama2c(path, sizes, weights, own_classifier=False):
    """Version 0: seven numbers, then the matrices, one kind after the other, with the two tables of the rotation."""
    dim, heads, length = sizes["dim"], sizes["heads"], sizes["length"]
    vocabulary = -sizes["vocabulary"] if own_classifier else sizes["vocabulary"]
    out = struct.pack("<7i", dim, sizes["hidden"], sizes["layers"], heads, sizes["kv_heads"], vocabulary, length)
    order = ["tok_embeddings", "attention_norm", "wq", "wk", "wv", "wo", "ffn_norm", "w1", "w2", "w3", "norm"]
    for name in order:
        out += np.ascontiguousarray(weights[name], np.float32).tobytes()
    angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(0, dim // heads, 2) / (dim // heads))
    out += np.cos(angles).astype(np.float32).tobytes() + np.sin(angles).astype(np.float32).tobytes()
    if own_classifier:
        out += np.ascontiguousarray(weights["output"], np.float32).tobytes()
    path.write_bytes(out)


def write_llama2c_tokenizer(path, pieces):
    """Pieces as (text, score)."""
    longest = max(len(text.encode()) for text, _ in pieces)
    out = struct.pack("<I", longest)
    for text, score in pieces:
        out += struct.pack("<fi", score, len(text.encode())) + text.encode()
    path.write_bytes(out)
