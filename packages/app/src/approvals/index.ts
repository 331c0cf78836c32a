/** Questions about calls that are waiting for an answer. */

export { approvalDecisions, approvalScopes } from "@bridle/protocol";
export { answerApproval } from "./answer-approval.ts";
export {
  type AnsweredApproval,
  answeredSchema,
  approvalListSchema,
  type ListedApproval,
  listedApprovalSchema,
} from "./approval-schemas.ts";
export { type DecidedApproval, decidedApprovalSchema, listDecidedApprovals } from "./decided-approvals.ts";
export { listApprovals } from "./list-approvals.ts";
export { userName } from "./user-name.ts";
