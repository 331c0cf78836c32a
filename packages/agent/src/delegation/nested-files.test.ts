/** The checks of the files of agents that are tools of other agents. */
import { expect, test } from "vitest";
import { createAgentFixture } from "../../tests/agent-fixture.ts";
import { agentFolder, playAgent } from "../../tests/play-agent.ts";
import { loadAgent, openAgent } from "../index.ts";
import { delegationFiles } from "./nested-files-for-tests.ts";

const { agentFile, api, calls } = delegationFiles;

test("an agent that calls itself is refused with the chain of files, when it is opened and when it is checked", async () => {
  const fixture = await createAgentFixture({
    "b.yaml": agentFile("b", api, calls("c")),
    "c.yaml": agentFile("c", api, "tools: [{ type: agent, name: a, file: agent.yaml }]\n"),
  });
  try {
    const definition = await fixture.load(agentFile("a", api, calls("b")));
    const chain = /calls itself: .*agent\.yaml → .*b\.yaml → .*c\.yaml → .*agent\.yaml\. Remove one/;
    await expect(openAgent(definition, { projectDir: fixture.folder })).rejects.toThrow(chain);
  } finally {
    await fixture.close();
  }
});

test("agents that are nested deeper than execution.max_depth are refused when the first is opened", async () => {
  const fixture = await createAgentFixture({
    "b.yaml": agentFile("b", api, calls("c")),
    "c.yaml": agentFile("c", api),
  });
  try {
    const definition = await fixture.load(agentFile("a", api, `${calls("b")}execution: { max_depth: 1 }\n`));
    await expect(openAgent(definition, { projectDir: fixture.folder })).rejects.toThrow("nested too deep");
  } finally {
    await fixture.close();
  }
});

test("a missing file of a nested agent is a problem of the file that names it", async () => {
  const folder = await agentFolder();
  const files = { "agent.yaml": agentFile("a", api, calls("b")), "script.yaml": "" };
  await expect(playAgent({ folder, files })).rejects.toThrow(/tools\.0\.file names .*b\.yaml, which does not exist/);
  await expect(loadAgent("agent.yaml", { cwd: folder, environment: {} })).rejects.toThrow("does not exist");
});

