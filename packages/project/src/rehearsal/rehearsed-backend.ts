import { rm } from "node:fs/promises";
import { makeTemporaryFolder } from "@bridle/host-shared";
import { type Backend, type HostRehearsal, override } from "@bridle/protocol";
import { hostOf } from "../hosts/host-registry.ts";
import { createNoBackend } from "../hosts/no-backend.ts";
import type { Settings } from "../settings/settings.ts";
import { type RehearsalWorker, RehearsalWorkers } from "./rehearsal-workers.ts";
import { failingAsScripted, rebuilt, withoutCost } from "./rehearsed-conversation.ts";

/** The address for a host that is only asked what it can do. */
const nowhere = "http://127.0.0.1";

/**
 * The real backend on a model that follows a script: no login, no cost, and for a host with state on disk a folder that
 * is removed by `close()`. Every conversation has a model server to itself while it lasts, so that it never receives what
 * belongs to another. Throws ConfigError if the script cannot be read or is not valid.
 */
export async function startRehearsedBackend(
  script: string,
  { provider, environment, configFile }: Pick<Settings, "provider" | "environment" | "configFile">,
): Promise<Backend> {
  const { loadScript, startRehearsal } = await import("@bridle/rehearsal");
  const loaded = await loadScript(script);
  const definition = hostOf(provider.backend);
  if (definition.hasModels === false) return createNoBackend(configFile);
  const { rehearsal: host } = await definition.load();
  const folder = host.needsFolder ? await makeTemporaryFolder("bridle-rehearsal-", "A rehearsal") : "";
  const create = (url: string) => host.create({ url, folder, environment });

  async function startWorker(): Promise<RehearsalWorker> {
    const rehearsal = await startRehearsal({ script: loaded });
    const backend = create(rehearsal.url);
    const open: Backend["open"] = async (spec, signal) =>
      withoutCost(failingAsScripted(await backend.open(spec, signal), rehearsal));
    return { host: override(backend, { open }), rehearsal };
  }

  return backendOn(new RehearsalWorkers(startWorker), create(nowhere), { ...host, folder });
}

function backendOn(
  workers: RehearsalWorkers,
  { id, telemetryProvider, account, features }: Backend,
  { keepsSessions, folder }: Pick<HostRehearsal, "keepsSessions"> & { readonly folder: string },
): Backend {
  return {
    ...{ id, telemetryProvider, account, features, rehearsed: true },
    async open({ session, ...spec }, signal) {
      const conversation = await workers.open(spec, signal);
      const isRebuilt = keepsSessions && session !== undefined && spec.history.length > 0;
      return isRebuilt ? rebuilt(conversation) : conversation;
    },
    checkAuth: (signal) => workers.checkAuth(signal),
    async close() {
      await workers.close();
      if (folder !== "") await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
