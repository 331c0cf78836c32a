/** The models of a backend: asked of the host where it has a listing, else from the dated table. */
import { z } from "zod";
import { toRequestError } from "../errors/request-error.ts";
import { factsOf, transportOf } from "../request/connection.ts";
import { stopped, untilAborted } from "../request/send-request.ts";
import { wrongAddress } from "../request/transport.ts";
import type { ModelApiOptions } from "../settings/options.ts";
import { wiringOf } from "../wiring/index.ts";
import { claudeAliases, type KnownModel, modelsAsOf } from "./known-models.ts";
import { type PriceTable, priceOf } from "./prices.ts";

export interface ListedModel extends KnownModel {
  /** Whether the host named it, or the table that comes with this package. */
  source: "host" | "table";
  /** Who said how long the context window is; set with it. */
  contextWindowSource?: "host" | "table";
}

/** What is known of a backend's models without asking anybody. */
export interface ModelTable {
  /** When it was last compared with its sources. */
  asOf: string;
  models: readonly KnownModel[];
  /** What the aliases that the backend takes stand for. */
  aliases: Readonly<Record<string, string>>;
}

/** The table that comes with this package. The credentials of the options are not looked at, but have to be there. */
export function modelTable(options: ModelApiOptions): ModelTable {
  const { knownModels, resolveModel } = wiringOf(options);
  const ids = knownModels.map(({ id }) => id);
  const pairs =
    ids.length === 0 ? [] : Object.keys(claudeAliases).map((alias) => [alias, resolveModel(alias)] as const);
  return {
    asOf: modelsAsOf,
    models: knownModels,
    aliases: Object.fromEntries(pairs.filter(([, id]) => ids.includes(id))),
  };
}

/** Throws a BridleError when the host cannot be asked. Prices are those of the options and of the table. */
export async function listModels(
  options: ModelApiOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<ListedModel[]> {
  const wiring = wiringOf(options);
  const prices: PriceTable = { ...wiring.prices, ...options.prices };
  const { listing, baseUrl, knownModels } = wiring;
  if (!listing) return knownModels.map(fromTable);
  const facts = factsOf(options, wiring, "");
  const headers = new Headers(listing.headers);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  const asked = ask(transportOf(options, wiring), `${baseUrl}${listing.path}`, headers, signal);
  const answer = await untilAborted(asked, signal).catch((error: unknown) => {
    throw signal.aborted ? stopped() : toRequestError(error, facts);
  });
  const parsed = listingSchema.safeParse(answer);
  if (!parsed.success) throw wrongAddress(facts, "a listing of models in no known form");
  return parsed.data.map((model) => describe(model, knownModels, prices));
}

/** What came, read as JSON; undefined for what is none. */
async function ask(fetch: typeof globalThis.fetch, url: string, headers: Headers, signal: AbortSignal) {
  const response = await fetch(url, { headers, signal });
  const responseBody = await response.text();
  if (response.ok) return parsed(responseBody);
  const { status: statusCode, statusText: message } = response;
  throw { statusCode, message, responseBody, responseHeaders: Object.fromEntries(response.headers) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Servers give all kinds of things for what they do not know. */
const tokens = z.number().positive().optional().catch(undefined);

const modelSchema = z.object({
  id: z.string(),
  display_name: z.string().nullish(),
  name: z.string().nullish(),
  // tokens, as Anthropic, vLLM, and others name them
  max_input_tokens: tokens,
  max_model_len: tokens,
  context_length: tokens,
});

/** What has no id cannot be asked for. A server without a model may say null. */
const modelsSchema = z
  .array(z.unknown())
  .nullable()
  .transform((models) => (models ?? []).flatMap((model) => modelSchema.safeParse(model).data ?? []));

/** OpenAI's form, which most share, and the gateway's. */
const listingSchema = z.union([
  z.object({ data: modelsSchema }).transform(({ data }) => data),
  z.object({ models: modelsSchema }).transform(({ models }) => models),
]);

function describe(model: z.output<typeof modelSchema>, known: readonly KnownModel[], prices: PriceTable): ListedModel {
  const table = known.find(({ id }) => id === model.id);
  const displayName = model.display_name ?? model.name ?? table?.displayName;
  const told = model.max_input_tokens ?? model.max_model_len ?? model.context_length;
  const window = told ?? table?.contextWindow;
  const price = priceOf(model.id, prices);
  return {
    id: model.id,
    ...(displayName && { displayName }),
    ...(window && { contextWindow: window, contextWindowSource: told ? "host" : "table" }),
    ...(price && { price }),
    source: "host",
  };
}

function fromTable(model: KnownModel): ListedModel {
  return { ...model, source: "table", ...(model.contextWindow && { contextWindowSource: "table" }) };
}
