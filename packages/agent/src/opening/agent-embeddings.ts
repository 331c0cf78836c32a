/** Translates `embedding_provider` of an agent's file to the keys of `bridle.yaml`. */
import type { GivenEmbeddings } from "@bridle/project";
import type { EmbeddingProviderConfig } from "../config/embedding-provider.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";

/** The key of `embeddings` for each key of `embedding_provider`. */
const projectKeys: Readonly<Record<string, string>> = {
  provider: "backend",
  name: "model",
  dimensions: "dimensions",
  api_key: "apiKey",
  endpoint: "baseUrl",
  api_version: "apiVersion",
};

/** The embeddings that the agent's file asks for; undefined if it has no `embedding_provider`. */
export function agentEmbeddings({ config, file, places, values }: AgentDefinition): GivenEmbeddings | undefined {
  const { embedding_provider: given } = config;
  if (given === undefined) return undefined;
  const keys = Object.fromEntries(Object.entries(projectKeys).map(([key, projectKey]) => [projectKey, key]));
  const source = {
    ...{ file, holder: "embedding_provider", keys, values },
    positions: renamed(places.positions),
    written: renamed(places.written),
    absent: renamed(places.absent),
  };
  return { settings: toSettings(given), source };
}

function toSettings(given: EmbeddingProviderConfig): GivenEmbeddings["settings"] {
  const entries = Object.entries(given).map(([key, value]) => [projectKeys[key] ?? key, value] as const);
  const settings = Object.fromEntries(entries);
  const baseUrl = given.provider === "azure_openai" && given.endpoint !== undefined ? azureAddress(given.endpoint) : {};
  return { ...settings, ...baseUrl } as GivenEmbeddings["settings"]; // the project checks them again
}

/** The API of a resource is below `/openai`, which users leave out of the address. */
function azureAddress(endpoint: string): { baseUrl: string } {
  const { pathname } = new URL(endpoint);
  return { baseUrl: pathname === "/" ? new URL("/openai", endpoint).href : endpoint };
}

/** Paths below `embedding_provider` as paths of `bridle.yaml`. */
function renamed<T>(byPath: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(byPath).flatMap(([path, value]) => {
    const [, key] = /^embedding_provider(?:\.(\w+))?$/.exec(path) ?? [undefined, null];
    if (key === null) return [];
    return [[key === undefined ? "embeddings" : `embeddings.${projectKeys[key] ?? key}`, value] as const];
  });
  return Object.fromEntries(entries);
}
