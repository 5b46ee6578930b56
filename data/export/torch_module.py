# SPDX-License-Identifier: Apache-2.0


def one_hot(ids, size, dtype):
    """Word ids [batch, n] as rows of zeros with a single one."""
    return F.one_hot(ids.long(), size).to(dtype)


def after_start(ids):
    """<start> and then all words except the last: what a decoder reads before each position."""
    return torch.cat([torch.zeros_like(ids[:, :1]), ids[:, :-1]], dim=1)


def encode(name, sentences):
    """Lists of words as ids [batch, longest] and lengths [batch]; unknown words become <unknown>."""
    known = {word: place for place, word in enumerate(VOCABULARY[name])}
    longest = max(len(sentence) for sentence in sentences)
    rows = [[known.get(word, 2) for word in sentence] + [0] * (longest - len(sentence)) for sentence in sentences]
    return torch.tensor(rows), torch.tensor([len(sentence) for sentence in sentences])


def check(name, x, *shape):
    """Refuses an input whose shape is not [batch, ..]; None means any size."""
    good = x.dim() == len(shape) and all(b is None or a == b for a, b in zip(x.shape, shape))
    if not good:
        expected = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{name}: expected the shape [{expected}], found {list(x.shape)}")


def check_ids(name, ids):
    """Refuses ids outside the vocabulary. On a GPU PyTorch refuses them, because a check would wait for the GPU."""
    words = len(VOCABULARY[name])
    if ids.dtype.is_floating_point or ids.dtype.is_complex:
        raise ValueError(f"{name}: expected word ids, found numbers of the type {ids.dtype}")
    if ids.device.type == "cpu" and ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) < words:
        raise ValueError(f"{name}: expected word ids from 0 to {words - 1}, found {int(ids.min())} to {int(ids.max())}")


def by_length(run, inputs, lengths, draws, single, axis):
    """Runs examples of equal lengths together and puts the results in the order of the examples.

    `lengths` gives for an input the lengths [batch], or a padding mask [batch, n] that is true where a row is real.
    Rows after a length are never read. In the results they are 0.
    """
    batch = next(iter(inputs.values())).shape[0]
    counts = {}
    for name, given in (lengths or {}).items():
        if name not in inputs:
            raise ValueError(f"lengths: expected one of {sorted(inputs)}, found {name!r}")
        given = torch.as_tensor(given)
        if given.dim() == 2:
            width = given.shape[1]
            if not (given.bool() == (torch.arange(width, device=given.device) < given.sum(1)[:, None])).all():
                raise ValueError(f"lengths[{name!r}]: the real rows of a padding mask must come first")
            given = given.sum(1)
        if given.shape != (batch,):
            raise ValueError(f"lengths[{name!r}]: expected {batch} numbers, found {list(given.shape)}")
        longest = inputs[name].shape[1]
        if given.min() < 1 or given.max() > longest:
            raise ValueError(f"lengths[{name!r}]: expected numbers from 1 to {longest}, found {given.tolist()}")
        if name not in axis and given.min() < longest:
            raise ValueError(f"lengths[{name!r}]: this length is fixed at {longest}, found {given.tolist()}")
        counts[name] = given.tolist()
    groups = {}
    for example in range(batch):
        key = tuple(counts[name][example] for name in counts)
        groups.setdefault((key, example if single else 0), []).append(example)
    parts = []
    for (key, _), members in groups.items():
        own = {name: x[members] for name, x in inputs.items()}
        for name, length in zip(counts, key):
            for other in own:
                if other == name or axis.get(other, other) == axis.get(name):
                    own[other] = own[other][:, :length]
        given = draws and {name: torch.stack([torch.as_tensor(x[example]) for example in members])
                           for name, x in draws.items()}
        parts.append((members, run(**own, draws=given)))
    results = {}
    for name, first in parts[0][1].items():
        shapes = [part[name].shape[1:] for _, part in parts]
        whole = first.new_zeros((batch, *(max(sizes) for sizes in zip(*shapes))))
        for members, part in parts:
            padded = F.pad(part[name], [n for a, b in zip(reversed(whole.shape[1:]), reversed(part[name].shape[1:]))
                                        for n in (0, a - b)])
            whole = whole.index_copy(0, torch.tensor(members, device=whole.device), padded)
        results[name] = whole
    return results


def read_weights(path):
    """The tensors of a safetensors file and its metadata."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    metadata = header.pop("__metadata__", {})
    kinds = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
             "I8": torch.int8}
    tensors = {}
    for name, one in header.items():
        begin, end = one["data_offsets"]
        kind = kinds[one["dtype"]]
        flat = torch.frombuffer(data[begin:end], dtype=kind) if end > begin else torch.empty(0, dtype=kind)
        tensors[name] = flat.reshape(one["shape"])
    for name in [name for name, one in tensors.items() if one.dtype == torch.int8]:
        tensors[name] = tensors[name].double() * tensors.pop(f"{name}.scale").double()
    return tensors, metadata


def write_weights(path, tensors, metadata):
    """Writes a safetensors file under a temporary name, then renames it, so that it is never read half-written."""
    header, parts, at = {"__metadata__": metadata}, [], 0
    for name in sorted(tensors):
        numbers = tensors[name].detach().cpu().contiguous()
        numbers = numbers if numbers.dtype in (torch.float32, torch.float64) else numbers.float()
        parts.append(numbers.numpy().tobytes())
        kind = "F64" if numbers.dtype == torch.float64 else "F32"
        header[name] = {"dtype": kind, "shape": list(numbers.shape), "data_offsets": [at, at + len(parts[-1])]}
        at += len(parts[-1])
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(f"{path}.part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))
    os.replace(f"{path}.part", path)
