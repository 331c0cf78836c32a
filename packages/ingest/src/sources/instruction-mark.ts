import { z } from "zod";

/** A part of a text that addresses the assistant of a reader. */
export const instructionMark = z.object({
  start: z.number(),
  end: z.number(),
  /** The reason, such as `overrides instructions`. */
  reason: z.string(),
});
export type InstructionMark = z.output<typeof instructionMark>;
