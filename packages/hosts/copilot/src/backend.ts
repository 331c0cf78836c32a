import { createOpenConversations } from "@bridle/core";
import {
  anthropicPrices,
  bareConversation,
  openaiPrices,
  type PriceTable,
  priceOf,
  probeCredentials,
  requireIdleTimeout,
} from "@bridle/host-shared";
import {
  AuthenticationError,
  type AuthStatus,
  type BackendFeatures,
  type Conversation,
  type ConversationSpec,
  defaultPromptCaching,
  type HostBackend,
  type HostPoolState,
  ModelNotFoundError,
  override,
  StoppedError,
  UnsupportedFeatureError,
  type Usage,
} from "@bridle/protocol";
import { featuresFor } from "./features.ts";
import { type AccountModel, listAccountModels, requireModel } from "./login/account.ts";
import type { GitHubLogin } from "./login/stored-login.ts";
import type { CopilotApi, CopilotOptions } from "./options.ts";
import { type RuntimeLease, type RuntimeSource, SharedRuntime } from "./process/shared-runtime.ts";
import { copilotCost } from "./settings/cost.ts";
import { type Payer, payerOf } from "./settings/payer.ts";
import { openCopilotConversation } from "./turn/conversation.ts";

/** The small models that `checkAuth` uses. A service that answers that it does not have the model has still accepted the key. */
const probeModels: Readonly<Record<CopilotApi, string>> = {
  openai: "gpt-6-luna",
  azure: "gpt-6-luna",
  anthropic: "claude-haiku-5-5",
};

/** The default number of attempts, after which the runtime itself gives up. */
const defaultMaxAttempts = 6;

/**
 * Creates a backend that uses GitHub Copilot's agent runtime, on a model service's key or on a GitHub login. Starts no process until its
 * first conversation; one process serves all conversations. Throws ConfigError if a setting is wrong.
 *
 * @example const backend = createCopilotBackend({ api: "openai", apiKey: process.env.OPENAI_API_KEY }); const runtime =
 * createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
 */
export function createCopilotBackend(options: CopilotOptions = {}): HostBackend {
  return new CopilotBackend(options);
}

/** The interface's functions are fields, because a copy with `...` keeps only own properties. */
export class CopilotBackend implements HostBackend {
  readonly id = "copilot";
  readonly telemetryProvider: string;
  readonly account: string;
  readonly features: BackendFeatures;
  readonly #options: CopilotOptions;
  readonly #payer: Payer;
  readonly #prices: PriceTable;
  readonly #runtime: RuntimeSource;
  readonly #idleTimeoutMs: number;
  readonly #conversations = createOpenConversations();
  #isClosed = false;

  constructor(options: CopilotOptions, runtime?: RuntimeSource) {
    this.#options = options;
    this.#payer = payerOf(options);
    this.#idleTimeoutMs = requireIdleTimeout(options.idleTimeoutMs);
    this.#prices = { ...anthropicPrices, ...openaiPrices, ...options.prices };
    this.#runtime = runtime ?? new SharedRuntime(options.environment ?? process.env);
    this.features = featuresFor(this.#payer.mode);
    this.telemetryProvider = this.#payer.telemetryProvider;
    this.account = this.#payer.account;
  }

  readonly open = async (spec: ConversationSpec, signal: AbortSignal): Promise<Conversation> => {
    this.#requirePrice(spec);
    const login = this.#payer.login();
    const lease = await this.#runtime.acquire(login);
    try {
      const model = login && requireModel(spec.model, await listAccountModels(lease.runtime.client, login));
      if (signal.aborted || this.#isClosed) throw new StoppedError("The backend was closed.");
      const conversation = await openCopilotConversation(this.#partsFor(spec, lease, { login, model }), signal);
      const close = async () => {
        await conversation.close();
        lease.release();
      };
      return this.#conversations.track(override(conversation, { close }));
    } catch (error) {
      lease.release();
      throw error;
    }
  };

  readonly checkAuth = async (signal: AbortSignal = new AbortController().signal): Promise<AuthStatus> =>
    this.#payer.mode === "session" ? await this.#checkLogin() : await this.#checkKey(signal);

  /** Lists the models of the logged-in account. Undefined with a key, because the runtime does not ask a key's service for its models. */
  readonly listModels = async (): Promise<AccountModel[] | undefined> => {
    const login = this.#payer.login();
    if (!login) return undefined;
    const { runtime, release } = await this.#runtime.acquire(login);
    try {
      return await listAccountModels(runtime.client, login);
    } finally {
      release();
    }
  };

  readonly close = async (): Promise<void> => {
    this.#isClosed = true;
    await this.#conversations.close();
    await this.#runtime.close();
  };

  readonly pool = (): HostPoolState => this.#runtime.state();

  /** Asks GitHub for the account and its models. Calls no model, because a request would count as usage. */
  async #checkLogin(): Promise<AuthStatus> {
    const mode = this.#payer.mode;
    try {
      const usable = (await this.listModels())?.filter(({ isOff }) => !isOff) ?? [];
      if (usable.length > 0) return { ok: true, mode, detail: "GitHub Copilot accepts the login." };
      return { ok: false, mode, detail: "The account has no model of GitHub Copilot. Check its plan." };
    } catch (error) {
      if (error instanceof AuthenticationError) return { ok: false, mode, detail: error.message };
      throw error;
    }
  }

  #checkKey(signal: AbortSignal): Promise<AuthStatus> {
    return probeCredentials(this.open, {
      host: "The model service",
      mode: this.#payer.mode,
      signal,
      spec: {
        ...bareConversation(probeModels[this.#options.api ?? "openai"]),
        promptCaching: { ...defaultPromptCaching, enabled: false },
      },
      isAccepted: (error) => error instanceof ModelNotFoundError,
    });
  }

  #partsFor(
    spec: ConversationSpec,
    { runtime }: RuntimeLease,
    { login, model }: { login: GitHubLogin | undefined; model: AccountModel | undefined },
  ) {
    const { contextWindow = model?.contextWindow, maxAttempts = defaultMaxAttempts } = this.#options;
    const { provider, address, secretOf } = this.#payer;
    const secret = secretOf(login);
    const redact = (text: string) => (secret ? text.replaceAll(secret, "[key]") : text);
    return {
      spec,
      runtime,
      contextWindow,
      maxAttempts,
      provider,
      idleTimeoutMs: this.#idleTimeoutMs,
      facts: { model: spec.model, address, login, redact },
      priceOf: (usage: Usage, name: string, credits: number | undefined) =>
        copilotCost(usage, [name, spec.model], { credits, prices: this.#prices, isPlan: login !== undefined }),
    };
  }

  /** Throws if a budget in US dollars is set but the price of a response is not known. */
  #requirePrice({ maxCostUsd, model }: ConversationSpec): void {
    if (maxCostUsd === undefined || priceOf(model, this.#prices)) return;
    const remedy = "Set it with the option prices, or use maxTotalTokens instead of maxCostUsd.";
    throw new UnsupportedFeatureError(this.id, `complete price for the model ${model}, which maxCostUsd needs`, remedy);
  }
}
