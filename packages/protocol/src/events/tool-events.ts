/** What becomes of a call of a tool, from what the model asked for to what it was told. */
import { z } from "zod";

export const toolEvents = {
  "tool.requested": z.strictObject({
    callId: z.string(),
    tool: z.string(),
    input: z.unknown(),
    inputHash: z.string(),
  }),
  /**
   * `rule` says what decided: a policy's rule, or `known-tool` and `input-schema` for the checks before it. After `ask`
   * a person is asked; what they put in the input's place is evaluated once more.
   */
  "tool.evaluated": z.strictObject({
    callId: z.string(),
    decision: z.enum(["allow", "ask", "deny"]),
    rule: z.string(),
  }),
  /** `output` is what the model was told. */
  "tool.denied": z.strictObject({ callId: z.string(), output: z.string() }),
  "tool.started": z.strictObject({ callId: z.string() }),
  "tool.progress": z.strictObject({ callId: z.string(), message: z.string() }),
  "tool.finished": z.strictObject({
    callId: z.string(),
    ok: z.boolean(),
    durationMs: z.number(),
    /** What the model was told. */
    output: z.string(),
    /** What the tool returned beside its text. */
    structured: z.unknown().optional(),
    /** The whole result, where `output` was cut. */
    artifact: z.string().optional(),
  }),
};
