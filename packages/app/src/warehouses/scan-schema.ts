/** The output of `bridle context scan --json`. */
import { z } from "zod";

const drift = z.array(z.object({ kind: z.string(), subject: z.string(), detail: z.string() })).readonly();

/** The result of describing tables with a model after a scan. */
const descriptionsSchema = z.object({
  described: z.number(),
  unchanged: z.number(),
  calls: z.number(),
  tokens: z.number(),
  failed: z.array(z.object({ table: z.string(), reason: z.string() })).readonly(),
});
export type WrittenDescriptions = z.output<typeof descriptionsSchema>;

export const scannedContextSchema = z.object({
  scans: z
    .array(
      z.object({
        connection: z.string(),
        tables: z.number(),
        columns: z.number(),
        measured: z.number(),
        unchanged: z.number(),
        joins: z.number(),
        review: z.number(),
        queries: z.number(),
        durationMs: z.number(),
        problems: z.array(z.object({ table: z.string(), problem: z.string() })).readonly(),
        leftOut: z.array(z.string()).readonly(),
        unmatched: z.array(z.string()).readonly(),
        missing: z.array(z.string()).readonly(),
        drift,
        /** The result of describing tables. Only with `--describe`. */
        descriptions: descriptionsSchema.optional(),
      }),
    )
    .readonly(),
  /** Connections that could not be scanned, each with the reason. */
  failed: z.array(z.object({ connection: z.string(), problem: z.string() })).readonly(),
});
export type ScannedContext = z.output<typeof scannedContextSchema>;
