// SPDX-License-Identifier: Apache-2.0
// Models of other programs in the module that the page fetches for them: read by slices, written as one file, and the
// same numbers as a plain forward pass. What is wrong with a file is an answer that names it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { gpt2, harm, json, llama2c, marian, marianConfig, predicted, safetensors, scoredPieces, tokenizer, torch,
  zip } from "../models.mjs";
import { giveWeights, loadModule, root, unpack } from "./engine.mjs";

const bin = `${root}build/wasm/bin/`;
const { default: create } = await import(`${bin}import.mjs`);
const module = await create({ locateFile: () => new URL("import.wasm", `file://${bin}`).href });

const CONFIG = { model_type: "gpt2", n_embd: 16, n_layer: 2, n_head: 4, vocab_size: 11, n_positions: 12 };
const model = gpt2();
const whole = () => ({ "model.safetensors": safetensors(model), "config.json": json(CONFIG),
  "tokenizer.json": json(tokenizer()) });

// Files as a page has them: `slices` are what was read of each.
function opened(files, answers = {}) {
  const list = Object.entries(files);
  const slices = [];
  const read = (file, first, count) => {
    slices.push({ name: list[file][0], first, count });
    return list[file][1].slice(first, first + count);
  };
  const said = JSON.parse(module.open(list.map(([name, { length }]) => ({ name, size: length })), read,
    JSON.stringify(answers)));
  return { said, slices };
}

function stored(small = false, from = "own.safetensors") {
  const parts = [];
  const take = (part) => parts.push(part.slice());
  const { document, steps, error } = JSON.parse(module.store(from, take, small));
  const refused = steps?.map((_, k) => JSON.parse(module.convert(k, take)).error).find((one) => one !== undefined);
  return { document, steps, file: Buffer.concat(parts), error: error ?? refused };
}

// All that stands before the numbers of a file of weights.
const headOf = (file) => file.subarray(0, 8 + Number(file.readBigUInt64LE(0)));

function giveInParts(taker, name, file, length) {
  for (let at = 0; at < file.length; at += length)
    assert.equal(JSON.parse(taker.weights(name, file.length, at, file.subarray(at, at + length))).error, undefined);
}

