import type { Embedder } from "@bridle/protocol";
import type { EmbeddingsConfig } from "./config/embeddings.ts";
import { createExplainer } from "./hosts/configured-backend.ts";
import { missingOfEmbeddings, requireAll } from "./hosts/requirements.ts";
import { createLocalEmbedder } from "./local-embedder.ts";
import { accountIn } from "./namespace/in-namespace.ts";
import { type EmbeddingChoice, type GivenEmbeddings, withChoice, withEmbeddings } from "./settings/given-embeddings.ts";
import type { Settings } from "./settings/settings.ts";

export interface OpenEmbedderOptions {
  /** Embeddings of another file, such as an agent's. They take precedence over the project's. */
  embeddings?: GivenEmbeddings | undefined;
  /** A model or a number of dimensions for this embedder only. */
  choice?: EmbeddingChoice | undefined;
}

/** The embedder that is configured; undefined if there is none. Throws ConfigError. Call `close()` when done. */
export async function openEmbedder(
  project: Settings,
  { embeddings, choice = {} }: OpenEmbedderOptions = {},
): Promise<Embedder | undefined> {
  const settings = withChoice(withEmbeddings(project, embeddings), choice);
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
  const { createApiEmbedder: create } = await import("@bridle/model-api");
  if (embeddings.backend !== "ollama") return create(embeddings);
  const baseUrl = ollamaAddress(embeddings.baseUrl);
  return { ...create({ ...embeddings, backend: "openai-compatible", baseUrl }), id: "ollama" };
}

/** Ollama speaks OpenAI's protocol below `/v1`, which its users leave out. */
function ollamaAddress(address = "http://localhost:11434"): string {
  return new URL(address).pathname === "/" ? new URL("/v1", address).href : address;
}
