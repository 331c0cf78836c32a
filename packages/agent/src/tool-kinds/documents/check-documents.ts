import { ConfigError, type ToolKindContext, type ToolServices } from "@bridle/protocol";
import { type DocumentsToolConfig, searchModeOf } from "./documents-config.ts";

/**
 * Refuses a search that needs vectors if no embeddings are configured, or if a setting of the embeddings is missing. Throws ConfigError.
 */
export async function checkDocuments(
  config: DocumentsToolConfig,
  { services = {} }: Pick<ToolKindContext, "services">,
): Promise<void> {
  if (searchModeOf(config) === "keyword" || (await services.hasEmbedder?.(embeddingChoice(config)))) return;
  throw withoutEmbeddings(config);
}

/** Returns the model and dimensions that the entry sets itself. */
export function embeddingChoice({
  embedding_model: model,
  embedding_dimensions: dimensions,
}: DocumentsToolConfig): Parameters<NonNullable<ToolServices["createEmbedder"]>>[0] {
  return { model, dimensions };
}

export function withoutEmbeddings(config: DocumentsToolConfig): ConfigError {
  return new ConfigError(
    `The documents ${config.name} have search_mode ${searchModeOf(config)}, which needs vectors, but no embeddings are configured. Set embedding_provider, or search_mode: keyword.`,
    { field: "embedding_provider" },
  );
}
