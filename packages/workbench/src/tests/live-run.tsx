import { counted, showHiddenInName } from "@bridle/protocol/text";
import { Mark } from "../parts/mark.tsx";
import { Problem } from "../parts/states.tsx";
import type { LiveProgress } from "./live-progress.ts";

/** The maximum number of trials in progress to list. */
const maxNamed = 8;

interface LiveRunProps {
  readonly progress: LiveProgress;
  readonly isConnected: boolean;
  /** Why the run is no longer followed. */
  readonly error: unknown;
  /** Starts to follow the run again. */
  retry(): void;
}

/** The progress of a test run. */
export function LiveRun({ progress, isConnected, error, retry }: LiveRunProps) {
  const { ended, planned, notPassed, running, waiting } = progress;
  return (
    <section aria-label="Progress" className="live-run">
      <progress max={Math.max(planned, 1)} value={ended} aria-label="Trials that have ended" />
      <p role="status">
        <strong>
          In progress: {ended} of {counted(planned, "trial")} ended
        </strong>
        {notPassed > 0 && `, ${notPassed} of them not passed`}
      </p>
      {error !== undefined && <Problem error={error} retry={retry} />}
      {error === undefined && !isConnected && <p className="note">The connection is lost, and is opened again.</p>}
      {waiting !== undefined && <p className="note">{showHiddenInName(waiting)}</p>}
      {running.length > 0 && (
        <ul className="plain-list">
          {running.slice(0, maxNamed).map((each) => (
            <li key={`${each.case} ${each.trial}`}>
              <Mark kind="busy" label="in progress" /> {showHiddenInName(each.case)}{" "}
              <span className="muted">trial {each.trial}</span>
            </li>
          ))}
        </ul>
      )}
      {running.length > maxNamed && <p className="muted">And {counted(running.length - maxNamed, "other")}.</p>}
    </section>
  );
}
