import type { Embedder } from "@bridle/protocol";
import type { EmbeddingsConfig } from "./config/embeddings.ts";
import { createExplainer } from "./configured-backend.ts";
import { type EmbeddingChoice, type GivenEmbeddings, withChoice, withEmbeddings } from "./given-embeddings.ts";
import { createLocalEmbedder } from "./local-embedder.ts";
import { accountIn } from "./namespace/in-namespace.ts";
import { missingOfEmbeddings, requireAll } from "./requirements.ts";
import { resolveSettings, type Settings, type SettingsOptions } from "./settings.ts";

export type CreateEmbedderOptions = Pick<
  SettingsOptions,
  "projectDir" | "namespace" | "environment" | "processEnvironment"
>;

/**
 * Makes an embedder from `embeddings` in the project's `bridle.yaml`. Throws ConfigError when a setting is wrong or
 * missing; without `embeddings`, every call fails with a ConfigError. Call `close()` when done.
 *
 * @example
 * const embedder = await createEmbedder();
 * const { vectors } = await embedder.embed(["red shoes", "blue shoes"]);
 * await embedder.close();
 */
export async function createEmbedder(options: CreateEmbedderOptions = {}): Promise<Embedder> {
  return embedderOf(await resolveSettings(options));
}

export interface FindEmbedderOptions extends CreateEmbedderOptions {
  /** Over the project's. */
  embeddings?: GivenEmbeddings;
  /** Over both. */
  choice?: EmbeddingChoice;
}

/** The embedder that is configured; undefined where none is. Throws ConfigError. Call `close()` when done. */
export async function findEmbedder({
  embeddings,
  choice = {},
  ...options
}: FindEmbedderOptions = {}): Promise<Embedder | undefined> {
  const settings = withChoice(withEmbeddings(await resolveSettings(options), embeddings), choice);
  return settings.embeddings.backend === "none" ? undefined : embedderOf(settings);
}

/** The embedder of these settings. What came from the environment is not in its errors. */
export async function embedderOf(settings: Settings): Promise<Embedder> {
  const { embeddings } = settings;
  requireAll(missingOfEmbeddings(settings), `embeddings: ${embeddings.backend}`, settings);
  const explained = createExplainer(settings);
  const embedder = await explained(() => make(embeddings, settings.projectDir));
  const account = accountIn(embedder.account, settings);
  return { ...embedder, account, embed: (texts, options) => explained(() => embedder.embed(texts, options)) };
}

async function make(embeddings: EmbeddingsConfig, projectDir: string): Promise<Embedder> {
  if (embeddings.backend === "local") return createLocalEmbedder({ ...embeddings, projectDir });
  const { createEmbedder: create } = await import("@bridle/model-api");
  if (embeddings.backend !== "ollama") return create(embeddings);
  const baseUrl = ollamaAddress(embeddings.baseUrl);
  return { ...create({ ...embeddings, backend: "openai-compatible", baseUrl }), id: "ollama" };
}

/** Ollama speaks OpenAI's protocol below `/v1`, which its users leave out. */
function ollamaAddress(address = "http://localhost:11434"): string {
  return new URL(address).pathname === "/" ? new URL("/v1", address).href : address;
}
