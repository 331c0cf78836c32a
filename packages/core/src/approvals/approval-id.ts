import { canonicalJson } from "@bridle/protocol";
import { sha256 } from "../system/hash.ts";

/** The id of a question: equal for the same run, call, attempt and input, different for all others. */
export function createApprovalId(question: {
  runId: string;
  callId: string;
  attempt: number;
  inputHash: string;
}): string {
  const { runId, callId, attempt, inputHash } = question;
  return `approval_${sha256(canonicalJson([runId, callId, attempt, inputHash])).slice(0, 24)}`;
}
