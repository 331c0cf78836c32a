import { createOpenConversations, sha256 } from "@bridle/core";
import {
  anthropicPrices,
  bareConversation,
  costOfUsage,
  openaiPrices,
  type PriceTable,
  priceOf,
  probeCredentials,
  requireIdleTimeout,
} from "@bridle/host-shared";
import {
  type AuthStatus,
  type Conversation,
  type ConversationSpec,
  defaultPromptCaching,
  type HostBackend,
  type HostPoolState,
  ModelNotFoundError,
  StoppedError,
  UnsupportedFeatureError,
  type Usage,
} from "@bridle/protocol";
import type { ProviderConfig } from "@github/copilot-sdk";
import { copilotFeatures } from "./features.ts";
import type { CopilotApi, CopilotOptions } from "./options.ts";
import { type RuntimeSource, SharedRuntime } from "./process/shared-runtime.ts";
import { baseUrlOf, toProvider } from "./settings/provider.ts";
import { openCopilotConversation } from "./turn/conversation.ts";

/** Small models. A service that does not have the model has accepted the key all the same. */
const probeModels: Readonly<Record<CopilotApi, string>> = {
  openai: "gpt-6-luna",
  azure: "gpt-6-luna",
  anthropic: "claude-haiku-5-5",
};

/** The runtime itself gives up after this many. */
const defaultMaxAttempts = 6;

/**
 * GitHub Copilot's agent runtime as a backend, on a key of a model service. Starts no process until its first
 * conversation; one process serves all of them. Throws ConfigError if a setting is wrong.
 *
 * @example
 * const backend = createCopilotBackend({ api: "openai", apiKey: process.env.OPENAI_API_KEY });
 * const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
 */
export function createCopilotBackend(options: CopilotOptions = {}): HostBackend {
  return new CopilotBackend(options);
}

/** The functions of the port are fields: a copy with `...` keeps own properties only. */
export class CopilotBackend implements HostBackend {
  readonly id = "copilot";
  readonly telemetryProvider: string;
  readonly account: string;
  readonly features = copilotFeatures;
  readonly #options: CopilotOptions;
  readonly #provider: ProviderConfig;
  readonly #prices: PriceTable;
  readonly #runtime: RuntimeSource;
  readonly #idleTimeoutMs: number;
  readonly #conversations = createOpenConversations();
  #isClosed = false;

  constructor(options: CopilotOptions, runtime?: RuntimeSource) {
    this.#options = options;
    this.#provider = toProvider(options);
    this.#idleTimeoutMs = requireIdleTimeout(options.idleTimeoutMs);
    this.#prices = { ...anthropicPrices, ...openaiPrices, ...options.prices };
    this.#runtime = runtime ?? new SharedRuntime(options.environment ?? process.env);
    this.telemetryProvider = options.api === "azure" ? "azure.ai.openai" : (options.api ?? "openai");
    const key = options.apiKey ?? "";
    this.account = `copilot ${baseUrlOf(options)} ${key === "" ? "no credential" : sha256(key).slice(0, 12)}`;
  }

  readonly open = async (spec: ConversationSpec, signal: AbortSignal): Promise<Conversation> => {
    this.#requirePrice(spec);
    const lease = await this.#runtime.acquire();
    try {
      if (signal.aborted || this.#isClosed) throw new StoppedError("The backend was closed.");
      const conversation = await openCopilotConversation(this.#partsFor(spec, lease.runtime), signal);
      const close = async () => {
        await conversation.close();
        lease.release();
      };
      return this.#conversations.track({ ...conversation, close });
    } catch (error) {
      lease.release();
      throw error;
    }
  };

  readonly checkAuth = async (signal: AbortSignal = new AbortController().signal): Promise<AuthStatus> =>
    await probeCredentials(this.open, {
      ...{ host: "The model service", mode: "api_key", signal },
      spec: {
        ...bareConversation(probeModels[this.#options.api ?? "openai"]),
        promptCaching: { ...defaultPromptCaching, enabled: false },
      },
      isAccepted: (error) => error instanceof ModelNotFoundError,
    });

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#conversations.close();
    await this.#runtime.close();
  };

  readonly pool = (): HostPoolState => this.#runtime.state();

  #partsFor(spec: ConversationSpec, runtime: Parameters<typeof openCopilotConversation>[0]["runtime"]) {
    const { contextWindow, maxAttempts = defaultMaxAttempts, apiKey } = this.#options;
    const redact = (text: string) => (apiKey ? text.replaceAll(apiKey, "[key]") : text);
    return {
      ...{ spec, runtime, contextWindow, maxAttempts, provider: this.#provider, idleTimeoutMs: this.#idleTimeoutMs },
      facts: { model: spec.model, baseUrl: baseUrlOf(this.#options), redact },
      priceOf: (usage: Usage, model: string) => costOfUsage(usage, [model, spec.model], this.#prices, false),
    };
  }

  /** A budget in US dollars needs the price of a response. */
  #requirePrice({ maxCostUsd, model }: ConversationSpec): void {
    if (maxCostUsd === undefined || priceOf(model, this.#prices)) return;
    const remedy = "Set it with the option prices, or use maxTotalTokens instead of maxCostUsd.";
    throw new UnsupportedFeatureError(this.id, `complete price for the model ${model}, which maxCostUsd needs`, remedy);
  }
}
