/** An agent's `embedding_provider` in the words of `bridle.yaml`. */
import type { GivenEmbeddings } from "@bridle/project";
import type { EmbeddingProviderConfig } from "../config/embedding-provider.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";

/** The names of `embeddings` for keys of `embedding_provider`. */
const ourNames: Readonly<Record<string, string>> = {
  provider: "backend",
  name: "model",
  dimensions: "dimensions",
  api_key: "apiKey",
  endpoint: "baseUrl",
  api_version: "apiVersion",
};

/** What turns texts into vectors, where the agent's file says so. */
export function embeddingsOf({ config, file, places, values }: AgentDefinition): GivenEmbeddings | undefined {
  const { embedding_provider: given } = config;
  if (given === undefined) return undefined;
  const keys = Object.fromEntries(Object.entries(ourNames).map(([theirs, ours]) => [ours, theirs]));
  const source = {
    ...{ file, holder: "embedding_provider", keys, values },
    positions: renamed(places.positions),
    written: renamed(places.written),
    absent: renamed(places.absent),
  };
  return { settings: settingsOf(given), source };
}

function settingsOf(given: EmbeddingProviderConfig): GivenEmbeddings["settings"] {
  const entries = Object.entries(given).map(([key, value]) => [ourNames[key] ?? key, value] as const);
  const settings = Object.fromEntries(entries);
  const baseUrl = given.provider === "azure_openai" && given.endpoint !== undefined ? azureAddress(given.endpoint) : {};
  return { ...settings, ...baseUrl } as GivenEmbeddings["settings"]; // checked again where it is used
}

/** The API of a resource is below `/openai`, which its users leave out. */
function azureAddress(endpoint: string): { baseUrl: string } {
  const { pathname } = new URL(endpoint);
  return { baseUrl: pathname === "/" ? new URL("/openai", endpoint).href : endpoint };
}

/** Paths below `embedding_provider` as paths of `bridle.yaml`. */
function renamed<T>(byPath: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(byPath).flatMap(([path, value]) => {
    const [, key] = /^embedding_provider(?:\.(\w+))?$/.exec(path) ?? [undefined, null];
    if (key === null) return [];
    return [[key === undefined ? "embeddings" : `embeddings.${ourNames[key] ?? key}`, value] as const];
  });
  return Object.fromEntries(entries);
}
