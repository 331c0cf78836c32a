import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { TalkButton } from "./talk-button.tsx";

/** The agents, and what happened today. */
export function Home() {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({ queryKey: ["agents"], queryFn: () => client.agents() });
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agents" />;
  if (data.agents.length === 0) {
    return <Empty title="This project has no agent yet." commands={["npx bridle init", "npx bridle web"]} />;
  }
  return (
    <div className="page">
      <h1>Agents</h1>
      <ul className="cards">
        {data.agents.map(({ id, name, description }) => (
          <li key={id} className="card">
            <h2>
              <Link to={paths.agent(id)}>{name}</Link>
            </h2>
            {description !== null && <p>{description}</p>}
            <TalkButton agent={id} />
          </li>
        ))}
      </ul>
    </div>
  );
}
