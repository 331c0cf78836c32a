import { showHiddenInName } from "@bridle/protocol/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Loading, NotFound } from "../parts/states.tsx";
import { CaseMatrix } from "./case-matrix.tsx";
import { LiveRun } from "./live-run.tsx";
import { RunFigures } from "./run-figures.tsx";
import { useLiveRun } from "./use-live-run.ts";
import "./tests.css";

/** A test run with all its cases, including runs in progress. */
export function TestRun({ id }: { id: string }) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["tests", "run", id],
    queryFn: () => client.testRunOverview(id),
  });
  const live = useLiveRun(id, data);
  const stop = useMutation({ mutationFn: () => client.stopTests(id), onSettled: () => void refetch() });
  if (error && data === undefined) {
    return (
      <NotFound
        isPage
        error={error}
        retry={() => void refetch()}
        title="This test run never existed, or was removed."
        commands={["npx bridle test history"]}
      >
        <Link to={paths.tests}>To the history of the tests</Link>
      </NotFound>
    );
  }
  if (data === undefined) return <Loading what="the test run" height="24rem" />;
  return (
    <div className="page tests-page">
      <h1 dir="auto">Tests of {showHiddenInName(data.plan.agent.name)}</h1>
      <RunFigures run={data} />
      {live && <LiveRun {...live} />}
      {data.state === "running" && (
        <div className="actions">
          <button
            type="button"
            className="danger"
            disabled={stop.isPending || stop.isSuccess}
            onClick={() => stop.mutate()}
          >
            {stop.isPending || stop.isSuccess ? "Stopping …" : "Stop"}
          </button>
          {stop.error && <span role="alert">{stop.error.message}</span>}
        </div>
      )}
      {data.stop !== null && <p className="note">{data.stop.message}</p>}
      <CaseMatrix run={data} />
    </div>
  );
}
