/** Remembered facts, as printed by `bridle memory … --json`. */
import { z } from "zod";

const scope = z.enum(["project", "user"]);

const statements = z
  .array(
    z.object({
      subject: z.string(),
      statement: z.string(),
      /** The page that the fact belongs to. */
      topic: z.string(),
      since: z.string().optional(),
    }),
  )
  .readonly();

const listedFactSchema = z.object({
  id: z.string(),
  scope,
  text: z.string(),
  by: z.string().optional(),
  at: z.string(),
  session: z.string().optional(),
  /** True if nobody has confirmed the fact, because it was captured automatically. */
  captured: z.boolean().optional(),
  statements,
});
export type ListedFact = z.output<typeof listedFactSchema>;

export const listedMemorySchema = z.object({ facts: z.array(listedFactSchema).readonly() });
export type ListedMemory = z.output<typeof listedMemorySchema>;

export const rememberedTextSchema = z.object({
  outcome: z.enum(["remembered", "known", "refused"]),
  scope,
  /** The id of the stored fact, or the ids of existing facts with the same meaning. */
  ids: z.array(z.string()).readonly(),
  file: z.string().optional(),
  /** The stored statements. */
  statements,
  /** Why statements were not stored. */
  refused: z.array(z.string()).readonly(),
});
export type RememberedText = z.output<typeof rememberedTextSchema>;

export const forgottenFactsSchema = z.object({
  ids: z.array(z.string()).readonly(),
  /** Pages that were rewritten without the forgotten facts. */
  files: z.array(z.string()).readonly(),
  /** Files that may still contain these facts, because they could not be written. */
  failed: z.array(z.object({ file: z.string(), reason: z.string() })).readonly(),
  /** Descriptions of places that still contain these facts. */
  left: z.array(z.string()).readonly(),
});
export type ForgottenFacts = z.output<typeof forgottenFactsSchema>;
