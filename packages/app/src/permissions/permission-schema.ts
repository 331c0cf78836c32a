import { approvalEvents } from "@bridle/protocol";
import { z } from "zod";

const decided = approvalEvents["approval.decided"].shape;

/** One remembered answer, as `bridle permissions list --json` prints it. */
export const listedPermissionSchema = z.strictObject({
  tool: z.string(),
  /** Identifies the tool that has this name. */
  identity: z
    .strictObject({
      source: z.string(),
      definitionHash: z.string().exactOptional(),
      definition: z.string().exactOptional(),
    })
    .exactOptional(),
  when: decided.when,
  decision: z.enum(["allow", "deny"]),
  scope: decided.scope,
  by: z.string(),
  at: z.iso.datetime(),
  id: z.string(),
  file: z.string(),
});
export const permissionListSchema = z.array(listedPermissionSchema);
