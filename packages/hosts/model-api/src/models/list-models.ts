/** Lists a backend's models: the host's own list if it has one, or else the table in this package. */

import { untilAborted } from "@bridle/core";
import { type PriceTable, priceOf } from "@bridle/host-shared";
import { omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { toRequestError } from "../errors/request-error.ts";
import { createHostTransport, requestFacts } from "../request/connection.ts";
import { stoppedError } from "../request/send-request.ts";
import type { ModelApiOptions } from "../settings/options.ts";
import { wrongAddress } from "../transport/transport.ts";
import { createWiring } from "../wiring/index.ts";
import { claudeAliases, type KnownModel, modelsAsOf } from "../wiring/known-models.ts";

export interface HostListedModel extends KnownModel {
  /** Whether the host or the table in this package listed the model. */
  source: "host" | "table";
  /** The source of `contextWindow`; set whenever `contextWindow` is. */
  contextWindowSource?: "host" | "table";
}

/** The models that are known without a request to the host. */
export interface ApiModelTable {
  /** The date when the table was last compared with the sources. */
  asOf: string;
  models: readonly KnownModel[];
  /** The model of each alias that the backend accepts. */
  aliases: Readonly<Record<string, string>>;
}

/** Returns the models that this package lists. The options must be complete, but their credentials are not used. */
export function modelTable(options: ModelApiOptions): ApiModelTable {
  const { knownModels, resolveModel } = createWiring(options);
  const ids = knownModels.map(({ id }) => id);
  const pairs =
    ids.length === 0 ? [] : Object.keys(claudeAliases).map((alias) => [alias, resolveModel(alias)] as const);
  return {
    asOf: modelsAsOf,
    models: knownModels,
    aliases: Object.fromEntries(pairs.filter(([, id]) => ids.includes(id))),
  };
}

/** Lists the models. Throws a BridleError if the host cannot be reached. Prices come from the options and from the table. */
export async function listModels(
  options: ModelApiOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<HostListedModel[]> {
  const wiring = createWiring(options);
  const prices: PriceTable = { ...wiring.prices, ...options.prices };
  const { listing, baseUrl, knownModels } = wiring;
  if (!listing) return knownModels.map(fromTable);
  const facts = requestFacts(options, wiring, "");
  const headers = new Headers(listing.headers);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const request = getJson(createHostTransport(options, wiring), `${baseUrl}${listing.path}`, headers, signal);
  const answer = await untilAborted(request, signal).catch((error: unknown) => {
    throw signal.aborted ? stoppedError() : toRequestError(error, facts);
  });
  const parsed = listingSchema.safeParse(answer);
  if (!parsed.success) throw wrongAddress(facts, "a list of models in an unknown form");
  return parsed.data.map((model) => describe(model, knownModels, prices));
}

/** Returns the response parsed as JSON, or `undefined` if it is not JSON. */
async function getJson(fetch: typeof globalThis.fetch, url: string, headers: Headers, signal: AbortSignal) {
  const response = await fetch(url, { headers, signal });
  const responseBody = await response.text();
  if (response.ok) return parseJson(responseBody);
  const { status: statusCode, statusText: message } = response;
  throw { statusCode, message, responseBody, responseHeaders: Object.fromEntries(response.headers) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A number of tokens; undefined for the many other values that servers send for an unknown number. */
const tokens = z.number().positive().optional().catch(undefined);

const modelSchema = z.object({
  id: z.string(),
  display_name: z.string().nullish(),
  name: z.string().nullish(),
  // The context window in tokens, under the names that Anthropic, vLLM and others use.
  max_input_tokens: tokens,
  max_model_len: tokens,
  context_length: tokens,
});

/** A list of models, without entries that have no id. A server without models may send null. */
const modelsSchema = z
  .array(z.unknown())
  .nullable()
  .transform((models) => (models ?? []).flatMap((model) => modelSchema.safeParse(model).data ?? []));

/** A listing in OpenAI's form, which most servers share, or in the gateway's. */
const listingSchema = z.union([
  z.object({ data: modelsSchema }).transform(({ data }) => data),
  z.object({ models: modelsSchema }).transform(({ models }) => models),
]);

function describe(
  model: z.output<typeof modelSchema>,
  known: readonly KnownModel[],
  prices: PriceTable,
): HostListedModel {
  const table = known.find(({ id }) => id === model.id);
  const displayName = model.display_name ?? model.name ?? table?.displayName;
  const reported = model.max_input_tokens ?? model.max_model_len ?? model.context_length;
  const contextWindow = reported ?? table?.contextWindow;
  const windowSource = reported === undefined ? ("table" as const) : ("host" as const);
  return omitUndefined({
    id: model.id,
    displayName: displayName || undefined,
    contextWindow,
    contextWindowSource: contextWindow === undefined ? undefined : windowSource,
    price: priceOf(model.id, prices),
    source: "host" as const,
  });
}

function fromTable(model: KnownModel): HostListedModel {
  const contextWindowSource = model.contextWindow === undefined ? undefined : ("table" as const);
  return omitUndefined({ ...model, source: "table" as const, contextWindowSource });
}
