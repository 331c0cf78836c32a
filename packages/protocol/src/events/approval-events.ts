/** What goes on record of a question to a person. Between `tool.evaluated` and what becomes of the call. */
import { z } from "zod";

export const approvalScopes = ["once", "session", "project", "always"] as const;
export const approvalDecisions = ["allow", "deny", "deny-and-stop"] as const;

export const approvalEvents = {
  "approval.requested": z.strictObject({
    /** Bound to run, call, attempt and input: an answer for anything else is refused. */
    approvalId: z.string(),
    callId: z.string(),
    /** From 1; a further one asks again, because what the person made of the input does not fit the tool. */
    attempt: z.int().positive(),
    tool: z.string(),
    input: z.unknown(),
    inputHash: z.string(),
    /** A host's own tool. */
    builtin: z.boolean(),
    /** The rule that asks. */
    rule: z.string(),
    reason: z.string().optional(),
    /** What the call would do, in the tool's own words: a diff, a statement. */
    preview: z.string().optional(),
    /** Why the answer before this one could not be used. */
    problem: z.string().optional(),
    /** The rule asks each time: an answer that allows holds once. */
    everyTime: z.boolean(),
  }),
  "approval.decided": z.strictObject({
    approvalId: z.string(),
    callId: z.string(),
    decision: z.enum(approvalDecisions),
    /** `answer` is a person's or a program's; all others but `remembered` deny. */
    source: z.enum(["answer", "remembered", "timeout", "failed", "run-ended"]),
    scope: z.enum(approvalScopes),
    by: z.string().optional(),
    /** What the model is told, or what went wrong. */
    message: z.string().optional(),
    /** The input that the person put in place of the model's. */
    input: z.unknown().optional(),
    inputHash: z.string().optional(),
    /** For which inputs a remembered answer holds. */
    when: z.record(z.string(), z.string()).optional(),
    /** The rule that answered, for `remembered`. */
    rule: z.string().optional(),
  }),
};
