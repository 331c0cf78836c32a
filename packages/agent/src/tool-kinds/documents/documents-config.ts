import { z } from "zod";
import { file, flag, refused, share, text, toolName, wholeFrom } from "../../config/fields.ts";
import { modelSchema } from "../../config/model.ts";
import { databaseSchema } from "./database-config.ts";

const names = z.array(text("A name of a field.")).min(1);

/** Creates the schema of another product's setting that has only one possible value in Bridle. */
function fixed<const T extends z.util.Literal>(value: T, remedy: string) {
  return z
    .literal(value, { error: `can only be ${value}: ${remedy}` })
    .exactOptional()
    .describe(`Can only be ${value}: ${remedy}`);
}

/** Documents that the agent can search. */
export const documentsToolConfig = z
  .strictObject({
    type: z
      .enum(["documents", "vectorstore", "hierarchical_document"])
      .describe("Documents to search. The types differ only in the default of search_mode: keyword, semantic, hybrid."),
    name: toolName(),
    description: text(
      "A description of the documents, for the model. Default: the names of the sources.",
    ).exactOptional(),
    source: z
      .union([file("A folder, a file or a glob."), z.array(file("A folder, a file or a glob.")).min(1)])
      .describe("Folders, files and globs such as docs/**/*.md. Relative paths start in the folder of this file."),
    search_mode: z
      .enum(["keyword", "semantic", "hybrid"], {
        error: ({ input }) =>
          input === "exact"
            ? "is not supported as exact: a keyword search finds names and numbers as they are written"
            : "must be keyword, semantic or hybrid",
      })
      .exactOptional()
      .describe(
        "Search by words (keyword), by meaning (semantic), or both (hybrid). semantic and hybrid need embeddings.",
      ),
    top_k: z
      .int()
      .min(1)
      .max(100)
      .exactOptional()
      .describe("The maximum number of passages that a search returns. Default: 5."),
    min_score: share(
      "Passages with a lower score are left out. Scores of different search modes are not comparable.",
    ).exactOptional(),
    min_similarity_score: share("Another name for min_score.").exactOptional(),
    max_chunk_tokens: z
      .int()
      .min(50)
      .max(4000)
      .exactOptional()
      .describe("The maximum length of a passage in estimated tokens. Default: 800."),
    chunk_size: z.int().min(50).max(4000).exactOptional().describe("Another name for max_chunk_tokens."),
    chunk_overlap: z
      .int()
      .min(0)
      .max(1000)
      .exactOptional()
      .describe("The number of tokens from the end of a passage to repeat in the next one. Default: 0."),
    chunking_strategy: fixed("structure", "documents are split at their headings, and long sections by length"),
    semantic_weight: share("The weight of meaning in a hybrid search. Default: 0.5.").exactOptional(),
    keyword_weight: share("The weight of words in a hybrid search. Default: 0.5.").exactOptional(),
    exact_weight: fixed(
      0,
      "a keyword search finds names and numbers as they are written. Add the weight to keyword_weight.",
    ),
    rrf_k: wholeFrom(1, "The constant of reciprocal rank fusion in a hybrid search. Default: 60.").exactOptional(),
    contextual_embeddings: flag(
      "Whether a model adds a short description to each passage for the search. Needs one call for each passage. Default: false.",
    ).exactOptional(),
    context_max_tokens: z
      .int()
      .min(20)
      .max(500)
      .exactOptional()
      .describe("The maximum length of a description in tokens. Default: 100."),
    context_concurrency: z
      .int()
      .min(1)
      .max(50)
      .exactOptional()
      .describe("The number of passages of a file to describe in parallel. Default: 4."),
    context_model: modelSchema
      .exactOptional()
      .describe(
        "The model that describes passages. Default: the role contextualise, which bridle.yaml binds to a model.",
      ),
    embedding_model: text("The embedding model. Default: the model of embedding_provider.").exactOptional(),
    embedding_dimensions: z
      .int()
      .min(1)
      .max(10_000)
      .exactOptional()
      .describe("The length of the vectors, if the model supports several. Default: the length in embedding_provider."),
    database: databaseSchema.exactOptional(),
    max_file_mb: z
      .number()
      .positive()
      .max(500)
      .exactOptional()
      .describe("The maximum size of a file in megabytes. Larger files are skipped and reported. Default: 50."),
    record_path: text("The path of the list of records in JSON documents, such as data.items.").exactOptional(),
    vector_field: z
      .union([text("A name of a field."), names])
      .exactOptional()
      .describe("The fields to read from records in CSV and JSON. Default: all."),
    meta_fields: names.exactOptional().describe("Additional fields to read from records, after those of vector_field."),
    id_field: text(
      "The field that identifies a record. Each record begins with it, regardless of vector_field and meta_fields.",
    ).exactOptional(),
    field_separator: z
      .string()
      .min(1)
      .exactOptional()
      .describe("The text between two fields of a record. Default: a line break."),
    record_prefix: z.string().min(1).exactOptional().describe("A prefix for the name of each field of a record."),
    meta_prefix: z.string().min(1).exactOptional().describe("A prefix for the names of the fields in meta_fields."),
    keyword_index: z
      .strictObject(
        {
          provider: z.literal("in-memory", {
            error: "cannot be another: the keyword index is stored with the rest of the index",
          }),
        },
        { error: "is stored with the rest of the index. Remove it." },
      )
      .exactOptional()
      .describe("Has no effect: the keyword index is always stored with the rest of the index."),
    enable_reranking: fixed(false, "set search_mode: hybrid and a larger top_k, so that the agent's model can choose"),
    reranker_model: refused("there is no reranking. Remove it."),
    document_domain: fixed("none", "documents are split at their headings"),
    max_subsection_depth: refused("documents are split at every heading. Remove it."),
    extract_definitions: fixed(false, "definitions are found like any other text"),
    extract_cross_references: fixed(false, "the agent's model can search for the referenced text"),
    defer_loading: fixed(false, "every tool is available from the start"),
  })
  .superRefine((config, context) => {
    for (const [field, message] of conflictsIn(config)) context.addIssue({ code: "custom", path: [field], message });
  });

