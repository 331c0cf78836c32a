import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runEmbedding } from "@bridle/host-shared";
import {
  BackendCrashError,
  ConfigError,
  type Embedder,
  type Embeddings,
  type EmbedOptions,
  InvalidRequestError,
  StoppedError,
} from "@bridle/protocol";
import { z } from "zod";

export interface LocalEmbedderOptions {
  /** The name of a model that the package can load, or a folder. */
  readonly model: string;
  /** The number of texts that are embedded at the same time. Default: 32. */
  readonly batchSize?: number | undefined;
  /** The folder from which the package is loaded, and against which a model's relative path is resolved. */
  readonly projectDir: string;
}

const packageName = "@huggingface/transformers";
const defaultBatch = 32;

type Extract = (texts: string[], options: { pooling: "mean"; normalize: true }) => Promise<unknown>;
type MakePipeline = (task: "feature-extraction", model: string) => Promise<unknown>;

const callable = <F>() => z.custom<F>((value) => typeof value === "function", "is not a function");
const moduleSchema = z.object({ pipeline: callable<MakePipeline>() });
const extractSchema = callable<Extract>();
const tensorSchema = z.object({ dims: z.array(z.int()), data: z.instanceof(Float32Array) });

/** An embedder that runs its model in this process with Transformers.js, which the user installs in the project. */
class LocalEmbedder implements Embedder {
  readonly id = "local";
  readonly account = "local";
  readonly model: string;
  readonly #options: LocalEmbedderOptions;
  readonly #packagePath: string;
  readonly #closing = new AbortController();
  #loading: Promise<Extract> | undefined;

  constructor(options: LocalEmbedderOptions) {
    this.model = options.model;
    this.#options = options;
    this.#packagePath = findPackage(options.projectDir);
  }

  async embed(texts: string[], options: EmbedOptions = {}): Promise<Embeddings> {
    if (this.#closing.signal.aborted) throw new InvalidRequestError("The embedder is closed. Create a new one.");
    const empty = texts.findIndex((text) => text.trim() === "");
    if (empty >= 0) throw new InvalidRequestError(`Text ${empty} is empty, so it cannot be embedded. Leave it out.`);
    const vectors = await runEmbedding(options, this.#closing.signal, (signal) => this.#embedTexts(texts, signal));
    return { vectors, usage: { inputTokens: 0 } };
  }

  async close(): Promise<void> {
    this.#closing.abort(new StoppedError("The call for embeddings was stopped."));
  }

  /** Embeds the texts in batches. An abort takes effect only between batches, because a batch occupies this process. */
  async #embedTexts(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const extract = await this.#load();
    const vectors: Float32Array[] = [];
    const { batchSize = defaultBatch } = this.#options;
    for (let from = 0; from < texts.length; from += batchSize) {
      signal.throwIfAborted();
      vectors.push(...(await embedBatch(extract, texts.slice(from, from + batchSize), this.model)));
    }
    signal.throwIfAborted();
    return vectors;
  }

  #load(): Promise<Extract> {
    const { model, projectDir } = this.#options;
    this.#loading ??= load(this.#packagePath, folderOr(model, projectDir), model);
    return this.#loading;
  }
}

/**
 * Creates an embedder that runs its model in this process. The first text loads the package and the model. Throws
 * ConfigError if the package is missing.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  return new LocalEmbedder(options);
}

function findPackage(projectDir: string): string {
  try {
    return createRequire(join(projectDir, "package.json")).resolve(packageName);
  } catch (cause) {
    throw new ConfigError(
      `The embeddings run in this process (local), but the project does not have the package for it. Run "npm install ${packageName}" in ${projectDir}.`,
      { field: "embeddings.backend", cause },
    );
  }
}

/** Returns the absolute path of the folder if `model` names a folder, else `model` itself. */
function folderOr(model: string, projectDir: string): string {
  const folder = resolve(projectDir, model);
  return existsSync(folder) ? folder : model;
}

async function load(path: string, model: string, shown: string): Promise<Extract> {
  try {
    const { pipeline } = moduleSchema.parse(await import(pathToFileURL(path).href));
    return extractSchema.parse(await pipeline("feature-extraction", model));
  } catch (cause) {
    throw new ConfigError(
      `${packageName} cannot load the model ${shown}: ${formatReason(cause)}. Correct its name or folder.`,
      { field: "embeddings.model", cause },
    );
  }
}

async function embedBatch(extract: Extract, texts: string[], model: string): Promise<Float32Array[]> {
  try {
    const { dims, data } = tensorSchema.parse(await extract(texts, { pooling: "mean", normalize: true }));
    const [count = 0, length = 0] = dims;
    if (dims.length !== 2 || count !== texts.length || data.length !== count * length || !data.every(Number.isFinite))
      throw new Error(`the shape of the vectors for ${texts.length} texts is ${dims.join(" × ")}`);
    return texts.map((_, index) => data.slice(index * length, (index + 1) * length));
  } catch (cause) {
    throw new BackendCrashError(
      `The model ${model} did not return embeddings: ${formatReason(cause)}. Choose an embedding model.`,
      {
        cause,
      },
    );
  }
}

function formatReason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
}
