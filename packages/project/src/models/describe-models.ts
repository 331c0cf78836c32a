import { ConfigError, type ListedModel } from "@bridle/protocol";
import { createExplainer } from "../hosts/configured-backend.ts";
import { hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import { type FoundModels, findModels } from "./find-models.ts";
import type { ModelRow, Models } from "./models-schema.ts";

/**
 * Lists the models of the project's backend: from the host's list if it can be requested, else from a dated table. Calls no model.
 * Throws a BridleError if the host refuses, or its answer is not as documented.
 */
export async function collectModels(
  settings: Settings,
  signal: AbortSignal = new AbortController().signal,
): Promise<Models> {
  const found = await createExplainer(settings)(() => find(settings, signal));
  const rows = found.listed.map((model) => describe(model, found, settings));
  return {
    backend: settings.provider.backend,
    asked: found.reason === undefined,
    reason: found.reason ?? null,
    tableDate: found.tableDate,
    models: [...rows, ...unlisted(rows, found, settings)],
  };
}

async function find(settings: Settings, signal: AbortSignal): Promise<FoundModels> {
  const { provider, configFile = "bridle.yaml" } = settings;
  const host = hostOf(provider.backend);
  if (host.hasModels === false) {
    throw new ConfigError(
      `The project has no backend (backend: ${host.id}), so it has no models. Set llm.provider.backend in ${configFile}, or pass --backend.`,
      { field: "llm.provider.backend" },
    );
  }
  return findModels(settings, signal);
}

function describe(model: ListedModel, { aliases }: FoundModels, settings: Settings): ModelRow {
  const own = Object.keys(aliases).filter((alias) => aliases[alias] === model.id);
  const { contextWindow: tokens, contextWindowSource: source } = model;
  return {
    id: model.id,
    source: model.source,
    displayName: model.displayName ?? null,
    aliases: own,
    roles: findRoles([model.id, ...own], settings),
    contextWindow: tokens === undefined || source === undefined ? null : { tokens, source },
    price: findPrice(model.id, model.price, settings),
  };
}

/** Lists the roles' models that the list lacks, with figures from the table. A model from the environment appears as its reference. */
function unlisted(rows: readonly ModelRow[], found: FoundModels, settings: Settings): ModelRow[] {
  const findId = (role: string) => standsFor(shownModel(role, settings), found);
  const shown = new Set(rows.flatMap(({ roles }) => roles));
  const roles = Object.keys(settings.models).filter((role) => !shown.has(role));
  const ids = [...new Set(roles.map(findId))];
  return ids.map((id) => {
    const known = found.known.find((model) => model.id === id);
    const row = describe({ ...known, id, source: "table" }, found, settings);
    return { ...row, source: "bridle.yaml", roles: roles.filter((role) => findId(role) === id) };
  });
}

function standsFor(name: string, { aliases }: FoundModels): string {
  return (Object.hasOwn(aliases, name) ? aliases[name] : undefined) ?? name;
}

/** Lists the roles that use a model. Omits roles with a model from the environment, because their row would reveal the value. */
function findRoles(names: readonly string[], { models, written }: Settings): string[] {
  return Object.keys(models).filter(
    (role) => written[`llm.models.${role}`] === undefined && names.includes(models[role] ?? ""),
  );
}

function shownModel(role: string, { models, written }: Settings): string {
  return written[`llm.models.${role}`] ?? models[role] ?? "";
}

function findPrice(id: string, listed: ListedModel["price"], { prices }: Settings): ModelRow["price"] {
  const own = Object.hasOwn(prices, id) ? prices[id] : undefined;
  const price = own ?? listed;
  if (price === undefined) return null;
  const { input, output, cacheRead = null, cacheWrite = null, cacheWrite1h = null } = price;
  return { input, output, cacheRead, cacheWrite, cacheWrite1h, source: own ? "bridle.yaml" : "table" };
}
