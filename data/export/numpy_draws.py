# SPDX-License-Identifier: Apache-2.0


RANDOM = np.random.default_rng()


def drawn(draws, name, kind, shape, below=0):
    """Random numbers of a mechanism: those given by name, or new ones."""
    if draws is not None and name in draws:
        return np.asarray(draws[name], dtype=x_type).reshape(shape)
    if kind in ("permutation", "indices"):
        rows = shape[:-1] if kind == "indices" else shape[:1]
        count = max(below, shape[-1]) if kind == "indices" else math.prod(shape[1:])
        order = RANDOM.random((*rows, count)).argsort(-1)
        if kind == "indices":
            order = order[..., :shape[-1]] % below
        return order.reshape(shape).astype(x_type)
    if kind == "normal":
        return RANDOM.standard_normal(shape).astype(x_type)
    uniform = RANDOM.random(shape).astype(x_type)
    if kind == "gumbel":
        return -np.log(-np.log(uniform.clip(1e-12, 1 - 1e-7)))
    return (uniform < 0.5).astype(x_type) if kind == "bernoulli" else uniform


def dropped(x, draws, name):
    """Dropout acts only where its mask is given among the draws."""
    return x * np.asarray(draws[name], dtype=x_type).reshape(x.shape) if draws is not None and name in draws else x
