/** The output of `bridle context joins propose --json`. */
import { z } from "zod";

const texts = z.array(z.string()).readonly();
const end = z.object({ table: z.string(), columns: texts });

const proposedJoinSchema = z.object({
  id: z.string(),
  from: end,
  to: end,
  outcome: z.enum(["accepted", "review", "known", "refuted"]),
  /** The evidence in the data, as one sentence. */
  reason: z.string(),
  /** The model's explanation, which proves nothing. */
  why: z.string(),
  model: z.string(),
});
export type ProposedJoinResult = z.output<typeof proposedJoinSchema>;

export const proposedJoinsSchema = z.object({
  proposals: z
    .array(
      z.object({
        connection: z.string(),
        joins: z.array(proposedJoinSchema).readonly(),
        calls: z.number(),
        tokens: z.number(),
        queries: z.number(),
        failed: z.array(z.object({ table: z.string(), reason: z.string() })).readonly(),
        missing: texts,
      }),
    )
    .readonly(),
  /** The changes to files, as removed and added lines. */
  changes: z.array(z.object({ file: z.string(), difference: texts })).readonly(),
  /** Whether the files were written. */
  done: z.boolean(),
});
export type ProposedJoinsResult = z.output<typeof proposedJoinsSchema>;
