import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { TalkButton } from "../home/talk-button.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { Facts } from "../status/facts.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { agentFacts } from "./agent-facts.ts";
import { AgentInstructions } from "./agent-instructions.tsx";
import { AgentProblems } from "./agent-problems.tsx";
import { AgentRules } from "./agent-rules.tsx";
import { AgentTests } from "./agent-tests.tsx";
import { AgentTools } from "./agent-tools.tsx";
import "../status/status.css";
import "./agent.css";

/** An agent: the content of its file, and the results of its runs and tests. */
export function AgentPage({ agent }: { agent: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["agent", agent],
    queryFn: () => client.agent(agent),
    retry: false, // an invalid file stays invalid
  });
  if (error && data === undefined) return <AgentProblems agent={agent} error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agent" height="24rem" />;
  const { details } = data;
  return (
    <div className="page agent-page">
      <h1>{showHiddenInDocument(data.name)}</h1>
      {data.description !== null && <p dir="auto">{showHiddenInDocument(data.description)}</p>}
      <TalkButton agent={agent} />
      {details === null ? (
        <Empty title="It is the model of the project, without a file." commands={["npx bridle init desk"]}>
          <p>The command makes an agent with instructions, a tool, documents and test cases.</p>
        </Empty>
      ) : (
        <>
          {details.problems.length > 0 && <AgentProblems agent={agent} retry={() => void refetch()} />}
          {details.warnings.map((warning) => (
            <p key={warning} className="note">
              {showHiddenInDocument(warning)}
            </p>
          ))}
          <Facts facts={agentFacts(details)} />
          <AgentTests agent={agent} cases={details.testCases} />
          <AgentInstructions instructions={details.instructions} />
          <AgentTools tools={details.tools} builtins={details.builtins} />
        </>
      )}
      <AgentRules rules={data.rules} />
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
          <li key={id} className="agent-session">
            <Link to={paths.session(id)} className="cut" dir="auto">
              {showHiddenInDocument(firstWords ?? id)}
            </Link>{" "}
            <span className="muted">
              <TimeAgo at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
