import { rm } from "node:fs/promises";
import { createClaudeCodeBackend } from "@bridle/claude-code";
import { type Backend, type BackendEvent, type Conversation, InvalidRequestError } from "@bridle/core";
import type { Rehearsal } from "@bridle/rehearsal";
import { connect } from "./backends.ts";
import { isModelApi } from "./config/provider.ts";
import { createNoBackend } from "./no-backend.ts";
import { rehearsedProvider } from "./rehearsed-provider.ts";
import type { Settings } from "./settings.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/**
 * The real backend on a model that follows a script: no login, no cost, and for Claude Code a configuration folder of
 * its own that is gone after `close()`. Every conversation has a model server to itself, so that what does not fit in
 * one is never held against another. Throws ConfigError when the script cannot be read or does not fit the form.
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
  const stages = new Set<Stage>();

  /** `url` is that of the model server. */
  async function reach(url: string): Promise<Backend> {
    if (modelApi) return connect(rehearsedProvider(modelApi, url), { environment, prices: {} });
    return createClaudeCodeBackend({
      ...rehearsedAuth(environment),
      baseUrl: url,
      ...(configDir && { configDir }),
      pool: false,
    });
  }

  async function setStage(): Promise<Stage> {
    const rehearsal = await startRehearsal({ script: loaded });
    const reached = await reach(rehearsal.url);
    const stage: Stage = {
      backend: reached,
      rehearsal,
      async close() {
        await reached.close().finally(() => rehearsal.close());
        stages.delete(stage);
      },
    };
    stages.add(stage);
    return stage;
  }

  const { id, account, features } = await reach("http://127.0.0.1");
  return {
    id,
    rehearsed: true,
    account,
    features,
    async open(spec, signal) {
      const stage = await setStage();
      try {
        const opened = await stage.backend.open(spec, signal);
        const conversation = withoutCost(failingAsScripted(opened, stage.rehearsal));
        return { ...conversation, close: stage.close };
      } catch (error) {
        await stage.close();
        throw error;
      }
    },
    async checkAuth(signal) {
      const stage = await setStage();
      return stage.backend.checkAuth(signal).finally(stage.close);
    },
    async close() {
      await Promise.all([...stages].map((stage) => stage.close()));
      if (configDir !== undefined) await rm(configDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One conversation's host and its model server. */
interface Stage {
  readonly backend: Backend;
  readonly rehearsal: Rehearsal;
  close(): Promise<void>;
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
