import { type DescribeChunk, type Documents, openDocuments } from "@bridle/documents";
import { ConfigError, type Embedder, omitUndefined, type ToolKindContext, type ToolServices } from "@bridle/protocol";
import { embeddingChoice, withoutEmbeddings } from "./check-documents.ts";
import { describeChunkWith } from "./describe-chunk.ts";
import { openIndex } from "./document-index.ts";
import { type DocumentsToolConfig, searchModeOf, sourcesOf } from "./documents-config.ts";

const defaultContextTokens = 100;

/**
 * Documents as an agent's file describes them. Nothing is read before the first update.
 *
 * @throws ConfigError if the mode needs vectors and no embeddings are configured, or the index cannot be opened.
 */
export async function openAgentDocuments(
  config: DocumentsToolConfig,
  {
    services = {},
    ...context
  }: Pick<ToolKindContext, "baseDir" | "projectDir" | "stateDir" | "isRehearsed" | "services">,
): Promise<Documents> {
  const embedder = await createEmbedder(config, services);
  try {
    return openDocuments({
      sources: sourcesOf(config),
      baseDir: context.baseDir,
      store: await openIndex(config, context),
      searchMode: searchModeOf(config),
      embedder,
      ...indexOptions(config),
      ...descriptionOptions(config, services),
    });
  } catch (error) {
    await embedder?.close();
    throw error;
  }
}

async function createEmbedder(config: DocumentsToolConfig, services: ToolServices): Promise<Embedder | undefined> {
  if (searchModeOf(config) === "keyword") return undefined;
  const embedder = await services.createEmbedder?.(embeddingChoice(config));
  if (embedder) return embedder;
  throw withoutEmbeddings(config);
}

function indexOptions(config: DocumentsToolConfig) {
  const {
    max_file_mb: megabytes,
    semantic_weight: semantic = 0.5,
    keyword_weight: keyword = 0.5,
    rrf_k: rrfK,
  } = config;
  const { record_path, vector_field, meta_fields, record_prefix, meta_prefix } = config;
  return {
    chunking: { maxTokens: config.max_chunk_tokens ?? config.chunk_size, overlapTokens: config.chunk_overlap },
    records: omitUndefined({
      path: record_path,
      fields: vector_field === undefined ? undefined : [vector_field].flat(),
      metaFields: meta_fields,
      prefix: record_prefix,
      metaPrefix: meta_prefix,
    }),
    maxFileBytes: megabytes && megabytes * 1_000_000,
    weights: { semantic, keyword },
    rrfK,
  };
}

function descriptionOptions(config: DocumentsToolConfig, { runtime }: ToolServices) {
  if (!config.contextual_embeddings) return {};
  const { context_max_tokens: maxTokens = defaultContextTokens, context_concurrency: describeAtOnce } = config;
  const describeChunk: DescribeChunk = async (...chunk) => {
    if (runtime) return describeChunkWith(await runtime(), maxTokens)(...chunk);
    const problem = `The documents ${config.name} have contextual_embeddings, which needs a model, but there is none.`;
    throw new ConfigError(`${problem} Open them with their agent.`, { field: "tools" });
  };
  return { describeChunk, describeAtOnce };
}
