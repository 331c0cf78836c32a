import { z } from "zod";

/** A part of a text that addresses a reader's assistant. */
export const instructionMark = z.object({
  start: z.number(),
  end: z.number(),
  /** The reason, such as `overrides instructions`. */
  reason: z.string(),
});
export type InstructionMark = z.output<typeof instructionMark>;
