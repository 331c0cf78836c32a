import type { ApiAgents } from "@bridle/client";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { describePayer } from "../status/status-facts.ts";
import { countPromises } from "./count-promises.ts";
import { LastTests } from "./last-tests.tsx";
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
      <LastTests agent={id} cases={details?.testCases} />
      <TalkButton agent={id} />
    </li>
  );
}
