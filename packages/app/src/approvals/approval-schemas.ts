import { approvalEvents } from "@bridle/protocol";
import { z } from "zod";

const asked = approvalEvents["approval.requested"].shape;

/** A question as it was asked, with the run that asked it. */
export const listedApprovalSchema = z.strictObject({
  id: asked.approvalId,
  run: z.string(),
  session: z.string().nullable(),
  since: z.iso.datetime(),
  /** The agent that asked. */
  agent: z.string().nullable(),
  /** The sessions of the runs that led to the asking run by calling agents. */
  callers: z.array(z.string()),
  /** Whether the run's process is still waiting. */
  alive: z.boolean(),
  callId: asked.callId,
  attempt: asked.attempt,
  tool: asked.tool,
  input: asked.input,
  inputHash: asked.inputHash,
  builtin: asked.builtin,
  annotations: asked.annotations.unwrap().nullable(),
  rule: asked.rule,
  everyTime: asked.everyTime,
  reason: asked.reason.unwrap().nullable(),
  preview: asked.preview.unwrap().nullable(),
  problem: asked.problem.unwrap().nullable(),
});
export type ListedApproval = z.infer<typeof listedApprovalSchema>;

/** The output of `bridle approvals list --json`. */
export const approvalListSchema = z.strictObject({ approvals: z.array(listedApprovalSchema) });

/** The output of `bridle approvals answer --json`. */
export const answeredSchema = z.strictObject({
  id: z.string(),
  accepted: z.boolean(),
  outcome: z.enum(["delivered", "pending", "stored", "run-ended", "settled", "input-changed"]),
  message: z.string(),
});
export type AnsweredApproval = z.infer<typeof answeredSchema>;
