import type { Embedder } from "@bridle/core";
import { createExplainer } from "./configured-backend.ts";
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

/** The embedder of these settings. What came from the environment is not in its errors. */
export async function embedderOf(settings: Settings): Promise<Embedder> {
  const { embeddings } = settings;
  requireAll(missingOfEmbeddings(settings), `embeddings: ${embeddings.backend}`, settings);
  const module = await import("@bridle/model-api");
  const explained = createExplainer(settings);
  const embedder = await explained(async () => module.createEmbedder(embeddings));
  const account = accountIn(embedder.account, settings);
  return { ...embedder, account, embed: (texts, options) => explained(() => embedder.embed(texts, options)) };
}
