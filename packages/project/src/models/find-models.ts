import type { HostDefinition, ListedModel, ModelFigures, ModelTable } from "@bridle/protocol";
import { findCredentials } from "../hosts/credentials.ts";
import { findMissingProviderSettings, requireAll } from "../hosts/requirements.ts";
import { prepareNamespace } from "../namespace/prepare-namespace.ts";
import { hostOf, loadHost } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";

/** The models of a backend before the project's own names and prices are added. */
export interface FoundModels {
  /** Why the list was not requested from the host; undefined if it was. */
  readonly reason?: string;
  /** The date when Bridle's table was last compared with its sources. */
  readonly tableDate: string;
  readonly listed: readonly ListedModel[];
  /** All models of the table, whether or not the host lists them. */
  readonly known: readonly ListedModel[];
  /** The model that each alias stands for. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** Finds the models of a host: from the host if its credentials are set, else from the table. */
export async function findModels(settings: Settings, signal: AbortSignal): Promise<FoundModels> {
  const { provider } = settings;
  const definition = hostOf(provider.backend);
  const { asOf: tableDate, aliases, models } = await tableFor(definition);
  const priced = definition.models.pricesApply?.(provider) ?? true;
  const known = models.map((model) => fromTable(model, priced));
  const missing = missingIn(settings);
  if (missing !== undefined && known.length > 0) return { reason: missing, tableDate, known, listed: known, aliases };
  requireAll(findMissingProviderSettings(settings), `backend: ${provider.backend}`, settings); // without a table, only the host knows
  await prepareNamespace(settings);
  const listing = await (await loadHost(provider)).listModels(provider, { ...settings, signal });
  const isFromOther = definition.models.tableOf !== undefined;
  return {
    ...(listing.reason !== undefined && { reason: listing.reason }),
    tableDate,
    known,
    listed: isFromOther ? listing.models.map((model) => withFigures(model, known)) : listing.models,
    aliases: listing.aliases ?? aliases,
  };
}

/** Loads the host's own table, or the table of the host whose models it offers. */
async function tableFor({ id, models }: HostDefinition): Promise<ModelTable> {
  const host = await loadHost({ backend: models.tableOf ?? id });
  return host.modelTable?.() ?? { asOf: "1970-01-01", models: [], aliases: {} };
}

function withFigures(model: ListedModel, known: readonly ListedModel[]): ListedModel {
  return { ...known.find(({ id }) => id === model.id), ...model };
}

function missingIn(settings: Settings): string | undefined {
  const missing = findCredentials(settings).missing.filter(({ field }) => field.startsWith("llm."));
  const names = missing.map(({ field, variables }) => (variables.length === 0 ? field : variables.join(" and ")));
  if (names.length === 0) return undefined;
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} missing`;
}

function fromTable({ price, ...model }: ModelFigures, isPriced: boolean): ListedModel {
  return {
    ...model,
    ...(isPriced && price && { price }),
    source: "table",
    ...(model.contextWindow !== undefined && { contextWindowSource: "table" as const }),
  };
}
