/** Events of a question to the user. They come after `tool.evaluated` and before the outcome of the call. */
import { z } from "zod";
import { declaredAnnotationsSchema } from "./declared-annotations.ts";

export const approvalScopes = ["once", "session", "project", "always"] as const;
export const approvalDecisions = ["allow", "deny", "deny-and-stop"] as const;

/** The call of a nested run that a question is about. The event's own `callId` is then that of the call that started the nested run. */
const nestedCall = z.strictObject({ runId: z.string(), sessionId: z.string().optional(), callId: z.string() });

export const approvalEvents = {
  "approval.requested": z.strictObject({
    /** Identifies run, call, tool, attempt and input. An answer for anything else is refused. */
    approvalId: z.string(),
    callId: z.string(),
    /** Set if a nested run asks. The question itself is in that run's log; this event is its copy in the caller's log. */
    nested: nestedCall.optional(),
    /** The number of the attempt, from 1. A further attempt asks again, because the edited input is not valid for the tool. */
    attempt: z.int().positive(),
    tool: z.string(),
    input: z.unknown(),
    inputHash: z.string(),
    /** Identifies the tool with this name, because a remembered answer applies only to that tool. */
    identity: z.strictObject({ source: z.string(), definitionHash: z.string().exactOptional() }).exactOptional(),
    /** True for one of the host's own tools. */
    builtin: z.boolean(),
    /** The effects that the tool declares. */
    annotations: declaredAnnotationsSchema.optional(),
    /** The name of the rule that asks. */
    rule: z.string(),
    reason: z.string().optional(),
    /** The effect of the call as the tool describes it, for example a diff or a statement. */
    preview: z.string().optional(),
    /** Why the previous answer could not be used. */
    problem: z.string().optional(),
    /** The labels of the run. */
    labels: z.record(z.string(), z.string()).optional(),
    /** Whether the rule asks each time, so that a permission applies only once. */
    everyTime: z.boolean(),
  }),
  "approval.decided": z.strictObject({
    approvalId: z.string(),
    callId: z.string(),
    nested: nestedCall.optional(),
    decision: z.enum(approvalDecisions),
    /** The origin of the decision. `answer` is from a user or a program. All others except `remembered` deny. */
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
