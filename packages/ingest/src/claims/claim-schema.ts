/** The schema of a stored claim. */
import { z } from "zod";
import { candidateBody, origins } from "../sources/candidate.ts";
import { authorities } from "../sources/source.ts";
import { type Claim, claimStatuses } from "./claim.ts";

const claimSourceSchema = z.object({
  source: z.string(),
  item: z.string(),
  version: z.string(),
  title: z.string(),
  location: z.string().exactOptional(),
  authority: z.enum(authorities),
  updatedAt: z.string().exactOptional(),
  quote: z.string(),
  start: z.number(),
  end: z.number(),
  wording: z.string(),
  origin: z.enum(origins),
});

export const claimSchema: z.ZodType<Claim> = z.object({
  id: z.string(),
  body: candidateBody,
  status: z.enum(claimStatuses),
  sources: z.array(claimSourceSchema),
  authority: z.enum(authorities),
  conflicts: z.array(z.string()),
  conflictReason: z.string().exactOptional(),
  since: z.string().exactOptional(),
  until: z.string().exactOptional(),
  page: z.string().exactOptional(),
});
