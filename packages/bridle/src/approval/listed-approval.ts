import type { OpenApproval } from "@bridle/protocol";
import type { ListedApproval } from "./approval-schemas.ts";

/** A question as `bridle approvals list --json` prints it. */
export function listedApproval({ id, runId, sessionId, askedAt, alive, ...asked }: OpenApproval): ListedApproval {
  const { callId, attempt, tool, input, inputHash, builtin, rule, everyTime, reason, preview, problem } = asked;
  return {
    ...{ id, run: runId, session: sessionId ?? null, since: new Date(askedAt).toISOString(), alive },
    ...{ callId, attempt, tool, input, inputHash, builtin, rule, everyTime },
    ...{ reason: reason ?? null, preview: preview ?? null, problem: problem ?? null },
  };
}