test("a model in three files: what each tensor is, and the same probabilities as a plain forward pass", async () => {
  const { said, slices } = opened(whole());
  assert.equal(said.error, undefined);
  assert.equal(said.architecture, "gpt2");
  assert.equal(said.numbers, Object.values(model).reduce((sum, { data }) => sum + data.length, 0));
  assert.deepEqual(said.tensors.find(({ name }) => name === "h.1.attn.c_attn.weight").as,
    ["W_Q", "W_K", "W_V"].map((name) => `layer-2.attention.heads.${name}`));
  assert.deepEqual(said.tokenizer, { file: "tokenizer.json", kind: "BPE", pieces: 11 });
  assert.deepEqual(Object.keys(said.tied), ["predict.W_c"]);
  // No number was read to say that.
  const data = slices.filter(({ name, first }) => name === "model.safetensors" && first > 5000);
  assert.deepEqual(data, []);

  const { document, steps, file } = stored();
  assert.deepEqual(document.parameters, { from: "own.safetensors" });
  assert.equal(steps.reduce((sum, { numbers }) => sum + numbers, 0), said.bytes / 4);
  assert.deepEqual(JSON.parse(module.hold("own.safetensors", file.length, headOf(file))).tokenizer, 11);
  const { ids } = JSON.parse(module.encode("own.safetensors", "ab ab.c"));
  assert.deepEqual(ids, [0, 1, 9, 7, 2]);
  assert.equal(JSON.parse(module.decode("own.safetensors", JSON.stringify(ids))).text, "ab ab.c");
  const text = JSON.stringify(document);
  // Its texts are known before its numbers.
  assert.match(JSON.parse(module.next("own.safetensors", text, JSON.stringify({ ids }))).error.message,
    /no weights named/);
  assert.equal(JSON.parse(giveWeights(module, "own.safetensors", file)).error, undefined);
  const next = (of, more = {}) =>
    JSON.parse(module.next("own.safetensors", text, JSON.stringify({ ids: of, ...more })));
  const close = (found, of) => {
    const true_ = predicted(model, of, 4);
    for (const { id, probability } of found.next) assert.ok(Math.abs(probability - true_[id]) < 1e-5);
    assert.equal(found.id, true_.indexOf(Math.max(...true_)));
  };
  close(next(ids), ids);
  assert.equal(next(ids).rows, 0, "nothing is run again");
  const longer = next([...ids, 3]);
  assert.equal(longer.rows, 1, "one more word is one more row");
  close(longer, [...ids, 3]);
  // Another text begins again.
  close(next([4, 5]), [4, 5]);
  assert.deepEqual(next([4, 5], { temperature: 1, seed: 3 }).id, next([4, 5], { temperature: 1, seed: 3 }).id);
  assert.equal(next([4, 5], { top_k: 3 }).next.length, 3);
  // Tokens that are asked for, however likely they are.
  const true_ = predicted(model, [4, 5], 4);
  const { also } = next([4, 5], { top_k: 11, also: [7, 0, 7] });
  assert.deepEqual(also.map(({ id, token }) => [id, token]), [[7, "."], [0, "a"], [7, "."]]);
  for (const { id, probability, rank } of also) {
    assert.ok(Math.abs(probability - true_[id]) < 1e-5);
    assert.equal(rank, 1 + true_.filter((other) => other > true_[id]).length);
  }
  const cut = next([4, 5], { top_k: 1, also: [true_.indexOf(Math.min(...true_))] }).also;
  assert.deepEqual([cut[0].probability, cut[0].rank], [0, 11]);
  assert.equal(next([4, 5]).also, undefined);
  assert.match(next([4, 5], { also: [11] }).error.message, /tokens 0 to 10, but token 1 of "also" is 11/);
  assert.deepEqual(next([4, 5], { also: [-1] }).error,
    { path: "/also", message: "expected a list of whole numbers, found [-1]" });
  assert.match(next(Array(13).fill(1)).error.message, /13 tokens, but the model reads at most 12/);
  module.forget("own.safetensors");
  assert.match(next([4, 5]).error.message, /no weights named "own.safetensors"/);

  // The page's engine computes the same document with the same file.
  const engine = await loadModule();
  giveInParts(engine, "own.safetensors", file, 1000);
  engine.forgetWeights("own.safetensors");
  assert.match(unpack(engine.run(text)).error.message, /no weights named "own.safetensors"/);
  giveInParts(engine, "own.safetensors", file, 1000);
  document.inputs.text = { shape: [ids.length, 1], data: ids };
  const result = unpack(engine.run(JSON.stringify(document)));
  const { shape, data: logits } = result.outputs["predict.logits"];
  assert.deepEqual(shape, [ids.length, 11]);
  const last = Array.from(logits.slice(-11));
  const most = Math.max(...last);
  const sum = last.reduce((all, logit) => all + Math.exp(logit - most), 0);
  predicted(model, ids, 4).forEach((p, id) => assert.ok(Math.abs(Math.exp(last[id] - most) / sum - p) < 1e-5));
});

test("a tokenizer of the older form, and which rows make a sentence", () => {
  const { vocab, merges } = tokenizer().model;
  const { "tokenizer.json": _, ...files } = whole();
  const { said } = opened({ ...files, "vocab.json": json(vocab), "merges.txt": Buffer.from(merges.join("\n")),
    "tokenizer_config.json": json({ add_bos_token: true, bos_token: "!" }) });
  assert.equal(said.error, undefined);
  assert.deepEqual(said.tokenizer, { file: "vocab.json", kind: "BPE", pieces: 11 });
  const { file } = stored();
  module.hold("own.safetensors", file.length, headOf(file));
  assert.deepEqual(JSON.parse(module.encode("own.safetensors", "ab ab.c")).ids, [10, 0, 1, 9, 7, 2]);
  // A family without a sentence has no use for the file, whatever it says.
  const pooled = opened({ ...files, "1_Pooling/config.json": json({ pooling_mode_mean_tokens: false }) }).said;
  assert.equal(pooled.error, undefined);
  assert.match(JSON.stringify(pooled.left), /1_Pooling\/config.json/);
});

