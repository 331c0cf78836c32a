/** Questions about calls that wait for an answer. */
export {
  type AnsweredApproval,
  answeredSchema,
  approvalListSchema,
  type ListedApproval,
} from "./approval-schemas.ts";
export { answerApproval } from "./answer-approval.ts";
export { listApprovals } from "./list-approvals.ts";
export { userName } from "./user-name.ts";
export { approvalDecisions, approvalScopes } from "@bridle/core";
