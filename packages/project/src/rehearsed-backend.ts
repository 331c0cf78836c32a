import { rm } from "node:fs/promises";
import { makeTemporaryFolder } from "@bridle/host-shared";
import { type Backend, type BackendEvent, type Conversation, InvalidRequestError } from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";
import { hostOf } from "./hosts/host-registry.ts";
import { createNoBackend } from "./hosts/no-backend.ts";
import { createStages, type Stage } from "./rehearsal-stages.ts";
import type { Settings } from "./settings/settings.ts";

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
  const host = hostOf(provider.backend);
  const { rehearsal: played } = await host.load();
  if (host.hasModels === false) return createNoBackend(configFile);
  const folder = played.needsFolder ? await makeTemporaryFolder("bridle-rehearsal-", "A rehearsal") : "";

  async function setStage(): Promise<Stage> {
    const rehearsal = await startRehearsal({ script: loaded });
    const backend = played.create({ url: rehearsal.url, folder, environment });
    const open: Backend["open"] = async (spec, signal) =>
      withoutCost(failingAsScripted(await backend.open(spec, signal), rehearsal));
    return { host: { ...backend, open }, rehearsal };
  }

  const stages = createStages(setStage);
  const { id, account, features } = played.create({ url: "http://127.0.0.1", folder, environment });
  return {
    id,
    rehearsed: true,
    account,
    features,
    async open({ session, ...spec }, signal) {
      const conversation = await stages.open(spec, signal);
      const isToldAnew = played.keepsSessions && session !== undefined && spec.history.length > 0;
      return isToldAnew ? toldAnew(conversation) : conversation;
    },
    checkAuth: stages.checkAuth,
    async close() {
      await stages.close();
      if (folder !== "") await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** On a stage nothing is held for the next run of a session. */
function toldAnew(conversation: Conversation): Conversation {
  const resumption = { resumed: "rebuilt", reason: "not-retained" } as const;
  return { ...conversation, promptContext: { ...conversation.promptContext, resumption } };
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
