/** Translates `embedding_provider` in an agent file to the keys of `bridle.yaml`. */
import { embedderDefinition, type GivenEmbeddings } from "@bridle/project";
import type { EmbeddingProviderConfig } from "../config/embedding-provider.ts";
import type { AgentDefinition } from "./agent-definition.ts";

/** The key of `embeddings` for each key of `embedding_provider`. */
const projectKeys: Readonly<Record<string, string>> = {
  provider: "backend",
  name: "model",
  dimensions: "dimensions",
  api_key: "apiKey",
  endpoint: "baseUrl",
  api_version: "apiVersion",
};

/** Returns the embeddings that the agent file configures; undefined if it has no `embedding_provider`. */
export function agentEmbeddings({ config, file, sources, values }: AgentDefinition): GivenEmbeddings | undefined {
  const { embedding_provider: given } = config;
  if (given === undefined) return undefined;
  const keys = Object.fromEntries(Object.entries(projectKeys).map(([key, projectKey]) => [projectKey, key]));
  const source = {
    file,
    holder: "embedding_provider",
    keys,
    values,
    positions: renamed(sources.positions),
    written: renamed(sources.written),
    absent: renamed(sources.absent),
  };
  return { settings: toSettings(given), source, usualKey: embedderDefinition(given.provider).agent?.usualKey };
}

function toSettings(given: EmbeddingProviderConfig): GivenEmbeddings["settings"] {
  const entries = Object.entries(given).map(([key, value]) => [projectKeys[key] ?? key, value] as const);
  const { agent } = embedderDefinition(given.provider);
  const model = given.name ?? agent?.defaultModel;
  return { ...(model !== undefined && { model }), ...Object.fromEntries(entries), ...agent?.settings?.(given) }; // the project checks them again
}

/** Converts paths below `embedding_provider` to paths of `bridle.yaml`. */
function renamed<T>(byPath: Readonly<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(byPath).flatMap(([path, value]) => {
    const [, key] = /^embedding_provider(?:\.(\w+))?$/.exec(path) ?? [undefined, null];
    if (key === null) return [];
    return [[key === undefined ? "embeddings" : `embeddings.${projectKeys[key] ?? key}`, value] as const];
  });
  return Object.fromEntries(entries);
}
