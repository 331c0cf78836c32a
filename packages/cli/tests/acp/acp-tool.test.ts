/** Bridle's own agent for editors, as a tool of another agent. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { createEditorProject } from "./acp-fixture.ts";

const program = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

const script = `
rehearsal: 1
turns:
  - steps: [{ call: coder, with: { task: Please erase it. } }, { say: "The coder says: {{ coder.result }}" }]
`;

test.each([
  ["allow", "The coder says: All done.", "✓ coder_"],
  ["deny", "The coder says: All done.", "✗ coder_"],
])("an agent calls Bridle's own agent, and its rules %s what that asks about", async (then, said, shown) => {
  const place = await createEditorProject();
  const model = await startRehearsal({ script: parseScript(script) });
  onTestFinished(() => model.close());
  const kinds = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"];
  const rules = ["{ tool: coder, then: allow }", ...kinds.map((kind) => `{ tool: coder_${kind}, then: ${then} }`)];
  const args = JSON.stringify([program, "acp", "--rehearse", "script.yaml"]);
  const provider = `{ provider: anthropic, name: m, api_key: "\${MODEL_KEY}", endpoint: "${model.url}" }`;
  const tool = `{ type: acp, name: coder, description: Codes., command: ${process.execPath}, args: ${args}, env: { BRIDLE_TRUST: all } }`;
  await writeFile(
    join(place.project, "boss.yaml"),
    `name: boss\nmodel: ${provider}\ninstructions: { inline: Boss. }\ntools: [${tool}]\npolicy: { rules: [${rules.join(", ")}] }\n`,
  );
  const run = startCommand(["run", "--agent", "boss.yaml", "Go"], place, { MODEL_KEY: "k" });
  onTestFinished(() => void run.child.kill("SIGKILL"));
  expect([await run.ended, run.stdout().trim()]).toEqual([0, said]);
  expect(run.stderr()).toContain(shown);
});
