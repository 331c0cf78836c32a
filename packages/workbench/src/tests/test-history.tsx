import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { useServer } from "../connection/server.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { HistoryTable } from "./history-table.tsx";
import { RunTests } from "./run-tests.tsx";
import "./tests.css";

/** Invocations that the grid has. */
const shownRuns = 30;

/** How the test cases of an agent went, in all its invocations. */
export function TestHistory() {
  const { client } = useServer();
  const [search, setSearch] = useSearchParams();
  const agents = useQuery({ queryKey: ["agents"], queryFn: () => client.agents(), staleTime: 60_000 });
  const agent = search.get("agent") ?? agents.data?.agents[0]?.id;
  const runs = useQuery({
    queryKey: ["tests", "history", agent],
    queryFn: () => client.testRuns({ ...(agent !== undefined && { agent }), limit: shownRuns }),
    enabled: agent !== undefined,
  });
  const error = agents.error ?? runs.error;
  if (error) return <Problem error={error} retry={() => void (agents.error ? agents : runs).refetch()} />;
  if (agents.data === undefined) return <Loading what="the agents" height="24rem" />;
  if (agent === undefined) return <Empty title="No agent, so no tests." commands={["npx bridle init"]} />;
  return (
    <div className="page tests-page">
      <h1>Tests</h1>
      <div className="tests-agent">
        <label htmlFor="tests-agent">Agent</label>
        <select
          id="tests-agent"
          value={agent}
          onChange={({ target }) => setSearch({ agent: target.value }, { replace: true })}
        >
          {agents.data.agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {runs.data === undefined ? (
        <Loading what="the test runs" height="16rem" />
      ) : (
        <>
          <RunTests key={agent} agent={agent} runs={runs.data.runs} />
          {runs.data.runs.length === 0 ? (
            <Empty title="No test of this agent has run yet.">
              <p>
                Cases stand in the file of the agent, under <code>test_cases</code>. Run them above.
              </p>
            </Empty>
          ) : (
            <HistoryTable runs={runs.data.runs} />
          )}
        </>
      )}
    </div>
  );
}
