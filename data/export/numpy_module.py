# SPDX-License-Identifier: Apache-2.0


def one_hot(ids, size):
    """Word ids [batch, n] as rows of zeros with a single one."""
    return np.eye(size, dtype=x_type)[ids]


def after_start(ids):
    """<start> and then all words except the last: what a decoder reads before each position."""
    return np.concatenate([np.zeros_like(ids[:, :1]), ids[:, :-1]], axis=1)


def encode(name, sentences):
    """Lists of words as ids [batch, longest] and lengths [batch]; unknown words become <unknown>."""
    known = {word: place for place, word in enumerate(VOCABULARY[name])}
    lengths = np.array([len(sentence) for sentence in sentences])
    ids = np.zeros((len(sentences), lengths.max()), dtype=int)
    for row, sentence in zip(ids, sentences):
        row[:len(sentence)] = [known.get(word, 2) for word in sentence]
    return ids, lengths


def check(name, x, *shape):
    """Refuses an input whose shape is not [batch, ..]; None means any size."""
    good = x.ndim == len(shape) and all(b is None or a == b for a, b in zip(x.shape, shape))
    if not good:
        expected = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(f"{name}: expected the shape [{expected}], found {list(x.shape)}")


def check_ids(name, ids):
    """Refuses ids outside the vocabulary, because NumPy would count a negative id from the end."""
    words = len(VOCABULARY[name])
    if ids.dtype.kind not in "iu" or (ids.size and not 0 <= ids.min() <= ids.max() < words):
        raise ValueError(f"{name}: expected word ids from 0 to {words - 1}")


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
        given = np.asarray(given)
        if given.ndim == 2:
            if not (given.astype(bool) == (np.arange(given.shape[1]) < given.sum(1)[:, None])).all():
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
        given = draws and {name: np.stack([np.asarray(x[example]) for example in members])
                           for name, x in draws.items()}
        parts.append((members, run(**own, draws=given)))
    results = {}
    for name, first in parts[0][1].items():
        sizes = [max(extents) for extents in zip(*(part[name].shape[1:] for _, part in parts))]
        whole = np.zeros((batch, *sizes), dtype=first.dtype)
        for members, part in parts:
            for example, one in zip(members, part[name]):
                whole[(example, *(slice(extent) for extent in one.shape))] = one
        results[name] = whole
    return results


def read_weights(path):
    """The weights of a safetensors file; an error lists what does not fit this model."""
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        data = file.read()
    header.pop("__metadata__", None)
    kinds = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I8": np.int8}
    weights = {}
    for name, one in header.items():
        begin, end = one["data_offsets"]
        weights[name] = np.frombuffer(data[begin:end], dtype=kinds[one["dtype"]]).reshape(one["shape"])
    for name in [name for name, one in weights.items() if one.dtype == np.int8]:
        weights[name] = weights[name] * weights.pop(f"{name}.scale").astype(np.float64)
    weights = {name: one.astype(x_type) for name, one in weights.items() if not name.startswith("optimiser.")}
    wrong = [f"{name} is missing" for name in WEIGHTS if name not in weights]
    wrong += [f"{name} is unknown" for name in weights if name not in WEIGHTS]
    wrong += [f"{name} has the shape {list(one.shape)} instead of {list(WEIGHTS[name])}"
              for name, one in weights.items() if name in WEIGHTS and one.shape != WEIGHTS[name]]
    if wrong:
        raise ValueError(f"{path}: " + "; ".join(wrong))
    return weights
