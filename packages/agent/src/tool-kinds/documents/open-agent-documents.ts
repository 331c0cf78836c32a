import { type Documents, openDocuments } from "@bridle/documents";
import {
  type ClosableGenerator,
  ConfigError,
  type Embedder,
  omitUndefined,
  override,
  type ToolKindContext,
  type ToolServices,
} from "@bridle/protocol";
import { embeddingChoice, withoutEmbeddings } from "./check-documents.ts";
import { describeChunkWith } from "./describe-chunk.ts";
import { openIndex } from "./document-index.ts";
import { type DocumentsToolConfig, maxBytesOf, searchModeOf, sourcesOf } from "./documents-config.ts";

const defaultContextTokens = 100;

/**
 * Opens documents as an agent file configures them. No document is read before the first update.
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
  const describer = openDescriber(config, services, context.isRehearsed);
  try {
    const documents = openDocuments({
      sources: sourcesOf(config),
      baseDir: context.baseDir,
      store: await openIndex(config, context),
      searchMode: searchModeOf(config),
      embedder,
      ...indexOptions(config),
      ...descriptionOptions(config, describer),
    });
    return override(documents, { close: () => documents.close().finally(() => describer?.close()) });
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
  const { semantic_weight: semantic = 0.5, keyword_weight: keyword = 0.5, rrf_k: rrfK } = config;
  const { record_path, id_field, field_separator, vector_field, meta_fields, record_prefix, meta_prefix } = config;
  return {
    chunking: { maxTokens: config.max_chunk_tokens ?? config.chunk_size, overlapTokens: config.chunk_overlap },
    records: omitUndefined({
      path: record_path,
      idField: id_field,
      separator: field_separator,
      fields: vector_field === undefined ? undefined : [vector_field].flat(),
      metaFields: meta_fields,
      prefix: record_prefix,
      metaPrefix: meta_prefix,
    }),
    maxFileBytes: maxBytesOf(config),
    weights: { semantic, keyword },
    rrfK,
  };
}

/** Returns the model that describes passages: the entry's own, or else the agent's. A rehearsal only uses the agent's. */
function openDescriber(
  { name, contextual_embeddings: isOn, context_model: model }: DocumentsToolConfig,
  { runtime, openGenerator }: ToolServices,
  isRehearsed = false,
): ClosableGenerator | undefined {
  if (!isOn) return undefined;
  if (model !== undefined && openGenerator !== undefined && !isRehearsed) return openGenerator(model);
  return {
    async generateText(request) {
      if (runtime) return (await runtime()).generateText(request);
      const problem = `The documents ${name} use contextual_embeddings, which needs a model, but no model is set.`;
      throw new ConfigError(`${problem} Open them with their agent.`, { field: "tools" });
    },
    close: async () => {}, // whoever opened the runtime closes it
  };
}

function descriptionOptions(config: DocumentsToolConfig, describer: ClosableGenerator | undefined) {
  if (describer === undefined) return {};
  const { context_max_tokens: maxTokens = defaultContextTokens, context_concurrency: describeAtOnce } = config;
  return { describeChunk: describeChunkWith(describer, maxTokens), describeAtOnce };
}