test("a model with an encoder: each source has a target, word by word as all rows together give it", async () => {
  const tensors = marian();
  const { said } = opened({ "model.safetensors": safetensors(tensors), "config.json": json(marianConfig(tensors, 4)) });
  assert.equal(said.error, undefined);
  assert.deepEqual([said.writes.source, said.writes.input, said.writes.start], ["source", "target", [13]]);
  const { document, file } = stored();
  module.hold("own.safetensors", file.length, headOf(file));
  giveInParts(module, "own.safetensors", file, 5000);
  const engine = await loadModule();
  giveInParts(engine, "own.safetensors", file, 5000);
  const input = (ids) => ({ shape: [ids.length, 1], data: ids });
  for (const source of [[2, 5, 10, 0], [4, 9, 0]]) {
    const ids = [13];
    for (let k = 0; k < 4; k++) {
      document.inputs = { source: input(source), target: input(ids) };
      const text = JSON.stringify(document);
      const found = JSON.parse(module.next("own.safetensors", text, JSON.stringify({ ids, step: k })));
      assert.equal(found.error, undefined);
      assert.equal(found.rows, 1, "the encoder and the earlier words are not run again");
      const result = unpack(engine.run(JSON.stringify({ ...document, outputs: ["predict.logits"] })));
      const last = Array.from(result.outputs["predict.logits"].data.slice(-14));
      last[13] = -Infinity; // the padding is never written
      const most = Math.max(...last);
      const sum = last.reduce((all, logit) => all + Math.exp(logit - most), 0);
      for (const { id, probability } of found.next)
        assert.ok(Math.abs(probability - Math.exp(last[id] - most) / sum) < 1e-5);
      assert.equal(found.id, last.indexOf(most));
      assert.equal(found.ended, found.id === 0);
      ids.push(found.id);
    }
  }
  // A source that is refused says so at its place, and the next source goes word by word again.
  const next = (source) => JSON.parse(module.next("own.safetensors",
    JSON.stringify({ ...document, inputs: { source: input(source), target: input([13]) } }),
    JSON.stringify({ ids: [13], step: 0 })));
  for (const bad of [99, -1, 1.5]) {
    const { error } = next([2, bad, 0]);
    assert.match(JSON.stringify(error), /source/, `${bad}: ${JSON.stringify(error)}`);
    const { rows, whole } = next([2, 5, 0]);
    assert.equal(whole, undefined);
    assert.ok(rows <= 1, `${rows} rows for one more word`);
  }
  module.forget("own.safetensors");
});

test("llama2.c, .npz and pytorch_model.bin are read, too", () => {
  const pieces = ["<unk>", "\n<s>\n", "\n</s>\n", " ", ..."abcdefghijklmnopqrs"];
  const stories = opened({ "stories.bin": llama2c(), "tok23.bin": scoredPieces(pieces) });
  assert.equal(stories.said.architecture, "llama2c", JSON.stringify(stories.said.error));
  stored();
  const saved = opened({ "pytorch_model.bin": torch(model), "config.json": json(CONFIG) });
  assert.equal(saved.said.architecture, "gpt2", JSON.stringify(saved.said.error));
  const one = stored().file;
  opened(whole());
  const two = stored().file;
  const numbers = said => said.subarray(8 + Number(said.readBigUInt64LE(0)));
  assert.deepEqual(numbers(one), numbers(two), "the same weights from both");
});

