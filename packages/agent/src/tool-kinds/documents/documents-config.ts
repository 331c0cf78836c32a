// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { z } from "zod";
import { file, flag, refused, share, text, wholeFrom } from "../../config/fields.ts";

const names = z.array(text("A name of a field.")).min(1);

const database = z
  .union(
    [
      z.literal("embedded"),
      z.strictObject({
        provider: z.literal("postgres"),
        connection_string: text("Such as ${DATABASE_URL}."),
      }),
    ],
    {
      error:
        "has to be embedded, which is a file of the project and the default, or { provider: postgres, connection_string: … }; other databases are not supported",
    },
  )
  .describe("Where the index is kept: a file of the project (embedded), or PostgreSQL, with pgvector for vectors.");

/** Fields that hold for what they are already, and cannot be otherwise. */
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
      .describe("Documents to search. The names differ in the default of search_mode: keyword, semantic, hybrid."),
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, "has to be 1 to 64 letters, digits, _ or -")
      .describe("What the model and rules call the tool."),
    description: text("What is found there, for the model. Default: the names of the sources.").exactOptional(),
    source: z
      .union([file("A folder, a file or a glob."), z.array(file("A folder, a file or a glob.")).min(1)])
      .describe("Folders, files and globs such as docs/**/*.md; paths are from the folder of this file."),
    search_mode: z
      .enum(["keyword", "semantic", "hybrid"], {
        error: ({ input }) =>
          input === "exact"
            ? "is not supported as exact: a search by words (keyword) finds names and numbers as they are written"
            : "has to be keyword, semantic or hybrid",
      })
      .exactOptional()
      .describe("By words (keyword), by meaning (semantic), or both (hybrid). All but keyword need embeddings."),
    top_k: z.int().min(1).max(100).exactOptional().describe("How many parts a search gives, at most. Default: 5."),
    min_score: share("Parts below it are left out; what a score means depends on search_mode.").exactOptional(),
    min_similarity_score: share("Another name of min_score.").exactOptional(),
    max_chunk_tokens: z
      .int()
      .min(50)
      .max(4000)
      .exactOptional()
      .describe("How long a part may be, in tokens, estimated. Default: 800."),
    chunk_size: z.int().min(50).max(4000).exactOptional().describe("Another name of max_chunk_tokens."),
    chunk_overlap: z
      .int()
      .min(0)
      .max(1000)
      .exactOptional()
      .describe("So many tokens of the end of a part begin the next one too. Default: 0."),
    chunking_strategy: fixed("structure", "documents are cut at their headings, and what is longer by its length"),
    semantic_weight: share("What meaning counts in a hybrid search. Default: 0.5.").exactOptional(),
    keyword_weight: share("What words count in a hybrid search. Default: 0.5.").exactOptional(),
    exact_weight: refused("a search by words finds names and numbers as they are. Add its share to keyword_weight."),
    rrf_k: wholeFrom(1, "The constant of reciprocal rank fusion in a hybrid search. Default: 60.").exactOptional(),
    contextual_embeddings: flag(
      "A model says in a few words what each part is about, which is searched with it: one call for each part. Default: false.",
    ).exactOptional(),
    context_max_tokens: z
      .int()
      .min(20)
      .max(500)
      .exactOptional()
      .describe("How long those words may be, in tokens. Default: 100."),
    context_concurrency: z
      .int()
      .min(1)
      .max(50)
      .exactOptional()
      .describe("How many parts of a file are described at once. Default: 4."),
    context_model: refused("bind the role contextualise to a model under llm.models in bridle.yaml."),
    embedding_model: text("The model that makes the vectors. Default: that of embedding_provider.").exactOptional(),
    embedding_dimensions: z
      .int()
      .min(1)
      .max(10_000)
      .exactOptional()
      .describe("The length of its vectors, where it has a choice. Default: that of embedding_provider."),
    database: database.exactOptional(),
    max_file_mb: z
      .number()
      .positive()
      .max(500)
      .exactOptional()
      .describe("Larger files are not read, and named, in megabytes. Default: 50."),
    record_path: text("Where in JSON documents the list of records is, such as data.items.").exactOptional(),
    vector_field: z
      .union([text("A name of a field."), names])
      .exactOptional()
      .describe("The fields of records (of CSV and JSON) that are read. Default: all."),
    meta_fields: names.exactOptional().describe("More fields of records, which follow those."),
    record_prefix: z.string().min(1).exactOptional().describe("Stands before the name of each field of a record."),
    meta_prefix: z.string().min(1).exactOptional().describe("Stands before the name of each of meta_fields."),
    keyword_index: z
      .strictObject(
        { provider: z.literal("in-memory", { error: "cannot be another: the index of words is kept with the rest" }) },
        { error: "is kept with the rest of the index. Remove it." },
      )
      .exactOptional()
      .describe("The index of words is kept with the rest: nothing can be chosen."),
    enable_reranking: fixed(false, "set search_mode: hybrid and a larger top_k, from which the agent's model chooses"),
    reranker_model: refused("there is no reranking. Remove it."),
    document_domain: fixed("none", "documents are cut at the headings that they have"),
    max_subsection_depth: refused("documents are cut at every heading. Remove it."),
    extract_definitions: fixed(false, "definitions are found as any other text"),
    extract_cross_references: fixed(false, "the agent's model can search for what a text refers to"),
    defer_loading: fixed(false, "every tool is offered from the start"),
  })
  .superRefine((config, context) => {
    const complain = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    for (const [one, other] of [
      ["min_similarity_score", "min_score"],
      ["chunk_size", "max_chunk_tokens"],
    ] as const) {
      if (config[one] !== undefined && config[other] !== undefined)
        complain(one, `is another name of ${other}, which is there too. Remove one of the two.`);
    }
    if (config.semantic_weight === 0 && config.keyword_weight === 0)
      complain("semantic_weight", "and keyword_weight cannot both be 0. Give one of them a share.");
    const size = config.max_chunk_tokens ?? config.chunk_size ?? 800;
    if ((config.chunk_overlap ?? 0) >= size)
      complain("chunk_overlap", `has to be less than the length of a part, which is ${size}.`);
    const isHybrid = searchModeOf(config) === "hybrid";
    for (const field of ["semantic_weight", "keyword_weight", "rrf_k"] as const) {
      if (config[field] !== undefined && !isHybrid)
        complain(field, `is for search_mode: hybrid, and this is ${searchModeOf(config)}. Remove it, or set hybrid.`);
    }
    for (const field of ["context_max_tokens", "context_concurrency"] as const) {
      if (config[field] !== undefined && !config.contextual_embeddings)
        complain(field, "is for contextual_embeddings: true. Remove it, or set that.");
    }
    for (const field of ["embedding_model", "embedding_dimensions"] as const) {
      if (config[field] !== undefined && searchModeOf(config) === "keyword")
        complain(field, "is not for search_mode: keyword, which needs no vectors. Remove it, or set another mode.");
    }
    if (config.meta_prefix !== undefined && config.meta_fields === undefined)
      complain("meta_prefix", "is for meta_fields, which are not there. Remove it, or name them.");
  });

export type DocumentsToolConfig = z.output<typeof documentsToolConfig>;

const types: readonly string[] = documentsToolConfig.shape.type.options;

/** Whether an entry of `tools` is documents. */
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
