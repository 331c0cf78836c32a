/** The sources of knowledge, as printed by `bridle context why --json` and `bridle context review --json`. */
import { z } from "zod";

const names = z.array(z.string()).readonly();

/** A quote from an item, with its position in the stored text of the item's version. */
const citedQuoteSchema = z.object({
  source: z.string(),
  item: z.string(),
  title: z.string(),
  location: z.string().optional(),
  /** The hash of the version. */
  version: z.string(),
  authority: z.enum(["person", "certified", "document", "inferred"]),
  updatedAt: z.string().optional(),
  quote: z.string(),
  start: z.number(),
  end: z.number(),
});
export type CitedQuote = z.output<typeof citedQuoteSchema>;

const explainedClaimSchema = z.object({
  id: z.string(),
  text: z.string(),
  status: z.enum(["current", "contested", "superseded", "removed", "former"]),
  since: z.string().optional(),
  until: z.string().optional(),
  addedAt: z.string().optional(),
  endedAt: z.string().optional(),
  page: z.string().optional(),
  sources: z.array(citedQuoteSchema.extend({ state: z.enum(["stored", "missing", "decided"]) })).readonly(),
  conflicts: z.array(z.object({ id: z.string(), text: z.string(), status: z.string() })).readonly(),
  conflictReason: z.string().optional(),
  replaced: z.array(z.object({ id: z.string(), text: z.string(), endedAt: z.string() })).readonly(),
  decision: z.string().optional(),
});

export const explainedKeySchema = z.object({
  key: z.string(),
  /** The kind of entity that the key refers to; `null` if the key is unknown. */
  kind: z.enum(["page", "claim", "table", "column", "join", "model", "entry", "subject"]).nullable(),
  claims: z.array(explainedClaimSchema).readonly(),
  /** Similar keys, if the key is unknown. */
  nearest: names,
});
export type ExplainedKey = z.output<typeof explainedKeySchema>;

export const listedContradictionsSchema = z.object({
  contradictions: z
    .array(
      z.object({
        /** One claim of each side. The user chooses a side by naming its claim. */
        claims: z
          .array(z.object({ id: z.string(), text: z.string(), sources: z.array(citedQuoteSchema).readonly() }))
          .readonly(),
        reason: z.string().optional(),
        pages: names,
        isDecidable: z.boolean(),
      }),
    )
    .readonly(),
});
export type ListedContradictions = z.output<typeof listedContradictionsSchema>;

export const settledContradictionSchema = z.object({
  decision: z.enum(["chosen", "both"]),
  /** The statements that apply. */
  holds: names,
  /** The statements that were overruled. */
  over: names,
  by: z.string(),
  at: z.string(),
  reason: z.string().optional(),
  /** The path relative to the project. */
  file: z.string(),
  commit: z.string().optional(),
  commitProblem: z.string().optional(),
});
export type SettledContradiction = z.output<typeof settledContradictionSchema>;
