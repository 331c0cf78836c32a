import type { ApiDocuments } from "@bridle/client";
import { counted, formatFileChanges, showHiddenInName } from "@bridle/protocol/text";
import { Mark } from "../parts/mark.tsx";

type AgentDocuments = ApiDocuments["documents"][number];

/** The number of files to list before the user expands the list. */
const listedFiles = 5;

/** One index: its location, its contents, omitted files, and whether its files have changed since it was built. */
export function IndexCard({ documents: { tool, location, mode, index } }: { documents: AgentDocuments }) {
  return (
    <li className="card">
      <h2>{showHiddenInName(tool)}</h2>
      <p>
        <code>{showHiddenInName(location)}</code>, {mode}
      </p>
      {index === null ? (
        <p>
          <Mark kind="warn" label="no index" /> There is no index yet.
        </p>
      ) : (
        <IndexState index={index} />
      )}
    </li>
  );
}

function IndexState({ index }: { index: NonNullable<AgentDocuments["index"]> }) {
  const changes = formatFileChanges(index.behind);
  return (
    <>
      <p>
        <Mark kind={changes === "" ? "ok" : "warn"} label={changes === "" ? "up to date" : "behind"} />{" "}
        {counted(index.files, "file")}, {counted(index.chunks, "passage")}
        {index.vectors && `, vectors of ${index.vectors.model}`}
      </p>
      {changes !== "" && (
        <p className="note">
          The index is behind: {changes}. The next search of an agent updates it, or the button below does it now.
        </p>
      )}
      <LeftOut what="could not be read" files={index.failed} />
      <LeftOut what="left out" files={index.skipped} />
      <LeftOut what="doubtful" files={index.warnings} />
    </>
  );
}

type LeftOutFiles = NonNullable<AgentDocuments["index"]>["failed"];

function LeftOut({ what, files }: { what: string; files: LeftOutFiles }) {
  if (files.length === 0) return null;
  return (
    <details open={files.length <= listedFiles} className="left-out">
      <summary>
        {counted(files.length, "file")} {what}
      </summary>
      <ul className="context-entries">
        {files.map(({ file, problem }) => (
          <li key={`${file} ${problem}`} className="muted" dir="auto">
            {showHiddenInName(problem)}
          </li>
        ))}
      </ul>
    </details>
  );
}
