import { createOpenConversations, untilAborted } from "@bridle/core";
import { bareConversation, openaiPrices, probeCredentials, requireIdleTimeout } from "@bridle/host-shared";
import type { Backend, Conversation, ConversationSpec, PromptContext } from "@bridle/protocol";
import { codexAccount, hasPlan } from "./auth/codex-account.ts";
import { catalogModels } from "./boundary/model-catalog.ts";
import { patchFolderOf } from "./boundary/patch-folder.ts";
import { refuseReservedForCodex } from "./environment/environment.ts";
import { codexAdditionsTo, codexFeatures } from "./features.ts";
import type { CodexOptions, ResolvedCodexOptions } from "./options.ts";
import { Servers } from "./process/servers.ts";
import { bundledCatalog, providerName, retriesOf } from "./process/start-server.ts";
import { findCodexSources } from "./settings/codex-sources.ts";
import { parseCodexSettings } from "./settings/host-settings.ts";
import { CodexConversation, closedError } from "./turn/conversation.ts";
import type { CodexConversationOptions } from "./turn/conversation-options.ts";
import { HeldThreads, threadKey } from "./turn/held-threads.ts";
import { dropThread, startCodexThread } from "./turn/thread.ts";

/** The allowed silence for `checkAuth`: shorter than for runs, because a user waits for the result, and the answer is one word. */
const probeIdleTimeoutMs = 60_000;
const probeModel = "gpt-6-luna";

export interface CodexBackend extends Backend {
  /** Returns the state of the processes. */
  pool(): { idle: number; busy: number; reused: number };
}

/**
 * Creates a backend that uses Codex, on its login or on an API key. Starts no process until its first conversation.
 *
 * @example const backend = createCodexBackend({ auth: "session" }); const runtime = createAgentRuntime({ backend, models: { default:
 * "gpt-6-sol" } });
 */
export function createCodexBackend(options: CodexOptions = {}): CodexBackend {
  const auth = options.auth ?? "session";
  const resolved = { ...options, auth, environment: options.environment ?? process.env };
  const idleTimeoutMs = requireIdleTimeout(options.idleTimeoutMs);
  const opener = new ThreadOpener(resolved);
  return {
    id: "codex",
    telemetryProvider: "openai",
    account: codexAccount(resolved),
    features: codexFeatures,
    open: (spec, signal) => opener.open(spec, signal, idleTimeoutMs),
    checkAuth: (signal = new AbortController().signal) =>
      probeCredentials((spec, aborted) => opener.open(spec, aborted, options.idleTimeoutMs ?? probeIdleTimeoutMs), {
        host: "Codex",
        mode: auth,
        spec: bareConversation(probeModel),
        signal,
      }),
    releaseSession: async (session) => opener.held.release(session),
    pool: () => opener.servers.state,
    close: () => opener.close(),
  };
}

/** Opens conversations after all checks have passed, and closes those that are still open at the end. */
class ThreadOpener {
  readonly servers: Servers;
  readonly held = new HeldThreads();
  readonly #options: ResolvedCodexOptions;
  readonly #conversations = createOpenConversations();
  #isClosed = false;

  constructor(options: ResolvedCodexOptions) {
    this.#options = options;
    this.servers = new Servers(options);
  }

  async open(spec: ConversationSpec, signal: AbortSignal, idleTimeoutMs: number): Promise<Conversation> {
    parseCodexSettings(spec);
    refuseReservedForCodex(spec.environment);
    const { auth, baseUrl, prices } = this.#options;
    const [catalog, promptContext] = await Promise.all([bundledCatalog(), promptContextOf(spec, this.#options)]);
    const models = catalogModels(catalog).map(({ id }) => id);
    const options: CodexConversationOptions = {
      spec,
      promptContext,
      prices: { ...openaiPrices, ...prices },
      idleTimeoutMs,
      maxRetries: retriesOf(this.#options),
      provider: providerName,
      patchFolder: await patchFolderOf(spec, catalog),
      acquire: () => this.servers.acquire(spec.builtins),
      facts: (acquired) => ({
        auth,
        isSubscription: hasPlan(this.#options),
        model: spec.model,
        models,
        hasBaseUrl: baseUrl !== undefined,
        limits: acquired?.server.limits,
      }),
      leave: (thread, held) => {
        if (spec.session === undefined) dropThread(thread);
        else this.held.hold(spec.session, thread, threadKey(spec, held));
      },
    };
    return this.#conversations.track((await untilAborted(this.#start(options, signal), signal)).port);
  }

  async #start(options: CodexConversationOptions, signal: AbortSignal): Promise<CodexConversation> {
    const { spec, acquire } = options;
    const { thread = await startCodexThread(options, spec.history), resumption } = await this.held.take(spec, acquire);
    const promptContext = { ...options.promptContext, resumption };
    const conversation = new CodexConversation({ ...options, promptContext }, thread);
    if (!signal.aborted && !this.#isClosed) return conversation;
    conversation.close();
    signal.throwIfAborted();
    throw closedError();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#conversations.close();
    await this.servers.close();
  }
}

async function promptContextOf(spec: ConversationSpec, options: ResolvedCodexOptions): Promise<PromptContext> {
  const { auth, environment } = options;
  const implicitSources = await findCodexSources({ projectDir: spec.projectDir, environment, auth });
  return { implicitSources, hostAdds: codexAdditionsTo(spec) };
}
