/** The stored proposals of a unit about an item. */
import { z } from "zod";
import { candidateBody } from "../../sources/candidate.ts";
import { gateNames } from "../gates/gate-names.ts";

const storedProposal = z.object({
  body: candidateBody,
  quote: z.string(),
  /** The start of the passage. */
  start: z.number(),
  /** The numbers in the proposal that the unit measured. */
  measured: z.array(z.string()),
  /** A gate's refusal. The proposal is checked again in every run, because the warehouse may have changed. */
  refusal: z.object({ gate: z.enum(gateNames), reason: z.string() }).optional(),
  /** Whether another proposal of the unit replaced this one, so that it is not checked again. */
  isReplaced: z.boolean(),
});
export type StoredProposal = z.output<typeof storedProposal>;

export const unitAnswer = z.object({ proposals: z.array(storedProposal) });
