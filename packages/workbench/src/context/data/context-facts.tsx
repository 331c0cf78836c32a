import type { ApiDataContext } from "@bridle/client";
import { counted, showHidden } from "@bridle/protocol/text";
import { Mark } from "../../parts/mark.tsx";
import { TimeAgo } from "../../text/time-ago.tsx";
import { Name } from "./name.tsx";

type Connection = ApiDataContext["connections"][number];

interface ContextFactsProps {
  readonly overview: ApiDataContext;
  /** Whether the view below already explains why ingest's data cannot be read. */
  readonly isProblemBelow: boolean;
}

/** The connections with the age of their scans, and the problems in files. */
export function ContextFacts({ overview, isProblemBelow }: ContextFactsProps) {
  const { connections, problems, ingestProblem } = overview;
  return (
    <div className="context-facts">
      {connections.map((connection) => (
        <ConnectionLine key={connection.name} connection={connection} />
      ))}
      {ingestProblem !== null && !isProblemBelow && <p className="note">{showHidden(ingestProblem)}</p>}
      {problems.length > 0 && (
        <details>
          <summary>
            <Mark kind="warn" label="to correct" /> {counted(problems.length, "problem")} in the files of context/
          </summary>
          <ul className="context-entries">
            {problems.map((problem) => (
              <li key={problem} dir="auto">
                {showHidden(problem)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function ConnectionLine({ connection: { name, type, place, scan } }: { connection: Connection }) {
  const facts = [type ?? "no longer in bridle.yaml", ...(place === null ? [] : [showHidden(place, "")])];
  return (
    <p>
      <strong>
        <Name text={name} />
      </strong>{" "}
      <span className="muted">
        {facts.join(", ")}
        {scan === null && ", not scanned yet"}
        {scan?.scannedAt !== undefined && (
          <>
            , scanned <TimeAgo at={scan.scannedAt} />
          </>
        )}
        {scan?.unfinished && ", a scan is unfinished"}
        {scan !== null && scan.problems.length > 0 && `, ${counted(scan.problems.length, "table")} could not be read`}
        {scan !== null && scan.changes > 0 && `, ${counted(scan.changes, "change")} since the scan before`}
      </span>
    </p>
  );
}
