import { type DescribeChunk, type Documents, openDocuments } from "@bridle/documents";
import type { EmbeddingChoice } from "@bridle/project";
import { type AgentRuntime, ConfigError, type Embedder } from "@bridle/protocol";
import type { Surroundings } from "../opening/opened-tools.ts";
import { describeBy } from "./describe-chunk.ts";
import { openIndex, sourcesOf } from "./document-index.ts";
import { type DocumentsToolConfig, searchModeOf } from "./documents-config.ts";

/** What documents may need of the agent they are of. */
export interface DocumentsServices {
  /** Makes what turns texts into vectors; undefined where nothing is configured that does. Rejects with a ConfigError. */
  createEmbedder?(choice: EmbeddingChoice): Promise<Embedder | undefined>;
  /** For `contextual_embeddings`; asked when a part is described, and not before. */
  readonly runtime?: () => Describer | Promise<Describer>;
}

type Describer = Pick<AgentRuntime, "generateText">;

const contextTokens = 100;

/** Documents as an agent's file describes them. Nothing is read before they are updated. Throws ConfigError. */
export async function openAgentDocuments(
  config: DocumentsToolConfig,
  surroundings: Pick<Surroundings, "baseDir" | "projectDir" | "stateDir">,
  services: DocumentsServices = {},
): Promise<Documents> {
  const embedder = await embedderFor(config, services);
  try {
    const store = await openIndex(config, surroundings);
    return openDocuments({
      sources: sourcesOf(config),
      baseDir: surroundings.baseDir,
      store,
      searchMode: searchModeOf(config),
      ...(embedder && { embedder }),
      ...optionsOf(config),
      ...describing(config, services),
    });
  } catch (error) {
    await embedder?.close();
    throw error;
  }
}

async function embedderFor(config: DocumentsToolConfig, services: DocumentsServices): Promise<Embedder | undefined> {
  const mode = searchModeOf(config);
  if (mode === "keyword") return undefined;
  const { name, embedding_model: model, embedding_dimensions: dimensions } = config;
  const choice = { ...(model !== undefined && { model }), ...(dimensions && { dimensions }) };
  const embedder = await services.createEmbedder?.(choice);
  if (embedder) return embedder;
  throw new ConfigError(
    `The documents ${name} are searched in the mode ${mode}, which needs vectors, and no embeddings are configured. Set embedding_provider, or search_mode: keyword.`,
    { field: "embedding_provider" },
  );
}

function optionsOf(config: DocumentsToolConfig) {
  const maxTokens = config.max_chunk_tokens ?? config.chunk_size;
  const { chunk_overlap: overlapTokens, max_file_mb: megabytes, semantic_weight, keyword_weight, rrf_k } = config;
  return {
    chunking: { ...(maxTokens && { maxTokens }), ...(overlapTokens && { overlapTokens }) },
    records: recordsOf(config),
    ...(megabytes && { maxFileBytes: megabytes * 1_000_000 }),
    weights: { semantic: semantic_weight ?? 0.5, keyword: keyword_weight ?? 0.5 },
    ...(rrf_k && { rrfK: rrf_k }),
  };
}

function recordsOf({ record_path, vector_field, meta_fields, record_prefix, meta_prefix }: DocumentsToolConfig) {
  return {
    ...(record_path !== undefined && { path: record_path }),
    ...(vector_field !== undefined && { fields: [vector_field].flat() }),
    ...(meta_fields && { metaFields: meta_fields }),
    ...(record_prefix !== undefined && { prefix: record_prefix }),
    ...(meta_prefix !== undefined && { metaPrefix: meta_prefix }),
  };
}

function describing(config: DocumentsToolConfig, { runtime }: DocumentsServices) {
  if (!config.contextual_embeddings) return {};
  const { context_max_tokens: tokens = contextTokens, context_concurrency: describeAtOnce } = config;
  const describeChunk: DescribeChunk = async (...given) => {
    if (runtime) return describeBy(await runtime(), tokens)(...given);
    const problem = `The documents ${config.name} are to be described by a model (contextual_embeddings), and there is none here.`;
    throw new ConfigError(`${problem} Open them with their agent.`, { field: "tools" });
  };
  return { describeChunk, ...(describeAtOnce && { describeAtOnce }) };
}
