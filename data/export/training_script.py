# SPDX-License-Identifier: Apache-2.0
import argparse
import inspect
import json
import math
import os
import sys
import time

import torch
import torch.distributed as dist
from torch import nn

from model import DOCUMENT, VOCABULARY, Model, encode, read_weights, write_weights


def factor(step):
    """The factor of the learning rate in this step, where the first step is 1."""
    warmup, steps = max(SETTINGS["warmup"], 1), SETTINGS["steps"]
    if step <= warmup:
        return step / warmup
    if SETTINGS["schedule"] == "constant":
        return 1.0
    if SETTINGS["schedule"] == "inverse-square-root":
        return math.sqrt(warmup / step)
    done = min((step - warmup) / max(steps - warmup, 1), 1)
    left = 1 - done if SETTINGS["schedule"] == "linear" else (1 + math.cos(math.pi * done)) / 2
    return SETTINGS["end"] + (1 - SETTINGS["end"]) * left


def optimiser_of(parameters):
    one = SETTINGS["optimiser"]
    if one["type"] == "sgd":
        return torch.optim.SGD(parameters, lr=one["rate"], momentum=one["momentum"],
                               nesterov=one["nesterov"], weight_decay=one["weight-decay"])
    kind = torch.optim.Adam if one["type"] == "adam" else torch.optim.AdamW
    return kind(parameters, lr=one["rate"], betas=(one["beta1"], one["beta2"]), eps=one["eps"],
                weight_decay=one["weight-decay"])


def steps_in(lines):
    """The examples of each step and its draws, as `attend examples --step` writes them."""
    step, examples, draws = None, [], None
    for line in lines:
        one = json.loads(line)
        if "step" not in one:
            raise SystemExit("--data: expected lines of `attend examples FILE --step 1 --steps N`")
        if step is not None and one["step"] != step:
            yield step, examples, draws
            examples, draws = [], None
        step = one["step"]
        if "draws" in one:
            draws = one["draws"]
        else:
            examples.append(one)
    if examples:
        yield step, examples, draws


def tensors_of(examples, key, dtype, device):
    """An input of every example as one tensor: word ids, or numbers."""
    batch = {}
    for name in examples[0]["inputs"]:
        fields = [(one.get("read") if key == "read" else None) or one["inputs"] for one in examples]
        fields = [one[name] for one in fields]
        argument = SETTINGS["arguments"][name]
        if "tokens" in fields[0]:
            sentences = [one["tokens"] for one in fields]
            unknown = {word for sentence in sentences for word in sentence} - set(VOCABULARY[argument])
            if unknown:
                raise SystemExit(f"--data: the model in model.py does not know these words of {name}: "
                                 + ", ".join(sorted(unknown)))
            batch[argument] = encode(argument, sentences)[0].to(device)
        else:
            numbers = [torch.tensor(one["data"], dtype=dtype).reshape(one["shape"]) for one in fields]
            batch[argument] = torch.stack(numbers).to(device)
    return batch


def truth_of(examples, shape, like):
    """What each row should attend to: words that mean the same, or else words that it agrees with."""
    truth = torch.zeros(shape)
    for example, one in enumerate(examples):
        for row, column, kind in one["links"]:
            same = [link for link in one["links"] if link[0] == row and link[2] == kind]
            means = any(link[0] == row and link[2] == "means" for link in one["links"])
            if row < shape[1] and column < shape[2] and (kind == "means" or not means):
                truth[example, row, column] = 1 / len(same)
    return truth.to(like)


