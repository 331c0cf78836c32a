/** The sources of a project in `bridle context status --json`. */
import { z } from "zod";

export const sourceStatusSchema = z.object({
  name: z.string(),
  /** The kind of source, such as `documents`. */
  type: z.string(),
  /** The source's location, without credentials; null for a text. */
  place: z.string().nullable(),
  /** Whether `context.sources` contains the source. If not, it was ingested by its path. */
  isConfigured: z.boolean(),
  items: z.int(),
  /** When the source was last read to its end, in ISO 8601; null if never. */
  readAt: z.string().nullable(),
});

export const ingestStatusSchema = z.object({
  /** `died` if the run's process no longer exists. The next run continues its work. */
  state: z.enum(["running", "ended", "died"]),
  startedAt: z.string(),
  /** How the run ended; null if it has not ended, or ended with an error. */
  ended: z.string().nullable(),
  /** The number of current facts. */
  facts: z.int(),
  contested: z.int(),
});
