import type { ApiAgent, ApiAgents } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useAgentProblems } from "../connection/use-agent-problems.ts";
import { Mark } from "../parts/mark.tsx";
import { describePayer } from "../status/status-facts.ts";
import { countPromises } from "./count-promises.ts";
import { LastTests } from "./last-tests.tsx";
import { TalkButton } from "./talk-button.tsx";

/**
 * An agent in a few lines: its purpose, its backend and model, the permissions of its tools, and the result of its last tests.
 */
export function AgentCard({ agent: { id, name, description, file } }: { agent: ApiAgents["agents"][number] }) {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["agent", id], queryFn: () => client.agent(id), staleTime: 60_000 });
  const isWrong = useAgentProblems().has(id) && data === undefined;
  return (
    <li className="card">
      <h2>
        <Link to={paths.agent(id)}>{showHiddenInDocument(name)}</Link>
      </h2>
      {description !== null && <p dir="auto">{showHiddenInDocument(description)}</p>}
      {isWrong ? (
        <p>
          <Mark kind="bad" /> Its file is not valid. <Link to={paths.agent(id)}>See what is wrong</Link>
        </p>
      ) : (
        <>
          {file !== null && ( // the project's model has no details and no tests
            <>
              <CardFacts details={data?.details ?? null} />
              <LastTests agent={id} cases={data && (data.details?.testCases ?? 0)} />
            </>
          )}
          <TalkButton agent={id} />
        </>
      )}
    </li>
  );
}

type Details = ApiAgent["details"];

/** The details, which keep their height while they are loaded. */
function CardFacts({ details }: { details: Details }) {
  const { client } = useServer();
  const status = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  const auth = details !== null && details.backend === status.data?.project.backend ? status.data.project.auth : null;
  return (
    <p className="muted card-facts">
      {details === null ? " " : [details.backend, details.model].filter(Boolean).join(", ")}
      {auth !== null && `, paid by ${describePayer(auth)}`}
      <br />
      {details ? countPromises(details.tools) : " "}
    </p>
  );
}
