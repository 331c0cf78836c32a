import { shellWord, showHiddenInName } from "@bridle/protocol/text";
import { FileLines } from "../parts/file-lines.tsx";
import { Empty } from "../parts/states.tsx";

const firstCase = `test_cases:
  - name: greets
    input: Hello!
    evaluations:
      - type: standard
        metric: contains
        value: [hello]`;

/** Explains how to write the first test case of an agent. Without a file, the agent must be created first. */
export function FirstCase({ file }: { file: string | null }) {
  if (file === null) {
    return (
      <Empty title="The model of the project has no tests." commands={["npx bridle init desk"]}>
        <p>Cases belong to an agent. The command makes one, with five cases to begin with.</p>
      </Empty>
    );
  }
  const command = file === "agent.yaml" ? "npx bridle test" : `npx bridle test ${shellWord(file)}`;
  return (
    <Empty title="This agent has no test case." commands={[command]}>
      <p>
        Copy the first one to the end of <code>{showHiddenInName(file)}</code>. Then run it here, or with the command.
      </p>
      <FileLines text={firstCase} label="test case" />
    </Empty>
  );
}
