import type { ApiTestCase } from "@bridle/client";
import { formatDuration, showHiddenInDocument } from "@bridle/protocol/text";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import type { TestedCase } from "./case-filter.ts";
import { formatScore } from "./format-score.ts";
import { OutcomeMark } from "./outcome-mark.tsx";
import { TrialTranscript } from "./trial-transcript.tsx";

type TestedTrial = ApiTestCase["trials"][number];

interface CaseTrialsProps {
  /** The id of the test run. */
  readonly run: string;
  readonly tested: TestedCase;
}

/** The trials of a case: failures, scores and transcripts. They are loaded when the case is opened, because they are large. */
export function CaseTrials({ run, tested: { name, trials: ended } }: CaseTrialsProps) {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({
    queryKey: ["tests", "case", run, name, ended.length],
    queryFn: () => client.testCase(run, name),
    enabled: ended.length > 0,
    placeholderData: keepPreviousData,
  });
  if (ended.length === 0) return <p className="muted">No trial of this case has ended.</p>;
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the trials" />;
  const { trials } = data;
  return (
    <ol className="trials">
      {trials.map((trial) => (
        <li key={trial.trial}>
          <h3>
            <OutcomeMark outcome={trial.outcome} /> Trial {trial.trial}{" "}
            <span className="muted">{formatDuration(trial.durationMs)}</span>
          </h3>
          <Failures failures={trial.failures} />
          <Scores trial={trial} />
          <TrialTranscript trial={trial} />
          {trial.sessionId !== null && <Link to={paths.session(trial.sessionId)}>Open its session</Link>}
        </li>
      ))}
    </ol>
  );
}

function Failures({ failures }: { failures: TestedTrial["failures"] }) {
  return failures.map(({ kind, message, expected, received }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: failures never move
    <div key={at} className="failure">
      <p>{showHiddenInDocument(message)}</p>
      <p className="muted">{kind}</p>
      {expected !== null && <pre>Expected: {showHiddenInDocument(expected)}</pre>}
      {received !== null && <pre>Received: {showHiddenInDocument(received)}</pre>}
    </div>
  ));
}

function Scores({ trial }: { trial: TestedTrial }) {
  const metrics = trial.turns.flatMap((turn) => turn.metrics);
  if (metrics.length === 0) return null;
  return (
    <ul>
      {metrics.map(({ name, outcome, score, unit, reason }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a metric can occur once for each turn
        <li key={at}>
          <OutcomeMark outcome={outcome} /> {name} {formatScore(score, unit)}{" "}
          <span className="muted">{showHiddenInDocument(reason ?? "")}</span>
        </li>
      ))}
    </ul>
  );
}
