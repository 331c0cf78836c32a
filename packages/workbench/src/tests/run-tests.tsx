import type { ApiAgent } from "@bridle/client";
import { counted } from "@bridle/protocol/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Problem } from "../parts/states.tsx";
import { describeRealRun } from "./describe-real-run.ts";
import { estimateCost, type ListedTestRun } from "./history-grid.ts";

/** The maximum number of trials per case that a server accepts. */
const maxTrials = 100;

/** Runs the test cases of an agent. The expected cost is shown next to the button. */
export function RunTests({ agent, runs }: { agent: ApiAgent; runs: readonly ListedTestRun[] }) {
  const { client } = useServer();
  const [, go] = useLocation();
  const id = useId();
  const [trials, setTrials] = useState(1);
  const start = useMutation({
    mutationFn: () => client.startTests({ agent: agent.id, trials }),
    onSuccess: (started) => go(paths.testRun(started.id)),
  });
  const status = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  const { backend, testCases: cases = 0 } = agent.details ?? {};
  const isRehearsed = status.data?.rehearsed;
  const auth = backend === status.data?.project.backend ? (status.data?.project.auth ?? null) : null;
  const unknown = status.isError
    ? "It is not known whether a script replaces the model."
    : "Reading whether a script replaces the model …";
  return (
    <form
      className="run-tests"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <label htmlFor={id}>Trials of each case</label>
      <input
        id={id}
        type="number"
        min={1}
        max={maxTrials}
        value={trials}
        onChange={({ target }) => setTrials(Math.min(maxTrials, Math.max(1, Math.trunc(target.valueAsNumber) || 1)))}
      />
      <button type="submit" className="primary" disabled={start.isPending || cases === 0 || isRehearsed === undefined}>
        {start.isPending ? "Starting …" : isRehearsed === false ? "Run the tests on the real model" : "Run the tests"}
      </button>
      <p className="muted run-cost">
        {counted(cases, "case")}, {counted(cases * trials, "trial")}.{" "}
        {isRehearsed === undefined
          ? unknown
          : isRehearsed
            ? "Rehearsed: a script replaces the model, so it costs nothing. Judges are rehearsed too."
            : describeRealRun({ usd: estimateCost(runs, cases, trials), auth })}
      </p>
      {status.error && status.data === undefined && (
        <Problem error={status.error} retry={() => void status.refetch()} />
      )}
      {start.error && <span role="alert">{start.error.message}</span>}
    </form>
  );
}
