import { listHostModels, modelAliases } from "@bridle/claude-code";
import type { ListedModel, ModelTable } from "@bridle/model-api";
import { modelApiOptions } from "../backends.ts";
import type { ModelApiProvider, Provider } from "../config/provider.ts";
import { findCredentials } from "../credentials.ts";
import { prepareNamespace } from "../namespace/prepare-namespace.ts";
import { rehearsedProvider } from "../rehearsed-provider.ts";
import type { Settings } from "../settings/settings.ts";

/** The models of a backend before the project's own words are laid over them. */
export interface FoundModels {
  /** Why the host was not asked; undefined where it was. */
  readonly reason?: string;
  /** When the table that comes with Bridle was last compared with its sources. */
  readonly tableDate: string;
  readonly listed: readonly ListedModel[];
  /** What the table has, listed by the host or not. */
  readonly known: readonly ListedModel[];
  /** Aliases and what they stand for. */
  readonly aliases: Readonly<Record<string, string>>;
}

type ClaudeCode = Extract<Provider, { backend: "claude-code" }>;

/** The address for options that are never sent anywhere. */
const nowhere = "http://127.0.0.1";

/** The models of Claude Code, as it says itself at its start; their figures are the table's. */
export async function findHostModels(
  provider: ClaudeCode,
  settings: Settings,
  signal: AbortSignal,
): Promise<FoundModels> {
  const { asOf: tableDate, aliases, ...table } = await tableOf("anthropic");
  const known = withoutPrices(table, provider);
  const reason = missingIn(settings);
  if (reason !== undefined) return { reason, tableDate, known, listed: known, aliases };
  const { auth, baseUrl } = provider;
  const { environment } = settings;
  await prepareNamespace(settings);
  const named = await listHostModels({ auth, environment, ...(baseUrl !== undefined && { baseUrl }) }, signal);
  const ids = [...new Set(named.map(({ id, resolvesTo }) => resolvesTo ?? id))];
  return {
    tableDate,
    known,
    listed: ids.map((id) => ({ ...known.find((each) => each.id === id), id, source: "host" })),
    aliases: Object.fromEntries(
      named.flatMap(({ id, resolvesTo }) =>
        resolvesTo !== undefined && modelAliases.some((alias) => alias === id) ? [[id, resolvesTo]] : [],
      ),
    ),
  };
}

/** The models of a model API: asked of it, where it has a listing and its credentials are there. */
export async function findApiModels(
  provider: ModelApiProvider,
  settings: Settings,
  signal: AbortSignal,
): Promise<FoundModels> {
  const { asOf: tableDate, aliases, ...table } = await tableOf(provider.backend);
  const known = fromTable(table);
  const reason = missingIn(settings);
  if (reason !== undefined && known.length > 0) return { reason, tableDate, known, listed: known, aliases };
  const { listModels } = await import("@bridle/model-api");
  const listed = await listModels(modelApiOptions(provider, settings.prices), signal);
  const isAsked = listed.some(({ source }) => source === "host") || listed.length === 0;
  return {
    ...(!isAsked && { reason: "Bridle reads no listing of this backend" }),
    tableDate,
    known,
    listed,
    aliases,
  };
}

async function tableOf(backend: ModelApiProvider["backend"]): Promise<ModelTable> {
  const { modelTable } = await import("@bridle/model-api");
  return modelTable(modelApiOptions(rehearsedProvider(backend, nowhere)));
}

function missingIn(settings: Settings): string | undefined {
  const missing = findCredentials(settings).missing.filter(({ field }) => field.startsWith("llm."));
  const names = missing.map(({ field, variables }) => (variables.length === 0 ? field : variables.join(" and ")));
  if (names.length === 0) return undefined;
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} missing`;
}

/** Tokens have a price only where Anthropic itself bills them: not on a subscription, and a cloud sets its own. */
function withoutPrices(table: Pick<ModelTable, "models">, { auth }: ClaudeCode): ListedModel[] {
  const known = fromTable(table);
  return auth === "api_key" ? known : known.map(({ price: _, ...model }) => model);
}

function fromTable({ models }: Pick<ModelTable, "models">): ListedModel[] {
  return models.map((model) => ({
    ...model,
    source: "table",
    ...(model.contextWindow !== undefined && { contextWindowSource: "table" }),
  }));
}
