import { stat } from "node:fs/promises";
import { createOpenConversations } from "@bridle/core";
import {
  type Backend,
  type BackendFeatures,
  ConfigError,
  type Conversation,
  type ConversationSpec,
  StoppedError,
} from "@bridle/protocol";
import { accountOf } from "./auth/account.ts";
import { createAddressReader } from "./auth/account-address.ts";
import { probeAuth } from "./auth/auth-check.ts";
import { requirePinnedSdk } from "./boundary/versions.ts";
import { hostEnvironment } from "./environment/environment.ts";
import { addedToHistory } from "./history/history-file.ts";
import { requireModelName } from "./models/model-names.ts";
import type { ClaudeCodeOptions } from "./options.ts";
import type { PoolState } from "./pool/entry.ts";
import { poolLimits } from "./pool/limits.ts";
import { createPool } from "./pool/pool.ts";
import { type Sessions, unpooled } from "./pool/sessions.ts";
import { settingNames, settingsOf } from "./settings/host-settings.ts";
import { findImplicitSources } from "./settings/implicit-sources.ts";
import { requireHarmless } from "./settings/opened-settings.ts";
import { opensAgents, requireAgents } from "./settings/subagents.ts";
import { hostTools } from "./tools/host-tools.ts";
import { openConversation } from "./turn/conversation.ts";
import { idleTimeoutOf } from "./turn/silence-watch.ts";

const features: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text", "image", "file"],
  maxOutputTokens: true,
  sampling: false,
  costBudget: true,
  builtins: hostTools,
  hostSettings: settingNames,
  promptCaching: ["enabled"],
  maxResultChars: 45_000, // from 50,000 on it writes a result to a file that the model cannot read (observed on 2.1.330)
  degraded: [
    "A malformed tool call is mended by the model in its next step, not within the same response.",
    "Prompt caching can be switched off as a whole; marks for tools and history, and lifetimes, are the host's own.",
    "Sampling parameters such as temperature cannot be set.",
    "Questions about calls that may change something come one after another, each when the one before is over.",
  ],
};

/**
 * On a login, Claude Code puts the account's address into the prompt by itself; with a token of its own, that of the
 * login which happens to be stored (observed on 2.1.330).
 */
const email = {
  adds: "the email address of the account",
  degraded:
    "On a login Claude Code tells the model the account's email address; with auth: oauth_token only where a login is stored too.",
};

/** Text that Claude Code puts into requests by itself (observed on 2.1.330). */
const hostAdds = [
  "a line that says the agent is built on the Claude Agent SDK",
  "a description of the environment: working directory, platform, shell, model and date",
  "a header line with the versions of the host",
  "where an answer was cut, empty, withheld or without its object, a note that makes the model go on",
];

const addedToAgents = "to the prompt of a subagent, instructions of its own about files, commands and answers";

/** Whoever asks whether a login holds waits before the answer, which is one word. */
const probeIdleTimeoutMs = 60_000;

export interface ClaudeCodeBackend extends Backend {
  /** What waits for calls and what serves them; undefined where the pool is switched off. */
  pool(): PoolState | undefined;
}

/**
 * The local Claude Code session as a backend. Starts no process until it is used. Throws ConfigError for a limit
 * that makes no sense.
 */
export function createClaudeCodeBackend(options: ClaudeCodeOptions = {}): ClaudeCodeBackend {
  const resolved = {
    ...options,
    auth: options.auth ?? "session",
    environment: options.environment ?? process.env,
  } as const;
  const { auth, idleTimeoutMs } = resolved;
  const hasBaseUrl = options.baseUrl !== undefined;
  const idleTimeout = { ofTurn: idleTimeoutOf(idleTimeoutMs), ofProbe: idleTimeoutMs ?? probeIdleTimeoutMs };
  const isLogin = auth === "session";
  const addressIn = createAddressReader();
  const conversations = createOpenConversations();
  const pool = options.pool === false ? undefined : createPool(poolLimits(options.pool));
  let closed = false;

  async function open(
    given: ConversationSpec,
    signal: AbortSignal,
    { sessions, idleTimeoutMs }: { sessions: Sessions; idleTimeoutMs: number },
  ): Promise<Conversation> {
    requirePinnedSdk();
    const { workingDirectory = given.projectDir, fallbackModel, settingSources = [] } = settingsOf(given);
    const spec = { ...given, projectDir: workingDirectory };
    for (const model of [spec.model, fallbackModel]) if (model !== undefined) requireModelName(model, auth);
    requireAgents(spec);
    await requireFolder(spec.projectDir);
    const environment = hostEnvironment(resolved, {
      promptCaching: spec.promptCaching.enabled,
      subagents: opensAgents(spec),
      ...(spec.maxOutputTokens === undefined ? {} : { maxOutputTokens: spec.maxOutputTokens }),
      ...(spec.outputAttempts === undefined ? {} : { structuredOutputAttempts: spec.outputAttempts }),
    });
    const { projectDir } = spec;
    await requireHarmless({ sources: settingSources, projectDir, environment });
    const implicitSources = await findImplicitSources({ projectDir, environment, auth, settingSources });
    const tellsAddress = isLogin || (auth === "oauth_token" && (await addressIn(environment)) !== undefined);
    const added = [
      ...hostAdds,
      ...(opensAgents(spec) ? [addedToAgents] : []),
      ...(tellsAddress ? [email.adds] : []),
      ...addedToHistory(spec.history),
    ];
    signal.throwIfAborted();
    const surroundings = { implicitSources, hostAdds: added };
    const conversation = conversations.keep(
      await openConversation({ spec, auth, hasBaseUrl, idleTimeoutMs, environment, surroundings }, sessions),
    );
    if (!closed) return conversation;
    await conversation.close();
    throw new StoppedError("The backend was closed.");
  }

  return {
    id: "claude-code",
    account: accountOf(resolved),
    features: isLogin ? { ...features, degraded: [...features.degraded, email.degraded] } : features,
    open: (spec, signal) => open(spec, signal, { sessions: pool ?? unpooled, idleTimeoutMs: idleTimeout.ofTurn }),
    // in a process of its own: nothing that an earlier call found out counts, and the same is hardly asked again
    checkAuth: (signal = new AbortController().signal) =>
      probeAuth(
        (spec, aborted) => open(spec, aborted, { sessions: unpooled, idleTimeoutMs: idleTimeout.ofProbe }),
        auth,
        signal,
      ),
    leaveSession: async (session) => pool?.leave(session),
    pool: () => pool?.state(),
    async close() {
      closed = true;
      await Promise.all([pool?.close(), conversations.close()]);
    },
  };
}

/** The host itself would blame its binary for a working directory that is not there. */
async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new ConfigError(`The project folder ${path} does not exist. Create it, or name another.`, {
    field: "projectDir",
  });
}
