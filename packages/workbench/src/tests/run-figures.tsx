import type { ApiTestRunOverview } from "@bridle/client";
import { formatCost, formatCount, formatDuration, formatPercent } from "@bridle/protocol/text";
import { Copyable } from "../parts/copyable.tsx";
import { TimeAgo } from "../text/time-ago.tsx";
import { formatScore } from "./format-score.ts";

/**
 * The figures of a test run, in the format of `bridle test show`. The number of passed cases is shown when the run has ended; until then,
 * the progress shows that number.
 */
export function RunFigures({ run: { id, state, startedAt, durationMs, plan, summary } }: { run: ApiTestRunOverview }) {
  const { passed, cases, failed, errored, notRun, flaky, passRate, cost, metrics } = summary;
  const counts = [
    [failed, "failed"],
    [errored, "errored"],
    [notRun, "not run"],
    [flaky, "flaky"],
  ] as const;
  return (
    <section aria-label="Figures" className="run-figures">
      {state !== "running" && (
        <p role="status">
          <strong>
            {formatCount(passed)} of {formatCount(cases)} passed
          </strong>
          {` (${formatPercent(passRate)})`}
          {counts.map(([count, words]) => count > 0 && `, ${formatCount(count)} ${words}`)}
          {state !== "finished" && ". Not finished"}
        </p>
      )}
      <p className="muted">
        <Copyable text={id} label="id of the test run" /> <TimeAgo at={startedAt} />, {formatDuration(durationMs)},{" "}
        {[plan.backend, plan.model].join(" ")}, {plan.rehearsal === null ? "real model" : "rehearsed"}
        {cost !== null && `, ${formatCost(cost)}`}
      </p>
      {metrics.length > 0 && (
        <p className="muted">
          {metrics.map(({ name, mean, unit }) => `${name} ${formatScore(mean, unit)}`).join(" · ")}
        </p>
      )}
    </section>
  );
}
