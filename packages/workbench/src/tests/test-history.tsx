import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { AgentChoice } from "../parts/agent-choice.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { useSearchPlace } from "../parts/use-search-place.ts";
import { FirstCase } from "./first-case.tsx";
import type { ListedTestRun } from "./history-grid.ts";
import { HistoryTable } from "./history-table.tsx";
import { RunTests } from "./run-tests.tsx";
import "./tests.css";

/** The maximum number of test runs in the grid. */
const shownRuns = 30;

/** The results of an agent's test cases in all test runs. */
export function TestHistory() {
  const { client } = useServer();
  const place = useSearchPlace();
  const agents = useQuery({ queryKey: ["agents"], queryFn: () => client.agents(), staleTime: 60_000 });
  const { data, error } = agents;
  if (error && data === undefined) return <Problem error={error} retry={() => void agents.refetch()} />;
  if (data === undefined) return <Loading what="the agents" height="24rem" />;
  const agent = place.get("agent") ?? data.agents[0]?.id;
  if (agent === undefined) return <Empty title="No agent, so no tests." commands={["npx bridle init desk"]} />;
  return (
    <div className="page tests-page">
      <h1>Tests</h1>
      <AgentChoice agents={data.agents} chosen={agent} onChoose={(id) => place.set({ agent: id })} />
      <AgentHistory key={agent} agent={agent} />
    </div>
  );
}

function AgentHistory({ agent }: { agent: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["tests", "history", agent],
    queryFn: () => client.testRuns({ agent, limit: shownRuns }),
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the test runs" height="16rem" />;
  return (
    <>
      <NextRun agent={agent} runs={data.runs} />
      {data.runs.length > 0 && <HistoryTable runs={data.runs} />}
    </>
  );
}

function NextRun({ agent, runs }: { agent: string; runs: readonly ListedTestRun[] }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["agent", agent],
    queryFn: () => client.agent(agent),
    staleTime: 60_000,
    retry: false, // an invalid file stays invalid
  });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the test cases" height="5rem" />;
  if ((data.details?.testCases ?? 0) === 0) return <FirstCase file={data.file} />;
  return (
    <>
      <RunTests agent={data} runs={runs} />
      {runs.length === 0 && <p className="muted">None has run yet.</p>}
    </>
  );
}
