import { showHidden } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { TalkButton } from "../home/talk-button.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { Facts } from "../status/facts.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { agentFacts } from "./agent-facts.ts";
import { AgentTools } from "./agent-tools.tsx";
import "../status/status.css";

/** An agent: what its file says, and what came of it. */
export function AgentPage({ agent }: { agent: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({ queryKey: ["agent", agent], queryFn: () => client.agent(agent) });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agent" height="24rem" />;
  const { details } = data;
  return (
    <div className="page">
      <h1>{data.name}</h1>
      {data.description !== null && <p>{data.description}</p>}
      <TalkButton agent={agent} />
      {details === null ? (
        <p className="muted">This is the model of the project, without a file of its own.</p>
      ) : (
        <>
          {[...details.problems, ...details.warnings].map((problem) => (
            <p key={problem} className="note">
              {problem}
            </p>
          ))}
          <Facts facts={agentFacts(details)} />
          <section aria-label="Instructions">
            <h2>Instructions</h2>
            <pre className="instructions">{details.instructions.firstLines.join("\n")}</pre>
          </section>
          <AgentTools tools={details.tools} builtins={details.builtins} />
        </>
      )}
      <AgentSessions agent={agent} />
    </div>
  );
}

function AgentSessions({ agent }: { agent: string }) {
  const { client } = useServer();
  const { data } = useQuery({
    queryKey: ["sessions", "agent", agent],
    queryFn: () => client.sessions({ agent, limit: 10 }),
  });
  if (data === undefined || data.sessions.length === 0) return null;
  return (
    <section aria-label="Newest sessions">
      <h2>Newest sessions</h2>
      <ul className="plain-list">
        {data.sessions.map(({ id, firstWords, lastAt }) => (
          <li key={id}>
            <Link to={paths.session(id)}>{showHidden(firstWords ?? id)}</Link>{" "}
            <span className="muted">
              <TimeAgo at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
