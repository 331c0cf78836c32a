import { rm } from "node:fs/promises";
import { createClaudeCodeBackend } from "@bridle/claude-code";
import { type Backend, type BackendEvent, type Conversation, InvalidRequestError } from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";
import { connect } from "./backends.ts";
import { isModelApi } from "./config/provider.ts";
import { createNoBackend } from "./no-backend.ts";
import { createStages, type Stage } from "./rehearsal-stages.ts";
import { rehearsedProvider } from "./rehearsed-provider.ts";
import type { Settings } from "./settings/settings.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/**
 * The real backend on a model that follows a script: no login, no cost, and for Claude Code a configuration folder of
 * its own that is gone after `close()`. Every conversation has a model server to itself while it lasts, so that what does
 * not fit in one is never held against another. Throws ConfigError when the script cannot be read or does not fit the form.
 */
export async function startRehearsedBackend(
  script: string,
  { provider, environment, configFile }: Pick<Settings, "provider" | "environment" | "configFile">,
): Promise<Backend> {
  const { loadScript, startRehearsal } = await import("@bridle/rehearsal");
  const loaded = await loadScript(script);
  if (provider.backend === "none") return createNoBackend(configFile);
  const modelApi = isModelApi(provider) ? provider.backend : undefined;
  const configDir = modelApi ? undefined : await makeTemporaryFolder("bridle-rehearsal-", "A rehearsal");

  /** `url` is that of the model server. */
  async function reach(url: string): Promise<Stage["host"]> {
    if (modelApi) return connect(rehearsedProvider(modelApi, url), { environment, prices: {} });
    return createClaudeCodeBackend({
      ...rehearsedAuth(environment),
      baseUrl: url,
      ...(configDir && { configDir }),
      pool: { maxProcesses: 1 },
    });
  }

  async function setStage(): Promise<Stage> {
    const rehearsal = await startRehearsal({ script: loaded });
    const host = await reach(rehearsal.url);
    const open: Backend["open"] = async (spec, signal) =>
      withoutCost(failingAsScripted(await host.open(spec, signal), rehearsal));
    return { host: { ...host, open }, rehearsal };
  }

  const stages = createStages(setStage);
  const { id, account, features } = await reach("http://127.0.0.1");
  return {
    id,
    rehearsed: true,
    account,
    features,
    async open({ session, ...spec }, signal) {
      const conversation = await stages.open(spec, signal);
      const isToldAnew = modelApi === undefined && session !== undefined && spec.history.length > 0;
      return isToldAnew ? toldAnew(conversation) : conversation;
    },
    checkAuth: stages.checkAuth,
    async close() {
      await stages.close();
      if (configDir !== undefined) await rm(configDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** On a stage nothing is held for the next run of a session. */
function toldAnew(conversation: Conversation): Conversation {
  const resumption = { resumed: "rebuilt", reason: "not-retained" } as const;
  return { ...conversation, promptContext: { ...conversation.promptContext, resumption } };
}

function rehearsedAuth(environment: Settings["environment"]) {
  return { auth: "api_key", environment: { ...environment, ANTHROPIC_API_KEY: "rehearsal" } } as const;
}

/** A turn during which the script had no answer fails with the script's own sentence, however the host took it. */
export function failingAsScripted(conversation: Conversation, { failures }: Pick<Rehearsal, "failures">): Conversation {
  return {
    ...conversation,
    async turn(input, host) {
      const before = failures.length;
      const [outcome] = await Promise.allSettled([conversation.turn(input, host)]);
      const failure = failures[before];
      if (failure) throw new InvalidRequestError(`The rehearsal does not fit: ${failure.message}`);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
  };
}

/** Nobody pays for a script: tokens are told, and no cost. */
function withoutCost(conversation: Conversation): Conversation {
  return {
    ...conversation,
    turn(input, host) {
      const emit = (event: BackendEvent) => {
        if (event.type !== "usage.reported") return host.emit(event);
        const { cost: _nobodyPays, ...told } = event;
        host.emit(told);
      };
      return conversation.turn(input, { ...host, emit });
    },
  };
}
