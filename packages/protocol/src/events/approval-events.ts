/** Events of a question to the user. They come after `tool.evaluated` and before the outcome of the call. */
import { z } from "zod";
import { declaredAnnotationsSchema } from "./declared-annotations.ts";

export const approvalScopes = ["once", "session", "project", "always"] as const;
export const approvalDecisions = ["allow", "deny", "deny-and-stop"] as const;

/** The call of a nested run that a question is about. `callId` of the event is then the call that started that run. */
const nestedCall = z.strictObject({ runId: z.string(), sessionId: z.string().optional(), callId: z.string() });

export const approvalEvents = {
  "approval.requested": z.strictObject({
    /** Identifies run, call, tool, attempt and input. An answer for anything else is refused. */
    approvalId: z.string(),
    callId: z.string(),
    /** Set if a nested run asks. The question itself is in the log of that run, and this is its copy in the caller's. */
    nested: nestedCall.optional(),
    /** From 1. A further attempt asks again, because the edited input does not fit the tool. */
    attempt: z.int().positive(),
    tool: z.string(),
    input: z.unknown(),
    inputHash: z.string(),
    /** Which tool has this name: a remembered answer applies only to the same one. */
    identity: z.strictObject({ source: z.string(), definitionHash: z.string().exactOptional() }).exactOptional(),
    /** True for one of the host's own tools. */
    builtin: z.boolean(),
    /** The effects that the tool declares. */
    annotations: declaredAnnotationsSchema.optional(),
    /** The name of the rule that asks. */
    rule: z.string(),
    reason: z.string().optional(),
    /** The effect of the call, as the tool describes it: a diff, a statement. */
    preview: z.string().optional(),
    /** Why the previous answer could not be used. */
    problem: z.string().optional(),
    /** The labels of the run. */
    labels: z.record(z.string(), z.string()).optional(),
    /** The rule asks each time, so an answer that allows applies once. */
    everyTime: z.boolean(),
  }),
  "approval.decided": z.strictObject({
    approvalId: z.string(),
    callId: z.string(),
    nested: nestedCall.optional(),
    decision: z.enum(approvalDecisions),
    /** `answer`: from a user or a program. All others except `remembered` deny. */
    source: z.enum(["answer", "remembered", "timeout", "failed", "run-ended"]),
    scope: z.enum(approvalScopes),
    by: z.string().optional(),
    /** The message for the model, or the reason of a failure. */
    message: z.string().optional(),
    /** The input that the user entered instead of the model's. */
    input: z.unknown().optional(),
    inputHash: z.string().optional(),
    /** The inputs that a remembered answer applies to. */
    when: z.record(z.string(), z.string()).optional(),
    /** The rule that answered, if the source is `remembered`. */
    rule: z.string().optional(),
  }),
};
