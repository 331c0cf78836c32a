/** Finds the resource of a path, or throws a problem that suggests the nearest id. */
import type { ServedAgent, Workspace } from "@bridle/app/serving";
import { type EventLog, type RunEvent, type SessionSummary, suggestion } from "@bridle/protocol";
import { RequestProblem } from "../http/problem.ts";

/** The maximum number of newest ids to compare with an unknown one. */
const maxCompared = 500;

export function findAgent({ agents }: Pick<Workspace, "agents">, id: string): ServedAgent {
  const found = agents.list().find((agent) => agent.id === id);
  if (found) return found;
  const ids = agents.list().map((agent) => agent.id);
  const detail = `This server has no agent "${id}".${suggestion(id, ids)} It has ${ids.join(", ")}.`;
  throw new RequestProblem(404, "no-such-agent", detail);
}

/** Finds the agent of a session, if this server serves the agent. `labels` are the labels of the newest run. */
export function agentOf(
  { agents, sessions }: Pick<Workspace, "agents" | "sessions">,
  session: string,
  labels: SessionSummary["labels"],
): string | null {
  return servedAgent(agents, sessions.find(session)?.agent, labels);
}

/** Finds the agents of these sessions, by session id. */
export function agentsOf(
  { agents, sessions }: Pick<Workspace, "agents" | "sessions">,
  listed: readonly SessionSummary[],
): ReadonlyMap<string, string | null> {
  const noted = sessions.agentsOf(listed.map(({ sessionId }) => sessionId));
  return new Map(listed.map(({ sessionId, labels }) => [sessionId, servedAgent(agents, noted.get(sessionId), labels)]));
}

function servedAgent(
  agents: Workspace["agents"],
  noted: string | undefined,
  labels: SessionSummary["labels"],
): string | null {
  return (
    agents.list().find(({ id, name }) => (noted === undefined ? name === labels?.agent : id === noted))?.id ?? null
  );
}

export async function requireKnownSession(
  { eventLog, sessions }: Pick<Workspace, "eventLog" | "sessions">,
  id: string,
): Promise<void> {
  if ((await hasEvents({ eventLog }, id)) || sessions.find(id) !== undefined) return;
  const known = (await eventLog.sessions({ last: maxCompared })).map(({ sessionId }) => sessionId);
  throw new RequestProblem(404, "no-such-session", `There is no session "${id}".${suggestion(id, known)}`);
}

export async function hasEvents({ eventLog }: Pick<Workspace, "eventLog">, id: string): Promise<boolean> {
  return (await eventLog.read({ sessionId: id, limit: 1 })).length > 0;
}

/** Finds the first and the newest event of a run. */
export async function findRun(
  { eventLog }: Pick<Workspace, "eventLog">,
  id: string,
): Promise<{ readonly first: RunEvent; readonly newest: RunEvent }> {
  const [[first], [newest]] = await Promise.all([
    eventLog.read({ runId: id, limit: 1 }),
    eventLog.read({ runId: id, last: 1 }),
  ]);
  if (first !== undefined && newest !== undefined) {
    if (newest.type === "run.finished") return { first, newest };
    await endDeadRuns(eventLog);
    const [last = newest] = await eventLog.read({ runId: id, last: 1 });
    return { first, newest: last };
  }
  const known = (await eventLog.runs({ last: maxCompared })).map(({ runId }) => runId);
  throw new RequestProblem(404, "no-such-run", `There is no run "${id}".${suggestion(id, known)}`);
}

/** Ends runs whose process died. Listing runs does this; reading a run does not. */
export async function endDeadRuns(eventLog: Pick<EventLog, "runs">): Promise<void> {
  await eventLog.runs({ last: 1 });
}