test("where nothing says how many heads there are, the reader is asked, and the answer counts", () => {
  const files = { "model.safetensors": safetensors(model) };
  const { question } = opened(files).said;
  assert.equal(question.key, "n_head");
  assert.deepEqual(question.choices, [1, 2, 4, 8]);
  assert.match(question.message, /add config.json/);
  assert.equal(opened(files, { n_head: 4 }).said.sizes.heads, 4);
  // What a file says counts more than an answer.
  assert.equal(opened({ ...files, "config.json": json(CONFIG) }, { n_head: 2 }).said.sizes.heads, 4);
});

const lying = (change) => ({ ...whole(), "model.safetensors": safetensors(model, change) });
const spoiled = () => {
  const tensors = gpt2();
  tensors["h.1.mlp.c_fc.weight"].data[5] = NaN;
  return { ...whole(), "model.safetensors": safetensors(tensors) };
};

for (const [what, files, file, says] of [
  ["cut short", { ...whole(), "model.safetensors": safetensors(model).subarray(0, 20_000) }, "model.safetensors",
    /ends|cut short|lie outside|after the end/],
  ["a header that is cut", { ...whole(), "model.safetensors": safetensors(model).subarray(0, 100) },
    "model.safetensors", /header|cut short/],
  ["a shape of 2^60 numbers", lying((header) => (header["wte.weight"].shape = [2 ** 30, 2 ** 30])), "model.safetensors",
    /wte\.weight/],
  ["offsets that lie", lying((header) => (header["wte.weight"].data_offsets = [0, 4])), "model.safetensors",
    /wte\.weight/],
  ["offsets that overlap", lying((header) => (header["wpe.weight"].data_offsets = [0, 768])), "model.safetensors",
    /overlap|wpe\.weight|gap|begin/],
  ["an unknown type", lying((header) => (header["wte.weight"].dtype = "F8_E4M3")), "model.safetensors", /F8_E4M3/],
  ["a config of another model", { ...whole(), "config.json": json({ ...CONFIG, n_layer: 12 }) }, "config.json",
    /contradicts the tensors.*n_layer.*12.*2/],
  ["a config of another kind", { ...whole(), "config.json": json({ ...CONFIG, model_type: "mamba" }) }, "config.json",
    /mamba/],
  ["the tokenizer of another model", { ...whole(), "tokenizer.json": json(tokenizer(["x", "y"])) }, "tokenizer.json",
    /13 pieces, but the model has 11.*another model/],
  ["two models at once", { ...whole(), "other.safetensors": safetensors(gpt2({ seed: 6 })) }, "other.safetensors",
    /one model only/],
  ["an archive without arrays", { "config.json": json(CONFIG), "weights.npz": zip({ "w.npy": new Uint8Array(10) }) },
    "weights.npz", /it does not begin like a NumPy array/],
  ["a missing part", { "config.json": json(CONFIG), "model-00001-of-00002.safetensors": safetensors(model),
    "model.safetensors.index.json": json({ weight_map: { "wte.weight": "model-00002-of-00002.safetensors" } }) },
  "model.safetensors.index.json", /model-00002-of-00002\.safetensors/],
  ["a pickle that calls a function", { "pytorch_model.bin": torch(model, harm), "config.json": json(CONFIG) },
    "pytorch_model.bin", /os\.system.*nothing was run/],
  ["a pickle with another opcode", { "pytorch_model.bin": torch(model, Uint8Array.of(0x49, 0x31, 0x0a)),
    "config.json": json(CONFIG) }, "pytorch_model.bin", /opcode 0x49.*nothing was run/],
]) {
  test(`${what} is refused by the name of the file, and the next model opens`, () => {
    const { said } = opened(files);
    // Some types are known only when their numbers are to be read.
    const error = said.error ?? stored().error;
    assert.ok(error, JSON.stringify(said).slice(0, 300));
    assert.ok(error.message.startsWith(`"${file}`), error.message);
    assert.match(error.message, says);
    assert.equal(opened(whole()).said.error, undefined);
  });
}

