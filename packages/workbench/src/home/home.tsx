import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { useSignal } from "../connection/signal.ts";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { AgentCard } from "./agent-card.tsx";
import { SessionsToday } from "./sessions-today.tsx";
import { WhatIsWrong, WrongForModels } from "./what-is-wrong.tsx";
import "./home.css";

/** The agents, open questions, failing checks, and today's activity. */
export function Home() {
  const { client, live } = useServer();
  const asked = useSignal(live.approvals);
  const { kind } = useSignal(live.state);
  const status = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  const { data, error, refetch } = useQuery({ queryKey: ["agents"], queryFn: () => client.agents() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  const isAsking = asked === undefined && (kind === "connecting" || kind === "open"); // questions arrive after the connection has opened
  const isMoved = status.isPending || isAsking; // until then, the content above would move the agents
  if (data === undefined || isMoved) return <Loading what="the agents" height="24rem" />;
  const questions = asked?.length ?? 0;
  const hasAgents = data.agents.some(({ file }) => file !== null);
  return (
    <div className="page">
      <h1>Agents</h1>
      {questions > 0 && (
        <p className="note">
          <Link to={paths.inbox}>{questions === 1 ? "1 question waits" : `${questions} questions wait`} for you.</Link>
        </p>
      )}
      <WhatIsWrong />
      {!hasAgents && <NoAgents />}
      <ul className="cards">
        {data.agents.map((agent) => (
          <AgentCard key={agent.id} agent={agent} />
        ))}
      </ul>
      <SessionsToday />
      <WrongForModels />
    </div>
  );
}

/** Explains how to add the first agent. Until then, the server offers only the project's model. */
function NoAgents() {
  return (
    <Empty title="This project has no agent yet." commands={["npx bridle init desk", "npx bridle web"]}>
      <p>
        Make one, and start the server again. You can already talk with the model of the project, which has no
        instructions and no tools.
      </p>
    </Empty>
  );
}
