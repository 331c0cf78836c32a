import { Link } from "wouter";
import { paths } from "../addresses/paths.ts";
import { FileLines } from "../parts/file-lines.tsx";
import { Empty } from "../parts/states.tsx";

const askAlways = `policy:
  mode: ask`;

/** Explains which questions appear here, and how to show them in a terminal. */
export function NoQuestions() {
  return (
    <Empty title="Nothing waits for you." commands={["npx bridle approvals list"]}>
      <p>
        Agents ask here before a call if the <Link to={paths.rules}>rules</Link> require it. These lines of{" "}
        <code>bridle.yaml</code> have them ask before every call. The command lists the questions in a terminal.
      </p>
      <FileLines text={askAlways} label="rules" />
    </Empty>
  );
}