test("of two formats at once the safer one is taken, and the other is said to be left", () => {
  const { said } = opened({ ...whole(), "weights.npz": zip({ "w.npy": new Uint8Array(10) }) });
  assert.equal(said.error, undefined);
  assert.ok(!said.files.includes("weights.npz"), JSON.stringify(said.files));
  assert.match(JSON.stringify(said.left_files), /weights\.npz/);
});

test("NaN among the weights is found while they are read, by its tensor and position", () => {
  assert.equal(opened(spoiled()).said.error, undefined);
  const { error } = stored();
  assert.match(error.message, /^"model.safetensors".*h\.1\.mlp\.c_fc\.weight.*NaN at position 5$/);
});

test("what stays as it lies is named with its place, and its bytes are looked at part by part", () => {
  const files = spoiled();
  opened(files);
  const { steps } = JSON.parse(module.store("own", () => undefined));
  // The three matrices of queries, keys and values lie in one, whose place each of them has.
  const apart = steps.filter(({ passes }) => !passes);
  const places = new Set(apart.map(({ lies }) => lies.first));
  assert.equal(apart.length, 2 * 2 * 3, "matrices and their added numbers, in two layers");
  assert.equal(places.size, 2 * 2);
  const said = steps.flatMap(({ passes, lies: { file, first, bytes } }, k) => {
    const lying = Object.values(files)[file].subarray(first, first + bytes);
    return passes ? [0, 16].map((at) => JSON.parse(module.check(k, at, lying.subarray(at, at || undefined))).error)
      : [];
  }).filter((error) => error !== undefined);
  assert.equal(said.length, 1, JSON.stringify(said));
  assert.match(said[0].message, /h\.1\.mlp\.c_fc\.weight.*NaN at position 5$/);
  assert.match(JSON.parse(module.check(steps.length, 0, new Uint8Array(4))).error.message, /there is no step/);
});

test("of a file's parts each follows the last; what does not is refused, and the next file is taken", () => {
  opened(whole());
  const { file } = stored();
  const put = (at, part, name = "parts", size = file.length) =>
    JSON.parse(module.weights(name, size, at, part)).error?.message;
  assert.match(put(4, file.subarray(4, 8)), /from 0 on, found 4/);
  assert.equal(put(0, file.subarray(0, 100)), undefined);
  assert.match(put(200, file.subarray(200, 300)), /"parts" from 100 on, found 100/);
  assert.match(put(100, file.subarray(100, 200), "other"), /"parts" from 100 on, found 100 of "other"/);
  assert.match(put(100, new Uint8Array(file.length)), /"parts" from 100 on/);
  assert.equal(put(100, file.subarray(100)), undefined);
  assert.match(put(0, new Uint8Array(0), "empty", 0), /it has 0 bytes/);
  giveInParts(module, "parts", file, 64);
});

test("a config alone is no model, and a file of another kind is refused by its name", () => {
  assert.match(opened({ "config.json": json(CONFIG) }).said.error.message, /add the file of the weights/);
  assert.match(opened({ ...whole(), "readme.txt": json("read me") }).said.error.message,
    /^"readme.txt".*this kind of file cannot be read/);
});

test("a file that changes while it is read is refused, and a missing tensor is named", () => {
  const { length } = whole()["model.safetensors"];
  const said = JSON.parse(module.open([{ name: "model.safetensors", size: length }], () => null, "{}"));
  assert.match(said.error.message, /"model.safetensors".*changed or cannot be read at byte 0/);
  const tensors = gpt2();
  delete tensors["h.1.ln_2.bias"];
  assert.match(opened({ ...whole(), "model.safetensors": safetensors(tensors) }).said.error.message,
    /1 of its tensors are missing: h\.1\.ln_2\.bias/);
});

test("the module is fetched where somebody opens a model, and stays within 976 KB (docs/adr)", () => {
  for (const file of ["import.wasm", "import-relaxed.wasm"]) {
    const size = gzipSync(readFileSync(bin + file), { level: 9 }).length;
    assert.ok(size > 100_000 && size < 976 * 1024, `${file}: ${size} bytes`);
  }
});
