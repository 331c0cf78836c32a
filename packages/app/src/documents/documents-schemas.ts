/** Documents and their indexes as data, as `bridle documents --json` prints them. */
import { z } from "zod";

const names = z.array(z.string()).readonly();
const ofTool = { tool: z.string(), location: z.string() };
const mode = z.enum(["keyword", "semantic", "hybrid"]);

const files = z.array(z.strictObject({ file: z.string(), problem: z.string() })).readonly();

const indexedSchema = z.strictObject({
  ...ofTool,
  added: names,
  changed: names,
  renamed: z.array(z.strictObject({ from: z.string(), to: z.string() })).readonly(),
  removed: names,
  unchanged: z.number(),
  failed: files,
  skipped: files,
  warnings: files,
  chunks: z.number(),
  embedded: z.number(),
});

/** A passage of a document, without its internal number and vector. */
export const documentChunkSchema = z.object({
  text: z.string(),
  headings: names,
  lines: z.strictObject({ from: z.number(), to: z.number() }).exactOptional(),
  page: z.number().exactOptional(),
  lastPage: z.number().exactOptional(),
  context: z.string().exactOptional(),
});
export type DocumentChunk = z.output<typeof documentChunkSchema>;

const hitSchema = z.object({ file: z.string(), ...documentChunkSchema.shape, score: z.number() });

const foundSchema = z.strictObject({ tool: z.string(), mode, hits: z.array(hitSchema).readonly() });

const statusSchema = z.strictObject({
  ...ofTool,
  mode,
  index: z
    .strictObject({
      files: z.number(),
      chunks: z.number(),
      vectors: z.strictObject({ model: z.string(), dimensions: z.number() }).exactOptional(),
      failed: files,
      skipped: files,
      warnings: files,
      behind: z
        .strictObject({ added: z.number(), changed: z.number(), removed: z.number() })
        .describe("Files that the next update would read or remove, as they look from outside."),
    })
    .nullable(),
});

export const indexedDocumentsSchema = z.strictObject({ documents: z.array(indexedSchema) });
export const foundDocumentsSchema = z.strictObject({ query: z.string(), documents: z.array(foundSchema) });
export const documentsStatusSchema = z.strictObject({ documents: z.array(statusSchema) });

export type IndexedDocuments = z.output<typeof indexedSchema>;
export type FoundDocuments = z.output<typeof foundSchema>;
export type DocumentsStatus = z.output<typeof statusSchema>;
