import { type AccountLimiter, accountLimiterFor, inParallel } from "@bridle/core";
import { runEmbedding } from "@bridle/host-shared";
import { type Embedder, type Embeddings, type EmbedOptions, InvalidRequestError, StoppedError } from "@bridle/protocol";
import { createRedact } from "../request/connection.ts";
import type { Pauses } from "../request/retry.ts";
import { checkCount, checkHeaderValue, requireSetting, settingPath } from "../settings/check-settings.ts";
import { createTransport } from "../transport/transport.ts";
import { type BatchRequest, embedBatch } from "./batch-request.ts";
import { splitIntoBatches } from "./batches.ts";
import { connectionFor, createAccountId, type EmbeddingConnection } from "./connections.ts";
import { type HostedEmbedderOptions, section } from "./options.ts";
import { checkLengths } from "./vectors.ts";

const defaults = { batchSize: 128, maxConcurrency: 4, idleTimeoutMs: 120_000, maxAttempts: 4 };
/** The maximum number of bytes in a batch, because OpenAI accepts at most 300,000 tokens in one request. */
const batchBytes = 300_000;

/** An embedder on a host. The interface's functions are fields, because a copy with `...` keeps only own properties. */
export class HostedEmbedder implements Embedder {
  readonly id: string;
  readonly model: string;
  readonly account: string;
  readonly #options: HostedEmbedderOptions;
  readonly #connection: EmbeddingConnection;
  readonly #pauses: Pauses;
  readonly #maxConcurrency: number;
  readonly #limiter: AccountLimiter;
  readonly #closing = new AbortController();
  readonly #calls = new Set<Promise<unknown>>();
  #request: Promise<BatchRequest> | undefined;
  /** The length of the vectors so far. */
  #knownLength: number | undefined;

  /** @throws ConfigError for a setting that cannot work. */
  constructor(options: HostedEmbedderOptions, pauses: Pauses) {
    this.#options = options;
    this.#pauses = pauses;
    this.#connection = connectionFor(options);
    this.id = options.backend;
    this.model = requireSetting(options.backend, "model", options.model, { section, what: "an embedding model" });
    for (const option of ["dimensions", "batchSize", "idleTimeoutMs", "maxAttempts"] as const) {
      checkCount(option, options[option], section);
    }
    checkHeaderValue("apiKey", options.apiKey, section);
    this.account = createAccountId(options.backend, this.#connection);
    const limits = { maxConcurrency: defaults.maxConcurrency, ...options.limits };
    this.#maxConcurrency = limits.maxConcurrency;
    this.#limiter = accountLimiterFor(this.account, { limits });
  }

  readonly embed = async (texts: readonly string[], options: EmbedOptions = {}): Promise<Embeddings> => {
    if (this.#closing.signal.aborted) throw new InvalidRequestError("The embedder is closed. Create a new one.");
    checkTexts(texts);
    if (texts.length === 0) return { vectors: [], usage: { inputTokens: 0 } };
    const call = runEmbedding(options, this.#closing.signal, (signal) => this.#embedTexts(texts, signal));
    this.#calls.add(call);
    return call.finally(() => this.#calls.delete(call));
  };

  readonly close = async (): Promise<void> => {
    this.#closing.abort(new StoppedError("The request for embeddings was stopped: the embedder was closed."));
    await Promise.allSettled(this.#calls);
    this.#limiter.close();
  };

  async #embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    this.#request ??= createRequest(this.#options, this.#connection, this.#pauses);
    const request = await this.#request;
    const { batchSize = defaults.batchSize, dimensions } = this.#options;
    const hostLimit = (await request.model.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY;
    const batches = splitIntoBatches(texts, { texts: Math.min(batchSize, hostLimit), bytes: batchBytes });
    const answers = await inParallel(batches, { parallel: this.#maxConcurrency, signal }, (batch, ended) =>
      this.#limiter.run(() => embedBatch(request, batch, ended), ended),
    );
    const vectors = answers.flatMap((answer) => answer.vectors);
    checkLengths(vectors, this.model, { requested: dimensions, known: this.#knownLength });
    this.#knownLength = vectors[0]?.length;
    return { vectors, usage: { inputTokens: answers.reduce((sum, { inputTokens }) => sum + inputTokens, 0) } };
  }
}

/** Loads the provider's module, and sets up everything that all requests share. */
async function createRequest(
  options: HostedEmbedderOptions,
  connection: EmbeddingConnection,
  pauses: Pauses,
): Promise<BatchRequest> {
  const { backend, model, dimensions, maxAttempts = defaults.maxAttempts } = options;
  const { idleTimeoutMs = defaults.idleTimeoutMs } = options;
  const { baseUrl, apiKey } = connection;
  const authRemedy = `Set ${settingPath("apiKey", section)} to a key that is valid there.`;
  return {
    model: await connection.open(createTransport({ backend, baseUrl, section, idleTimeoutMs })),
    dimensions,
    facts: { backend, baseUrl, section, model, authRemedy, knownModels: [], redact: createRedact([apiKey]) },
    maxAttempts,
    pauses,
  };
}

function checkTexts(texts: readonly string[]): void {
  const index = texts.indexOf("");
  if (index === -1) return;
  throw new InvalidRequestError(`The text at index ${index} is empty, so it has no embedding. Leave it out.`);
}
