# SPDX-License-Identifier: Apache-2.0


def drawn(draws, name, kind, shape, dtype, device, below=0):
    """Random numbers of a mechanism: those given by name, or new ones."""
    if draws is not None and name in draws:
        return torch.as_tensor(draws[name]).to(dtype=dtype, device=device).reshape(shape)
    if kind in ("permutation", "indices"):
        rows = shape[:-1] if kind == "indices" else shape[:1]
        count = max(below, shape[-1]) if kind == "indices" else math.prod(shape[1:])
        order = torch.rand((*rows, count), device=device).argsort(-1)
        if kind == "indices":
            order = order[..., :shape[-1]] % below
        return order.reshape(shape).to(dtype)
    if kind == "normal":
        return torch.randn(shape, dtype=dtype, device=device)
    uniform = torch.rand(shape, dtype=dtype, device=device)
    if kind == "gumbel":
        return -torch.log(-torch.log(uniform.clamp(1e-12, 1 - 1e-7)))
    return (uniform < 0.5).to(dtype) if kind == "bernoulli" else uniform


def dropped(x, rate, training, draws, name):
    """Dropout; the mask may be given among the draws."""
    if draws is not None and name in draws:
        return x * torch.as_tensor(draws[name]).to(x).reshape(x.shape)
    return F.dropout(x, rate, training)
