/** The schema of a stored item. */
import { z } from "zod";
import { authorities, type StagedItem } from "./source.ts";

export const stagedItemSchema = z.object({
  source: z.string(),
  id: z.string(),
  title: z.string(),
  kind: z.string(),
  authority: z.enum(authorities),
  updatedAt: z.string().optional(),
  location: z.string().optional(),
  links: z.array(z.string()).optional(),
  skill: z.string().optional(),
  isStructured: z.boolean().optional(),
  version: z.string(),
  chars: z.number(),
}) satisfies z.ZodType<StagedItem>;
