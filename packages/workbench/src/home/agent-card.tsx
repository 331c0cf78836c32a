import type { ApiAgents } from "@bridle/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Mark } from "../parts/mark.tsx";
import { describePayer } from "../status/status-facts.ts";
import { TimeAgo } from "../text/time-ago.tsx";
import { countPromises } from "./count-promises.ts";
import { TalkButton } from "./talk-button.tsx";

/** An agent in a few lines: what it is for, what it runs on, what its tools may do, and how its last tests went. */
export function AgentCard({ agent: { id, name, description } }: { agent: ApiAgents["agents"][number] }) {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["agent", id], queryFn: () => client.agent(id), staleTime: 60_000 });
  const status = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  const details = data?.details;
  const auth = details && details.backend === status.data?.project.backend ? status.data.project.auth : null;
  return (
    <li className="card">
      <h2>
        <Link to={paths.agent(id)}>{name}</Link>
      </h2>
      {description !== null && <p>{description}</p>}
      <p className="muted card-facts">
        {details === undefined || details === null ? " " : [details.backend, details.model].filter(Boolean).join(", ")}
        {auth !== null && `, paid by ${describePayer(auth)}`}
        <br />
        {details ? countPromises(details.tools) : " "}
      </p>
      <LastTests agent={id} cases={details?.testCases ?? 0} />
      <TalkButton agent={id} />
    </li>
  );
}

function LastTests({ agent, cases }: { agent: string; cases: number }) {
  const { client } = useServer();
  const { data } = useQuery({
    queryKey: ["tests", "last", agent],
    queryFn: () => client.testRuns({ agent, limit: 1 }),
    staleTime: 30_000,
  });
  const [last] = data?.runs ?? [];
  if (last === undefined) {
    return (
      <p className="muted">{cases === 0 ? "It has no test cases." : `Its ${cases} test cases have not run yet.`}</p>
    );
  }
  const isGood = last.failed + last.errored === 0 && last.passed > 0;
  return (
    <p>
      <Mark kind={isGood ? "ok" : "bad"} label={isGood ? "passed" : "not passed"} />{" "}
      <Link to={paths.testRun(last.id)}>
        {last.passed} of {last.passed + last.failed + last.errored + last.notRun} tests passed
      </Link>{" "}
      <span className="muted">
        <TimeAgo at={last.startedAt} />
      </span>
    </p>
  );
}
