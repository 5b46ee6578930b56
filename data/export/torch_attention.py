# SPDX-License-Identifier: Apache-2.0


# PyTorch's own attention in one call; before 2.0 there is none, and the steps are taken one by one.
FUSED = getattr(F, "scaled_dot_product_attention", None)


def attend(q, k, v, scale=1.0, bias=None, mask=None, causal=False):
    """softmax(scale q k^T + bias) v over the keys that the mask allows; 0 for a query without any allowed key."""
    lead = torch.broadcast_shapes(*(x.shape[:-2] for x in (q, k, v, bias, mask) if x is not None))
    some = None
    if mask is not None:
        allowed = mask != 0
        some = allowed.any(-1, keepdim=True)
        allowed = allowed | ~some
        bias = allowed if bias is None else torch.where(allowed, bias, torch.full_like(bias, -math.inf))
    if bias is not None:
        bias = bias.expand(*bias.shape[:-2], q.shape[-2], k.shape[-2])
        bias = bias if bias.dim() == 2 else in_heads(bias, lead)
    q = q * (scale * q.shape[-1] ** 0.5)  # the call divides by the root of the width
    context = FUSED(in_heads(q, lead), in_heads(k, lead), in_heads(v, lead), attn_mask=bias, is_causal=causal)
    context = context.reshape(*lead, *context.shape[-2:])
    return context if some is None else context * some


def in_heads(x, lead):
    """x with two leading axes, [batch, heads, rows, width], because PyTorch has fast kernels for this shape."""
    batch = lead[0] if lead else 1  # numbers that depend on no input have no axis of the batch
    return x.expand(*lead, *x.shape[-2:]).reshape(batch, math.prod(lead[1:]), *x.shape[-2:])
