import { showHiddenInName } from "@bridle/protocol/text";
import { FileLines } from "../parts/file-lines.tsx";
import { Empty } from "../parts/states.tsx";
import { indexCommand } from "./index-command.ts";

const documentsTool = `tools:
  - type: documents
    name: handbook
    source: docs/
    description: How the shop works.`;

/** Explains how to add documents to an agent. Without a file, the agent must be created first. */
export function NoDocuments({ file }: { file: string | null }) {
  if (file === null) {
    return (
      <Empty title="The model of the project searches no documents." commands={["npx bridle init desk"]}>
        <p>Documents belong to an agent. The command makes one, with a folder of documents.</p>
      </Empty>
    );
  }
  return (
    <Empty title="This agent searches no documents." commands={[indexCommand(file)]}>
      <p>
        List a folder under <code>tools</code> in <code>{showHiddenInName(file)}</code>. The command builds its index;
        the first search of a run does it too.
      </p>
      <FileLines text={documentsTool} label="tool" />
    </Empty>
  );
}
