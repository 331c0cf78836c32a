/** What `bridle approvals` prints as JSON. */
import { z } from "zod";

const listedApprovalSchema = z.strictObject({
  id: z.string(),
  run: z.string(),
  session: z.string().nullable(),
  since: z.iso.datetime(),
  alive: z.boolean(),
  callId: z.string(),
  attempt: z.int().positive(),
  tool: z.string(),
  input: z.unknown(),
  inputHash: z.string(),
  builtin: z.boolean(),
  rule: z.string(),
  everyTime: z.boolean(),
  reason: z.string().nullable(),
  preview: z.string().nullable(),
  problem: z.string().nullable(),
});
export type ListedApproval = z.infer<typeof listedApprovalSchema>;

export const approvalListSchema = z.strictObject({ approvals: z.array(listedApprovalSchema) });

export const answeredSchema = z.strictObject({
  id: z.string(),
  accepted: z.boolean(),
  outcome: z.enum(["taken", "kept", "ended", "settled"]),
  message: z.string(),
});
