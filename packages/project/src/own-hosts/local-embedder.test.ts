import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BackendCrashError, ConfigError, InvalidRequestError, StoppedError, TimeoutError } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEmbedder } from "../operations.ts";
import { createLocalEmbedder } from "./local-embedder.ts";

let projectDir = "";
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-local-embedder-"));
});
afterEach(() => rmSync(projectDir, { recursive: true }));

/** Installs a replacement of Transformers.js, because the tests have no weights. It returns two numbers for each text. */
function install(
  extract = "{ dims: [texts.length, 2], data: Float32Array.from(texts.flatMap((text) => [text.length, 1])) }",
) {
  const folder = join(projectDir, "node_modules/@huggingface/transformers");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    '{ "name": "@huggingface/transformers", "type": "module", "main": "index.js" }',
  );
  writeFileSync(
    join(folder, "index.js"),
    `export async function pipeline(task, model) {
      if (model === "missing") throw new Error("Could not locate file.");
      globalThis.askedOfTransformers = [task, model];
      return async (texts, options) => (${extract});
    }`,
  );
}

describe("a local embedder", () => {
  test("ends between two batches when the caller stops it or its time is over, and refuses an unknown option", async () => {
    install("await new Promise((resolve) => setTimeout(resolve, 60)), { dims: [1, 1], data: Float32Array.of(1) }");
    const embedder = createLocalEmbedder({ model: "small", batchSize: 1, projectDir });
    const texts = Array.from({ length: 1000 }, () => "a");
    await expect(embedder.embed(texts, { timeoutMs: 50 })).rejects.toThrow(TimeoutError);
    await expect(embedder.embed(texts, { signal: AbortSignal.timeout(50) })).rejects.toThrow(StoppedError);
    await expect(embedder.embed(["a"], JSON.parse('{ "timeoutMS": 50 }'))).rejects.toThrow('Did you mean "timeoutMs"?');
    const closed = embedder.embed(texts);
    await embedder.close();
    await expect(closed).rejects.toThrow(StoppedError);
  });

  test("runs the model with the project's package, in batches", async () => {
    install();
    const embedder = createLocalEmbedder({ model: "small", batchSize: 2, projectDir });
    const { vectors, usage } = await embedder.embed(["a", "bb", "ccc"]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(usage).toEqual({ inputTokens: 0 });
    expect(Reflect.get(globalThis, "askedOfTransformers")).toEqual(["feature-extraction", "small"]);
    expect(await embedder.embed([])).toMatchObject({ vectors: [] });
    await expect(embedder.embed(["a", " "])).rejects.toThrow(InvalidRequestError);
    await embedder.close();
    await expect(embedder.embed(["a"])).rejects.toThrow("The embedder is closed.");
  });

  test("resolves a folder name in the project's folder", async () => {
    install();
    mkdirSync(join(projectDir, "models/small"), { recursive: true });
    await createLocalEmbedder({ model: "./models/small", projectDir }).embed(["a"]);
    expect(Reflect.get(globalThis, "askedOfTransformers")).toEqual([
      "feature-extraction",
      join(projectDir, "models/small"),
    ]);
  });

  test("says how to install its package if it is missing", () => {
    expect(() => createLocalEmbedder({ model: "small", projectDir })).toThrow(ConfigError);
    expect(() => createLocalEmbedder({ model: "small", projectDir })).toThrow(
      `The embeddings run in this process (local), but the project does not have the package for it. Run "npm install @huggingface/transformers" in ${projectDir}.`,
    );
  });

  test("names a model that cannot be loaded, and one that does not embed", async () => {
    install("{ dims: [1, 2, 3], data: new Float32Array(6) }");
    await expect(createLocalEmbedder({ model: "missing", projectDir }).embed(["a"])).rejects.toThrow(
      "@huggingface/transformers cannot load the model missing: Could not locate file. Correct its name or folder.",
    );
    const wrong = createLocalEmbedder({ model: "chat", projectDir }).embed(["a"]);
    await expect(wrong).rejects.toThrow(
      "The model chat did not return embeddings: the shape of the vectors for 1 texts is 1 × 2 × 3.",
    );
    await expect(wrong).rejects.toThrow(BackendCrashError);
  });

  test("is the embedder that bridle.yaml names", async () => {
    install();
    writeFileSync(
      join(projectDir, "bridle.yaml"),
      "llm: { provider: { backend: none } }\nembeddings: { backend: local, model: small }\n",
    );
    const embedder = await createEmbedder({ projectDir, environment: {} });
    expect(embedder).toMatchObject({ id: "local", model: "small" });
    expect((await embedder.embed(["abc"])).vectors[0]).toEqual(Float32Array.of(3, 1));
    await embedder.close();
  });
});
