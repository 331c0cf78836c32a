import { formatDuration, showHiddenInDocument } from "@bridle/protocol/text";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import type { TestedCase, TestedTrial } from "./case-filter.ts";
import { formatScore } from "./format-score.ts";
import { OutcomeMark } from "./outcome-mark.tsx";
import { TrialTranscript } from "./trial-transcript.tsx";

/** The trials of a case: what failed, the scores, and the transcript. */
export function CaseTrials({ tested: { trials } }: { tested: TestedCase }) {
  if (trials.length === 0) return <p className="muted">No trial of this case has ended.</p>;
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
        // biome-ignore lint/suspicious/noArrayIndexKey: a metric may be there once for each turn
        <li key={at}>
          <OutcomeMark outcome={outcome} /> {name} {formatScore(score, unit)}{" "}
          <span className="muted">{showHiddenInDocument(reason ?? "")}</span>
        </li>
      ))}
    </ul>
  );
}
