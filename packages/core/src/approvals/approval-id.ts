import { canonicalJson } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";

/** Creates the id of a question from its run, call, tool, attempt and input: equal for equal values only. */
export function createApprovalId(question: {
  runId: string;
  callId: string;
  /** A call of one tool may ask under the name of another tool. */
  tool: string;
  attempt: number;
  inputHash: string;
}): string {
  const { runId, callId, tool, attempt, inputHash } = question;
  return `approval_${sha256(canonicalJson([runId, callId, tool, attempt, inputHash])).slice(0, 24)}`;
}