export type DocumentsToolConfig = z.output<typeof documentsToolConfig>;

/** Returns the maximum file size in bytes. Larger files are not read. */
export function maxBytesOf({ max_file_mb: megabytes = 50 }: DocumentsToolConfig): number {
  return megabytes * 1_000_000;
}

type Conflict = readonly [field: string, message: string];

/** Finds settings that contradict each other, or have no effect together. */
function conflictsIn(config: DocumentsToolConfig): Conflict[] {
  const { semantic_weight: semantic, keyword_weight: keyword, chunk_overlap: overlap = 0 } = config;
  const size = config.max_chunk_tokens ?? config.chunk_size ?? 800;
  const isMetaUnused = config.meta_prefix !== undefined && config.meta_fields === undefined;
  return [
    ...twiceSet(config),
    ...(semantic === 0 && keyword === 0
      ? [["semantic_weight", "and keyword_weight are both 0. Raise one of them."] as const]
      : []),
    ...(overlap >= size
      ? [["chunk_overlap", `must be less than the length of a passage, which is ${size}.`] as const]
      : []),
    ...idleIn(config),
    ...(isMetaUnused
      ? [["meta_prefix", "is only for meta_fields, which are missing. Remove it, or add meta_fields."] as const]
      : []),
  ];
}

const synonyms = [
  ["min_similarity_score", "min_score"],
  ["chunk_size", "max_chunk_tokens"],
] as const;

function twiceSet(config: DocumentsToolConfig): Conflict[] {
  return synonyms
    .filter(([one, other]) => config[one] !== undefined && config[other] !== undefined)
    .map(([one, other]) => [one, `is another name for ${other}, which is also set. Remove one of them.`]);
}

/** Finds settings that belong to another mode. */
function idleIn(config: DocumentsToolConfig): Conflict[] {
  const mode = searchModeOf(config);
  const set = (fields: readonly (keyof DocumentsToolConfig)[], isUsed: boolean, message: string): Conflict[] =>
    isUsed ? [] : fields.filter((field) => config[field] !== undefined).map((field) => [field, message]);
  return [
    ...set(
      ["semantic_weight", "keyword_weight", "rrf_k"],
      mode === "hybrid",
      `is only for search_mode: hybrid, but the mode is ${mode}. Remove it, or set search_mode: hybrid.`,
    ),
    ...set(
      ["context_max_tokens", "context_concurrency"],
      config.contextual_embeddings === true,
      "is only for contextual_embeddings: true. Remove it, or set that.",
    ),
    ...set(
      ["embedding_model", "embedding_dimensions"],
      mode !== "keyword",
      "has no effect with search_mode: keyword, which needs no vectors. Remove it, or set another mode.",
    ),
  ];
}

const types: readonly string[] = documentsToolConfig.shape.type.options;

/** Whether an entry of `tools` is a documents tool. */
export function isDocuments<T extends { readonly type: string }>(tool: T): tool is Extract<T, DocumentsToolConfig> {
  return types.includes(tool.type);
}

const defaultModes = { documents: "keyword", vectorstore: "semantic", hierarchical_document: "hybrid" } as const;

export function searchModeOf({ type, search_mode }: Pick<DocumentsToolConfig, "type" | "search_mode">) {
  return search_mode ?? defaultModes[type];
}

export function sourcesOf({ source }: Pick<DocumentsToolConfig, "source">): readonly string[] {
  return typeof source === "string" ? [source] : source;
}
