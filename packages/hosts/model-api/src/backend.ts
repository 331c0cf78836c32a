import { createOpenConversations, sha256 } from "@bridle/core";
import { bareConversation, type PriceTable, priceOf, probeCredentials } from "@bridle/host-shared";
import {
  type Backend,
  type BackendFeatures,
  type Conversation,
  type ConversationSpec,
  defaultPromptCaching,
  type PromptCaching,
} from "@bridle/protocol";
import { ModelConversation } from "./conversation/conversation.ts";
import { listModels } from "./models/list-models.ts";
import { createHostTransport, requestFacts } from "./request/connection.ts";
import { type Pauses, realPauses } from "./request/retry.ts";
import { stoppedError } from "./request/send-request.ts";
import { throwJsonErrors } from "./request/throw-json-errors.ts";
import { missingPriceError } from "./response/spending.ts";
import { settingError, settingPath } from "./settings/check-settings.ts";
import type { ModelApiOptions } from "./settings/options.ts";
import { createWiring, type Wiring } from "./wiring/index.ts";

const defaultMaxAttempts = 4;
const cachingFields = Object.keys(defaultPromptCaching) as (keyof PromptCaching)[];

/**
 * Creates the backend for a model API. The backend imports the provider's module when it is first used.
 *
 * @param pauses The pauses between attempts, for tests.
 * @throws ConfigError if a setting is missing or wrong, before anything is sent.
 */
export function createModelApiBackend(options: ModelApiOptions, pauses: Pauses = realPauses): Backend {
  return new ModelApiBackend(options, pauses);
}

/** The interface's functions are fields, because a copy with `...` keeps only own properties. */
class ModelApiBackend implements Backend {
  readonly id: string;
  readonly telemetryProvider: string | undefined;
  readonly account: string;
  readonly features: BackendFeatures;
  readonly #options: ModelApiOptions;
  readonly #pauses: Pauses;
  readonly #wiring: Wiring;
  readonly #prices: PriceTable;
  readonly #conversations = createOpenConversations();
  #loading: ReturnType<Wiring["load"]> | undefined;

  constructor(options: ModelApiOptions, pauses: Pauses) {
    this.#options = options;
    this.#pauses = pauses;
    this.#wiring = createWiring(options);
    this.#prices = { ...this.#wiring.prices, ...options.prices };
    this.id = options.id;
    this.telemetryProvider = this.#wiring.telemetryProvider;
    this.account = createAccountName(options.id, this.#wiring);
    this.features = createFeatures(this.#wiring);
  }

  readonly open = async (spec: ConversationSpec, signal: AbortSignal): Promise<Conversation> => {
    const { knownModels } = this.#wiring;
    const model = this.#wiring.resolveModel(spec.model);
    this.#requirePrice(spec, model);
    const createModel = await this.#load();
    if (signal.aborted) throw stoppedError();
    const conversation = new ModelConversation({
      spec,
      wiring: this.#wiring,
      model: createModel(model),
      facts: requestFacts(this.#options, this.#wiring, model),
      prices: this.#prices,
      contextWindow: knownModels.find(({ id }) => id === model)?.contextWindow,
      maxAttempts: this.#options.maxAttempts ?? defaultMaxAttempts,
      pauses: this.#pauses,
    });
    return this.#conversations.track(conversation);
  };

  readonly checkAuth = async (signal: AbortSignal = new AbortController().signal) => {
    const { mode, minOutputTokens: maxOutputTokens, probeModel } = this.#wiring;
    const model = this.#options.probeModel ?? probeModel ?? (await this.#firstListedModel(signal));
    const spec = {
      ...bareConversation(model),
      maxOutputTokens,
      promptCaching: { ...defaultPromptCaching, enabled: false },
    };
    return probeCredentials(this.open, { host: "The host", mode, spec, signal });
  };

  readonly close = (): Promise<void> => this.#conversations.close();

  #load(): ReturnType<Wiring["load"]> {
    const fetch = throwJsonErrors(createHostTransport(this.#options, this.#wiring));
    this.#loading ??= this.#wiring.load(fetch).catch((error: unknown) => {
      this.#loading = undefined; // allows another try, because a file that is missing now may exist later
      throw error;
    });
    return this.#loading;
  }

  /** Throws if a budget in US dollars is set but the price of a request is not known. The gateway reports it with each response. */
  #requirePrice({ maxCostUsd }: ConversationSpec, model: string): void {
    if (maxCostUsd === undefined || this.id === "gateway" || priceOf(model, this.#prices)) return;
    throw missingPriceError(this.id, model);
  }

  async #firstListedModel(signal: AbortSignal): Promise<string> {
    const [first] = await listModels(this.#options, signal);
    if (first) return first.id;
    const message = `The server of ${this.id} lists no model. Load one there, or check ${settingPath("baseUrl")}.`;
    throw settingError("baseUrl", message);
  }
}

function createFeatures({ takesCacheMarks, degraded, resultImages }: Wiring): BackendFeatures {
  return {
    structuredOutput: true,
    history: true,
    parts: ["text", "image", "file"],
    resultImages: resultImages !== "none",
    offersLater: true,
    maxOutputTokens: true,
    sampling: true,
    costBudget: true,
    builtins: {},
    promptCaching: takesCacheMarks("anthropic/claude") ? cachingFields : [],
    maxResultChars: Number.POSITIVE_INFINITY,
    degraded,
  };
}

/** Creates the account's name, which is the same for all backends with the same credential on the same host. */
function createAccountName(id: string, { baseUrl, credential }: Wiring): string {
  const payer = credential === "" ? "no credential" : sha256(credential).slice(0, 12);
  return `${id} ${baseUrl} ${payer}`;
}
