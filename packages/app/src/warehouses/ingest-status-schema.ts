/** The sources of a project in `bridle context status --json`. */
import { z } from "zod";

export const sourceStatusSchema = z.object({
  name: z.string(),
  /** The kind, such as `documents`. */
  type: z.string(),
  /** Where it is, without credentials; null for a text. */
  place: z.string().nullable(),
  /** Whether `context.sources` contains it. If not, it was ingested by its path. */
  isConfigured: z.boolean(),
  items: z.int(),
  /** When it was last read to its end, in ISO 8601; null if it never was. */
  readAt: z.string().nullable(),
});

export const ingestStatusSchema = z.object({
  /** `died`: its process no longer exists. The next run continues. */
  state: z.enum(["running", "ended", "died"]),
  startedAt: z.string(),
  /** How it ended; null if it has not, or with an error. */
  ended: z.string().nullable(),
  /** The number of current facts. */
  facts: z.int(),
  contested: z.int(),
});
