import { rm } from "node:fs/promises";
import { makeTemporaryFolder } from "@bridle/host-shared";
import { type Backend, ConfigError, type HostDefinition, type HostRehearsal, override } from "@bridle/protocol";
import type { RehearsedModel, ScriptInput } from "@bridle/rehearsal";
import { createNoBackend } from "../own-hosts/no-backend.ts";
import { allHosts, hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type RehearsalWorker, RehearsalWorkers } from "./rehearsal-workers.ts";
import { failingAsScripted, rebuilt, withoutCost } from "./rehearsed-conversation.ts";
import { hashOfScript } from "./script-hash.ts";

/** The address for a host that only reports its features and sends no requests. */
const nowhere = "http://127.0.0.1";

/**
 * Starts the real backend with a model that follows a script or is a function. It needs no login and costs nothing. A host with state on
 * disk gets a temporary folder, which `close()` removes. Every conversation has its own model server, so that it never receives the answers
 * of another conversation. Throws ConfigError if the script cannot be read or is not valid.
 */
export async function startRehearsedBackend(
  script: string | ScriptInput | RehearsedModel,
  { provider, environment, configFile }: Pick<Settings, "provider" | "environment" | "configFile">,
): Promise<Backend> {
  const { defineScript, loadScript, startRehearsal } = await import("@bridle/rehearsal");
  const answering =
    typeof script === "function"
      ? { model: script }
      : { script: typeof script === "string" ? await loadScript(script) : defineScript(script) };
  const definition = hostOf(provider.backend);
  if (definition.hasModels === false) return createNoBackend(configFile);
  const { rehearsal: host } = await definition.load();
  if (host === undefined) throw cannotRehearse(definition);
  const folder = host.needsFolder ? await makeTemporaryFolder("bridle-rehearsal", "A rehearsal") : "";
  const create = (url: string) => host.create({ url, folder, environment, config: provider });

  async function startWorker(): Promise<RehearsalWorker> {
    const rehearsal = await startRehearsal(answering);
    const backend = create(rehearsal.url);
    const open: Backend["open"] = async (spec, signal) =>
      withoutCost(failingAsScripted(await backend.open(spec, signal), rehearsal));
    return { host: override(backend, { open }), rehearsal };
  }

  const backend = backendOn(new RehearsalWorkers(startWorker), create(nowhere), { ...host, folder });
  return { ...backend, script: await hashOfScript(script) };
}

function cannotRehearse({ id, title }: HostDefinition): ConfigError {
  const other = allHosts().find((host) => host.id !== id && host.hasModels !== false);
  const remedy = `Leave the script out, or choose another backend${other ? `, such as ${other.id}` : ""}.`;
  return new ConfigError(
    `${title} (backend: ${id}) cannot be rehearsed, because it speaks no protocol of the scripted model. ${remedy}`,
    { field: "llm.provider.backend" },
  );
}

function backendOn(
  workers: RehearsalWorkers,
  { id, telemetryProvider, account, features }: Backend,
  { keepsSessions, folder }: Pick<HostRehearsal, "keepsSessions"> & { readonly folder: string },
): Backend {
  return {
    id,
    telemetryProvider,
    account,
    features,
    rehearsed: true,
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
