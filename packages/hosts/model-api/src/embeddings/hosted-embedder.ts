import { accountLimiterFor } from "@bridle/core";
import { type Embedder, type Embeddings, InvalidRequestError, StoppedError } from "@bridle/protocol";
import { createRedact } from "../request/connection.ts";
import type { Pauses } from "../request/retry.ts";
import { createTransport } from "../request/transport.ts";
import { checkCount, checkHeaderValue, fieldOf, requireSetting } from "../settings/check-settings.ts";
import { askForBatch, type BatchRequest } from "./batch-request.ts";
import { batchesOf } from "./batches.ts";
import { untilItsEnd } from "./call-end.ts";
import { accountOf, type Connection, connectionFor } from "./connections.ts";
import { inParallel } from "./in-parallel.ts";
import { type HostedEmbedderOptions, section } from "./options.ts";
import { checkLengths } from "./vectors.ts";

const defaults = { batchSize: 128, maxConcurrency: 4, idleTimeoutMs: 120_000, maxAttempts: 4 };
/** OpenAI takes 300,000 tokens in one request, and no more. */
const batchBytes = 300_000;

/** An embedder on a host. Throws ConfigError for a setting that cannot work. */
export function createHostedEmbedder(options: HostedEmbedderOptions, pauses: Pauses): Embedder {
  const { backend: id, dimensions, batchSize = defaults.batchSize } = options;
  const connection = connectionFor(options);
  const name = requireSetting(id, "model", options.model, { section, what: "the name of a model that embeds" });
  for (const option of ["dimensions", "batchSize", "idleTimeoutMs", "maxAttempts"] as const)
    checkCount(option, options[option], section);
  checkHeaderValue("apiKey", options.apiKey, section);
  const account = accountOf(id, connection);
  const limits = { maxConcurrency: defaults.maxConcurrency, ...options.limits };
  const limiter = accountLimiterFor(account, { limits });
  const closing = new AbortController();
  const calls = new Set<Promise<unknown>>();
  let opened: Promise<BatchRequest> | undefined;
  let known: number | undefined;

  async function embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    opened ??= open(options, connection, pauses);
    const request = await opened;
    const most = (await request.model.maxEmbeddingsPerCall) ?? Number.POSITIVE_INFINITY;
    const batches = batchesOf(texts, { texts: Math.min(batchSize, most), bytes: batchBytes });
    const answers = await inParallel(batches, limits.maxConcurrency, signal, (batch, ended) =>
      limiter.run(() => askForBatch(request, batch, ended), ended),
    );
    const vectors = answers.flatMap((answer) => answer.vectors);
    checkLengths(vectors, name, { asked: dimensions, known });
    known = vectors[0]?.length;
    return { vectors, usage: { inputTokens: answers.reduce((sum, { inputTokens }) => sum + inputTokens, 0) } };
  }

  return {
    id,
    model: name,
    account,
    async embed(texts, callOptions = {}) {
      if (closing.signal.aborted) throw new InvalidRequestError("The embedder is closed. Make a new one.");
      checkTexts(texts);
      if (texts.length === 0) return { vectors: [], usage: { inputTokens: 0 } };
      const call = untilItsEnd(callOptions, closing.signal, (signal) => embedTexts(texts, signal));
      calls.add(call);
      return call.finally(() => calls.delete(call));
    },
    async close() {
      closing.abort(new StoppedError("The call for embeddings was stopped: the embedder was closed."));
      await Promise.allSettled(calls);
      limiter.close();
    },
  };
}

/** Loads the provider, and says what all requests have in common. */
async function open(options: HostedEmbedderOptions, connection: Connection, pauses: Pauses): Promise<BatchRequest> {
  const { backend, model, dimensions, maxAttempts = defaults.maxAttempts } = options;
  const { idleTimeoutMs = defaults.idleTimeoutMs } = options;
  const { baseUrl, apiKey } = connection;
  const authRemedy = `Set ${fieldOf("apiKey", section)} to a key that is valid there.`;
  return {
    model: await connection.open(createTransport({ backend, baseUrl, section, idleTimeoutMs })),
    dimensions,
    facts: { backend, baseUrl, section, model, authRemedy, knownModels: [], redact: createRedact([apiKey]) },
    maxAttempts,
    pauses,
  };
}

function checkTexts(texts: readonly string[]): void {
  const empty = texts.indexOf("");
  if (empty === -1) return;
  throw new InvalidRequestError(`The text at index ${empty} is empty, and has no meaning to embed. Leave it out.`);
}