class Loss(nn.Module):
    """The mean loss of a batch, plus the terms that training adds."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, examples, draws):
        like = next(self.model.parameters())
        answer = SETTINGS["arguments"].get(SETTINGS["answer"])
        inputs = tensors_of(examples, "inputs", like.dtype, like.device)
        # Only a decoder that reads the answer takes other words in its place.
        takes_read = "read" in inspect.signature(Model.forward).parameters
        replaced_words = {}
        if any("read" in one for one in examples):
            replaced = tensors_of(examples, "read", like.dtype, like.device)
            replaced_words = {"read": {answer: replaced[answer]}} if takes_read and answer in replaced else {}
            inputs.update({name: one for name, one in replaced.items() if name != answer})
        guide = SETTINGS["guide"]
        results = self.model(**inputs, return_maps=guide > 0, draws=draws, **replaced_words)
        loss = results[SETTINGS["loss"]].reshape(len(examples))
        plain = loss.detach().mean()
        if guide > 0:
            looks = results[SETTINGS["map"]]
            while looks.dim() > 3:
                looks = looks.mean(1)
            truth = truth_of(examples, looks.shape, looks)
            loss = loss - (truth * torch.log(looks + 1e-6)).sum((-1, -2)) * (guide / looks.shape[-2])
        return loss.mean(), plain


def share_of(rank, world, examples, draws):
    """The examples of one process, and their draws."""
    if len(examples) % world != 0:
        raise SystemExit(f"a batch of {len(examples)} examples cannot be shared by {world} processes")
    each = len(examples) // world
    own = slice(rank * each, (rank + 1) * each)
    tensors = {}
    for name, one in (draws or {}).items():
        numbers = torch.tensor(one["data"], dtype=torch.float64).reshape(one["shape"])
        whole = numbers.dim() > 0 and numbers.shape[0] == len(examples)
        tensors[name] = numbers[own] if whole else numbers
    return examples[own], tensors if draws is not None else None


def moments(optimiser, parameter):
    state = optimiser.state.get(parameter, {})
    names = ("momentum_buffer",) if SETTINGS["optimiser"]["type"] == "sgd" else ("exp_avg", "exp_avg_sq")
    return [state.get(name) for name in names]


def save(path, model, optimiser, step, place):
    """Writes a checkpoint from which `attend train --from` and this script can continue."""
    tensors = {}
    counted = SETTINGS["moments"]
    for name, parameter in model.named_parameters():
        if name not in SETTINGS["weights"]:
            continue
        tensors[name] = parameter
        for prefix, one in list(zip(("first", "second"), moments(optimiser, parameter)))[:counted]:
            tensors[f"optimiser.{prefix}.{name}"] = torch.zeros_like(parameter) if one is None else one
    metadata = {"format": "attention-playground/checkpoint/1", "document": DOCUMENT, "step": str(step),
                "epoch": str(place[0]), "batch": str(place[1])}
    write_weights(path, tensors, metadata)


def load(path, model, optimiser):
    """Loads weights or a checkpoint; returns the number of steps taken and the position in the data."""
    tensors, metadata = read_weights(path)
    own = dict(model.named_parameters())
    wrong = [f"{name} is missing" for name in SETTINGS["weights"] if name not in tensors]
    wrong += [f"{name} is unknown" for name in tensors
              if name not in own and not name.startswith("optimiser.")]
    wrong += [f"{name} has the shape {list(tensors[name].shape)} instead of {list(own[name].shape)}"
              for name in SETTINGS["weights"] if name in tensors and tensors[name].shape != own[name].shape]
    if wrong:
        raise SystemExit(f"--from: {path} belongs to another model: " + "; ".join(wrong))
    step = int(metadata.get("step", 0))
    with torch.no_grad():
        for name, parameter in own.items():
            if name in tensors:
                parameter.copy_(tensors[name])
    names = ("momentum_buffer",) if SETTINGS["optimiser"]["type"] == "sgd" else ("exp_avg", "exp_avg_sq")
    for name, parameter in own.items():
        found = [tensors.get(f"optimiser.{prefix}.{name}") for prefix in ("first", "second")]
        found = found[:SETTINGS["moments"]]
        if step == 0 or not found or any(one is None for one in found):
            continue
        state = {key: one.to(parameter).clone() for key, one in zip(names, found)}
        if SETTINGS["optimiser"]["type"] != "sgd":
            state["step"] = torch.tensor(float(step - int(metadata.get("optimiser", 0))))
        optimiser.state[parameter] = state
    return step, (int(metadata.get("epoch", 0)), int(metadata.get("batch", 0)))


def main():
    parser = argparse.ArgumentParser(description="Trains the module beside this script.")
    parser.add_argument("--data", default="-", help="lines of `attend examples FILE --step 1 --steps N`, - for stdin")
    parser.add_argument("--steps", type=int, default=SETTINGS["steps"], help="steps taken at the end")
    parser.add_argument("--from", dest="start", help="a checkpoint or weights from which to continue")
    parser.add_argument("--to", help="the file for the checkpoint")
    parser.add_argument("--save-every", type=int, default=100, help="steps between two checkpoints")
    parser.add_argument("--every", type=int, default=1, help="steps between two lines")
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    asked = parser.parse_args()
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device(asked.device)
    if world > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
        if device.type == "cuda":
            device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
    torch.manual_seed(SETTINGS["seed"])
    model = Model().to(device=device, dtype=getattr(torch, asked.dtype))
    optimiser = optimiser_of([one for name, one in model.named_parameters() if name in SETTINGS["weights"]])
    taken, place = load(asked.start, model, optimiser) if asked.start else (0, (0, 0))
    if taken > asked.steps:
        raise SystemExit(f"--from: {taken} steps have already been taken, more than {asked.steps}")
    whole = Loss(model)
    loss_of = nn.parallel.DistributedDataParallel(whole, find_unused_parameters=True) if world > 1 else whole
    model.train()
    # Without draws in the data every process draws its own.
    torch.manual_seed(SETTINGS["seed"] + rank)
    since, total, counted = time.perf_counter(), 0.0, 0
    lines = sys.stdin if asked.data == "-" else open(asked.data, encoding="utf-8")
    for step, examples, draws in steps_in(lines):
        if step <= taken:
            continue
        if taken == asked.steps:
            break
        if step != taken + 1:
            raise SystemExit(f"--data: expected step {taken + 1}, found step {step}")
        own, drawn = share_of(rank, world, examples, draws)
        optimiser.zero_grad(set_to_none=True)
        loss, plain = loss_of(own, drawn)
        loss.backward()
        if world > 1:
            dist.all_reduce(plain)
            plain /= world
        norm = nn.utils.clip_grad_norm_(model.parameters(), SETTINGS["clip"] or math.inf)
        if not (math.isfinite(float(plain)) and math.isfinite(float(norm))):
            if rank == 0:
                print(json.dumps({"step": taken, "failure": "the loss or the gradients are not finite"}), flush=True)
            sys.exit(1)
        rate = SETTINGS["optimiser"]["rate"] * factor(step)
        for group in optimiser.param_groups:
            group["lr"] = rate
        optimiser.step()
        taken, place = step, (examples[0]["epoch"], examples[0]["batch"] + 1)
        total, counted = total + float(plain), counted + 1
        if rank != 0:
            continue
        if taken % asked.every == 0 or taken == asked.steps:
            spent = time.perf_counter() - since
            print(json.dumps({"step": taken, "loss": total / counted, "gradientNorm": float(norm), "rate": rate,
                              "stepsPerSecond": counted / spent}), flush=True)
            since, total, counted = time.perf_counter(), 0.0, 0
        if asked.to and taken % asked.save_every == 0:
            save(asked.to, model, optimiser, taken, place)
    if rank == 0 and asked.to:
        save(asked.to, model, optimiser, taken, place)
    if taken < asked.steps:
        raise SystemExit(f"--data: the lines end at step {taken}, before step {asked.steps}")
    if world > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
