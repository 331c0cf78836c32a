/** What people wanted remembered, as `bridle memory … --json` prints it. */
import { z } from "zod";

const scope = z.enum(["project", "user"]);

const statements = z
  .array(
    z.object({
      subject: z.string(),
      statement: z.string(),
      /** The page that it belongs on. */
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
  /** Nobody has confirmed it: a model wanted it kept. */
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
  /** Why something was not stored. */
  refused: z.array(z.string()).readonly(),
});
export type RememberedText = z.output<typeof rememberedTextSchema>;

export const forgottenFactsSchema = z.object({
  ids: z.array(z.string()).readonly(),
  /** Pages that were written again without them. */
  files: z.array(z.string()).readonly(),
  /** Files that may still have them, because they could not be written. */
  failed: z.array(z.object({ file: z.string(), reason: z.string() })).readonly(),
  /** What still has them, for people. */
  left: z.array(z.string()).readonly(),
});
export type ForgottenFacts = z.output<typeof forgottenFactsSchema>;
