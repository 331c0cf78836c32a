import { stat } from "node:fs/promises";
import { createOpenConversations } from "@bridle/core";
import { bareConversation, probeCredentials, requireIdleTimeout } from "@bridle/host-shared";
import {
  type Backend,
  ConfigError,
  type Conversation,
  type ConversationSpec,
  type PromptContext,
  StoppedError,
} from "@bridle/protocol";
import { accountKey } from "./auth/account.ts";
import { createAddressReader } from "./auth/account-address.ts";
import { requirePinnedSdk } from "./boundary/versions.ts";
import { hostEnvironment } from "./environment/environment.ts";
import { backendFeatures, emailAddition, hostAdditions, subagentAddition } from "./features.ts";
import { addedToHistory } from "./history/history-file.ts";
import type { ClaudeCodeOptions, ResolvedOptions } from "./options.ts";
import type { PoolState } from "./pool/entry.ts";
import { Pool } from "./pool/pool.ts";
import { type ProcessSource, unpooled } from "./pool/process-source.ts";
import { poolLimits } from "./pool-limits.ts";
import { Relays } from "./relay/relays.ts";
import { parseSettings } from "./settings/host-settings.ts";
import { findImplicitSources } from "./settings/implicit-sources.ts";
import { requireModelName } from "./settings/model-names.ts";
import { assertSafeSettings } from "./settings/opened-settings.ts";
import { requireSchemaSize } from "./settings/schema-size.ts";
import { hasSubagents, requireDefinedAgents } from "./settings/subagents.ts";
import { openHostConversation } from "./turn/conversation.ts";

/** The allowed silence for `checkAuth`: shorter than for runs, because a user waits for the result, and the answer is one word. */
const probeIdleTimeoutMs = 60_000;

export interface ClaudeCodeBackend extends Backend {
  /** Returns the state of the process pool. Undefined if the pool is switched off. */
  pool(): PoolState | undefined;
}

/**
 * Creates a backend that uses the local Claude Code. Starts no process until its first conversation. Throws ConfigError if a limit is
 * invalid.
 *
 * @example const backend = createClaudeCodeBackend({ auth: "session" }); const runtime = createAgentRuntime({ backend, models: { default:
 * "sonnet" } });
 */
export function createClaudeCodeBackend(options: ClaudeCodeOptions = {}): ClaudeCodeBackend {
  const resolved = {
    ...options,
    auth: options.auth ?? "session",
    environment: options.environment ?? process.env,
  } as const;
  const { auth } = resolved;
  const idleTimeoutMs = requireIdleTimeout(options.idleTimeoutMs);
  const probeTimeoutMs = options.idleTimeoutMs ?? probeIdleTimeoutMs;
  const pool = options.pool === false ? undefined : new Pool(poolLimits(options.pool));
  const opener = new ConversationOpener(resolved);
  return {
    id: "claude-code",
    telemetryProvider: auth === "bedrock" ? "aws.bedrock" : auth === "vertex" ? "gcp.vertex_ai" : "anthropic",
    account: accountKey(resolved),
    features: backendFeatures(auth),
    open: (spec, signal) => opener.open(spec, signal, { processes: pool ?? unpooled, idleTimeoutMs }),
    checkAuth: (signal = new AbortController().signal) =>
      // uses a separate process, because results of an earlier call must not count, and checks are rarely repeated
      probeCredentials(
        (spec, aborted) => opener.open(spec, aborted, { processes: unpooled, idleTimeoutMs: probeTimeoutMs }),
        { host: "Claude Code", mode: auth, spec: bareConversation("haiku"), signal },
      ),
    releaseSession: async (session) => pool?.releaseSession(session),
    pool: () => pool?.state(),
    close: () => opener.close(pool?.close()),
  };
}

interface OpenParts {
  processes: ProcessSource;
  idleTimeoutMs: number;
}

/** Opens conversations after all checks have passed, and closes those that are still open at the end. */
class ConversationOpener {
  readonly #options: ResolvedOptions;
  readonly #readAddress = createAddressReader();
  readonly #conversations = createOpenConversations();
  readonly #relays: Relays;
  #isClosed = false;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#relays = new Relays(options.auth);
  }

  async open(
    given: ConversationSpec,
    signal: AbortSignal,
    { processes, idleTimeoutMs }: OpenParts,
  ): Promise<Conversation> {
    const { auth, baseUrl } = this.#options;
    const spec = await this.#checkedSpec(given);
    const environment = await this.#relays.apply(this.#environmentFor(spec));
    const promptContext = await this.#promptContextOf(spec, environment);
    signal.throwIfAborted();
    const hasBaseUrl = baseUrl !== undefined;
    const options = { spec, auth, hasBaseUrl, idleTimeoutMs, environment, promptContext };
    const conversation = this.#conversations.track(await openHostConversation(options, processes));
    if (!this.#isClosed) return conversation;
    await conversation.close();
    throw new StoppedError("The backend was closed.");
  }

  /** Closes everything. `processes` resolves when the pool's processes have ended. Until then, these processes use the relays. */
  async close(processes: Promise<void> | undefined): Promise<void> {
    this.#isClosed = true;
    await Promise.all([processes, this.#conversations.close()]);
    await this.#relays.close();
  }

  /** Checks a conversation. Throws a BridleError if Claude Code could not use a part of it, before any process is started. */
  async #checkedSpec(given: ConversationSpec): Promise<ConversationSpec> {
    requirePinnedSdk();
    const { workingDirectory = given.projectDir, fallbackModel } = parseSettings(given);
    const spec = { ...given, projectDir: workingDirectory };
    for (const model of [spec.model, fallbackModel]) {
      if (model !== undefined) requireModelName(model, this.#options);
    }
    requireDefinedAgents(spec);
    requireSchemaSize(spec);
    await requireFolder(spec.projectDir);
    return spec;
  }

  #environmentFor(spec: ConversationSpec): Record<string, string> {
    return hostEnvironment(this.#options, {
      promptCaching: spec.promptCaching.enabled,
      subagents: hasSubagents(spec),
      maxOutputTokens: spec.maxOutputTokens,
      structuredOutputAttempts: spec.outputAttempts,
      forTools: spec.environment,
    });
  }

  /** Returns the context of the prompt. Throws ConfigError if an opened settings file contains refused keys. */
  async #promptContextOf(spec: ConversationSpec, environment: Record<string, string>): Promise<PromptContext> {
    const { auth } = this.#options;
    const { projectDir } = spec;
    const { settingSources = [] } = parseSettings(spec);
    await assertSafeSettings({ sources: settingSources, projectDir, environment });
    const implicitSources = await findImplicitSources({ projectDir, environment, auth, settingSources });
    const sendsEmail =
      auth === "session" || (auth === "oauth_token" && (await this.#readAddress(environment)) !== undefined);
    const hostAdds = [
      ...hostAdditions,
      ...(hasSubagents(spec) ? [subagentAddition] : []),
      ...(sendsEmail ? [emailAddition] : []),
      ...addedToHistory(spec.history),
    ];
    return { implicitSources, hostAdds };
  }
}

/** Throws if the working directory is missing. The host's own error would name its binary as the cause. */
async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new ConfigError(`The project folder ${path} does not exist. Create it, or choose another folder.`, {
    field: "projectDir",
  });
}
