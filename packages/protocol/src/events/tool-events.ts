/** Events of a tool call, from the model's request to its reply. */
import { z } from "zod";
import { imagePartSchema } from "../messages/prompt.ts";
import { declaredAnnotationsSchema } from "./declared-annotations.ts";

export const toolEvents = {
  /**
   * A piece of the input of a call while the model writes it: JSON in pieces, which may never be complete.
   * `tool.requested` with the same `block` has the whole input. Logged only if the run requested `tool-input`.
   */
  "input.delta": z.strictObject({ block: z.string(), tool: z.string(), text: z.string() }),
  "tool.requested": z.strictObject({
    callId: z.string(),
    tool: z.string(),
    input: z.unknown(),
    inputHash: z.string(),
    /** The block of the response, if the run requested `blocks` or `tool-input`. */
    block: z.string().optional(),
  }),
  /**
   * `rule` names the rule that decided: a rule of the policy, or `known-tool` or `input-schema` for the checks before
   * it. After `ask`, the user is asked. If the user edits the input, it is evaluated again.
   */
  "tool.evaluated": z.strictObject({
    callId: z.string(),
    decision: z.enum(["allow", "ask", "deny"]),
    rule: z.string(),
    /** The tool's effects, as the policy evaluated them. Set only for its first decision. */
    annotations: declaredAnnotationsSchema.optional(),
    /** The input that the policy evaluated, if the tool's schema changed it, for example by filling in defaults. */
    input: z.unknown().optional(),
  }),
  /** `output` is the reply to the model. */
  "tool.denied": z.strictObject({ callId: z.string(), output: z.string() }),
  "tool.started": z.strictObject({ callId: z.string() }),
  "tool.progress": z.strictObject({ callId: z.string(), message: z.string() }),
  "tool.finished": z.strictObject({
    callId: z.string(),
    ok: z.boolean(),
    durationMs: z.number(),
    /** The reply to the model. */
    output: z.string(),
    /** The images of the reply, which follow its text. */
    images: z.array(imagePartSchema).readonly().optional(),
    /** The data that the tool returned besides its text. */
    structured: z.unknown().optional(),
    /** The id of the whole result, if `output` was truncated. */
    artifact: z.string().optional(),
  }),
};
