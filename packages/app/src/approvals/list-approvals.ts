import type { OpenApproval } from "@bridle/protocol";
import type { ProjectEventLog } from "../events/event-log.ts";
import type { ListedApproval } from "./approval-schemas.ts";

/** Lists the questions about calls that are waiting for an answer, the oldest first. */
export async function listApprovals({
  approvals,
}: {
  readonly approvals: Pick<ProjectEventLog["approvals"], "open">;
}): Promise<ListedApproval[]> {
  return (await approvals.open()).map(describeApproval);
}

function describeApproval({
  id,
  runId,
  sessionId,
  askedAt,
  alive,
  callers = [],
  ...asked
}: OpenApproval): ListedApproval {
  const { callId, attempt, tool, input, inputHash, builtin, annotations, rule, everyTime, reason, preview, problem } =
    asked;
  return {
    id,
    run: runId,
    session: sessionId ?? null,
    since: new Date(askedAt).toISOString(),
    alive,
    agent: asked.labels?.agent ?? null,
    callers: [...callers],
    callId,
    attempt,
    tool,
    input,
    inputHash,
    builtin,
    annotations: annotations ?? null,
    rule,
    everyTime,
    reason: reason ?? null,
    preview: preview ?? null,
    problem: problem ?? null,
  };
}
