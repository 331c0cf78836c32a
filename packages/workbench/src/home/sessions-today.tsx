import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useAgentName } from "../connection/use-agent-name.ts";
import { Mark } from "../parts/mark.tsx";
import { TimeAgo } from "../text/time-ago.tsx";

/** The newest sessions with activity today, in the time zone of the browser. */
export function SessionsToday() {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["sessions", "today"], queryFn: () => client.sessions({ limit: 50 }) });
  const today = new Date().toDateString();
  const sessions = (data?.sessions ?? []).filter(({ lastAt }) => new Date(lastAt).toDateString() === today);
  if (sessions.length === 0) return null;
  return (
    <section aria-label="Sessions of today">
      <h2>Today</h2>
      <ul className="plain-list">
        {sessions.map(({ id, firstWords, agent, runs, inProgress, lastAt }) => (
          <li key={id} className="session-row">
            {inProgress ? <Mark kind="busy" label="a run is in progress" /> : <Mark kind="off" label="idle" />}
            <Link to={paths.session(id)} className="cut" dir="auto">
              {showHiddenInDocument(firstWords ?? "no messages yet")}
            </Link>
            <span className="muted">
              <AgentName id={agent} /> · {runs === 1 ? "1 run" : `${runs} runs`} · <TimeAgo at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AgentName({ id }: { id: string | null }) {
  const name = useAgentName(id);
  return name === undefined ? "no agent" : showHiddenInDocument(name);
}
