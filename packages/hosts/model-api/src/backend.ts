import { createOpenConversations, sha256 } from "@bridle/core";
import {
  type Backend,
  type BackendFeatures,
  type Conversation,
  type ConversationSpec,
  defaultPromptCaching,
  type PromptCaching,
} from "@bridle/protocol";
import { createConversation } from "./conversation.ts";
import { listModels } from "./models/list-models.ts";
import { type PriceTable, priceOf } from "./models/prices.ts";
import { probeAuth } from "./request/auth-check.ts";
import { factsOf, transportOf } from "./request/connection.ts";
import { streamed } from "./request/json-errors.ts";
import { type Pauses, realPauses } from "./request/retry.ts";
import { stopped } from "./request/send-request.ts";
import { unpriced } from "./response/spending.ts";
import { fieldOf, wrong } from "./settings/check-settings.ts";
import type { ModelApiOptions } from "./settings/options.ts";
import { type Wiring, wiringOf } from "./wiring/index.ts";

const defaultMaxAttempts = 4;
const cachingFields = Object.keys(defaultPromptCaching) as (keyof PromptCaching)[];

/**
 * A model API as a backend. Throws ConfigError for a setting that is missing, before anything is sent; imports the
 * module of its provider when it is first used.
 */
export function createModelApiBackend(options: ModelApiOptions, pauses: Pauses = realPauses): Backend {
  const { id, maxAttempts = defaultMaxAttempts } = options;
  const wiring = wiringOf(options);
  const prices: PriceTable = { ...wiring.prices, ...options.prices };
  const conversations = createOpenConversations();
  let loading: ReturnType<Wiring["load"]> | undefined;

  function load(): ReturnType<Wiring["load"]> {
    loading ??= wiring.load(streamed(transportOf(options, wiring))).catch((error: unknown) => {
      loading = undefined; // what was not there may be there the next time
      throw error;
    });
    return loading;
  }

  async function open(spec: ConversationSpec, signal: AbortSignal): Promise<Conversation> {
    const model = wiring.resolveModel(spec.model);
    requirePrice(options, spec, model, prices);
    const toModel = await load();
    if (signal.aborted) throw stopped();
    const facts = factsOf(options, wiring, model);
    const contextWindow = wiring.knownModels.find(({ id: known }) => known === model)?.contextWindow;
    const parts = { spec, wiring, facts, prices, contextWindow, maxAttempts, pauses };
    return conversations.keep(createConversation({ ...parts, model: toModel(model) }));
  }

  return {
    id,
    account: accountOf(id, wiring),
    features: featuresOf(wiring),
    open,
    async checkAuth(signal = new AbortController().signal) {
      const model = options.probeModel ?? wiring.probeModel ?? (await firstListed(options, signal));
      return probeAuth(open, { mode: wiring.mode, model, maxOutputTokens: wiring.leastOutputTokens, signal });
    },
    close: () => conversations.close(),
  };
}

function featuresOf({ takesCacheMarks, degraded }: Wiring): BackendFeatures {
  return {
    structuredOutput: true,
    history: true,
    parts: ["text", "image", "file"],
    maxOutputTokens: true,
    sampling: true,
    costBudget: true,
    builtins: {},
    promptCaching: takesCacheMarks("anthropic/claude") ? cachingFields : [],
    maxResultChars: Number.POSITIVE_INFINITY,
    degraded,
  };
}

/** One payer on one host. */
function accountOf(id: string, { baseUrl, credential }: Wiring): string {
  const payer = credential === "" ? "no credential" : sha256(credential).slice(0, 12);
  return `${id} ${baseUrl} ${payer}`;
}

/** A budget in dollars can be kept only where it is known what a request costs; the gateway says so itself. */
function requirePrice(
  { id }: ModelApiOptions,
  { maxCostUsd }: ConversationSpec,
  model: string,
  prices: PriceTable,
): void {
  if (maxCostUsd === undefined || id === "gateway" || priceOf(model, prices)) return;
  throw unpriced(id, model);
}

async function firstListed(options: ModelApiOptions, signal: AbortSignal): Promise<string> {
  const [first] = await listModels(options, signal);
  if (first) return first.id;
  const message = `The server of ${options.id} lists no model. Load one there, or check ${fieldOf("baseUrl")}.`;
  throw wrong("baseUrl", message);
}
