/** Tests the checks of agent files that are tools of other agents. */
import { basename } from "node:path";
import { expect, test } from "vitest";
import { createAgentFixture } from "../../tests/agent-fixture.ts";
import { agentFolder, playAgent } from "../../tests/play-agent.ts";
import { findAgentProblems, findAgentProject, loadAgent, openAgent } from "../index.ts";
import { delegationFiles } from "./nested-files-for-tests.ts";

const { agentFile, api, calls, functions, toolModule } = delegationFiles;

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

test("agents that are nested too deep are refused when the first is opened, with the file whose limit counts", async () => {
  const fixture = await createAgentFixture({
    "c.yaml": agentFile("c", api, calls("d")),
    "d.yaml": agentFile("d", api),
  });
  const opening = async (limit: string, limitOfB: string) => {
    await fixture.write({ "b.yaml": agentFile("b", api, `${calls("c")}${limitOfB}`) });
    const definition = await fixture.load(agentFile("a", api, `${calls("b")}${limit}`));
    return openAgent(definition, { projectDir: fixture.folder });
  };
  try {
    const levels = (limit: number) => `execution: { max_depth: ${limit} }\n`;
    await expect(opening(levels(1), "")).rejects.toThrow(
      /nested too deep: .* raise execution\.max_depth in .*agent\.yaml\./,
    );
    await expect(opening(levels(3), levels(1))).rejects.toThrow(
      /nested too deep: .* raise execution\.max_depth in .*b\.yaml\./,
    );
  } finally {
    await fixture.close();
  }
});

test("the files of nested agents are checked as the first one is, at every level", async () => {
  const fixture = await createAgentFixture({
    "tools.mjs": toolModule,
    "b.yaml": agentFile("b", api, `${calls("c")}skills: [skills/none]\n`),
    "c.yaml": agentFile("c", api, `${functions("look")}policy: { rules: [{ tool: lok, then: deny }] }\n`),
    "skills/none/SKILL.md": "No head.\n",
  });
  try {
    const definition = await fixture.load(agentFile("a", api, calls("b")));
    const project = await findAgentProject(definition, { projectDir: fixture.folder });
    const found = await findAgentProblems(definition, project);
    expect(found.map(({ position: { file } }) => basename(file)).toSorted()).toEqual(["b.yaml", "c.yaml"]);
    expect(found.find(({ message }) => message.includes("lok"))).toMatchObject({ field: "policy.rules.0.tool" });
    await expect(openAgent(definition, { projectDir: fixture.folder })).rejects.toThrow("lok");
  } finally {
    await fixture.close();
  }
});

test("a nested agent opens, although rules of the project are about a tool that only its caller has", async () => {
  const fixture = await createAgentFixture({
    "tools.mjs": toolModule,
    "bridle.yaml": "policy: { rules: [{ tool: look, then: deny }] }\n",
    "b.yaml": agentFile("b", api, "skills: [skills/s]\n"),
    "skills/s/SKILL.md": "---\nname: s\ndescription: Helps.\n---\nHelp.\n",
  });
  try {
    const tools = `${calls("b")}${functions("look").replace("tools:\n", "")}`;
    const agent = await openAgent(await fixture.load(agentFile("a", api, tools)), { projectDir: fixture.folder });
    expect(agent.tools.map(({ name }) => name)).toEqual(["b", "look"]);
    await agent.close();
  } finally {
    await fixture.close();
  }
});

test("rules may name tools of nested agents and actions of other programs, but no others", async () => {
  const fixture = await createAgentFixture({
    "tools.mjs": toolModule,
    "b.yaml": agentFile("b", api, calls("c")),
    "c.yaml": agentFile("c", api, functions("look")),
    "skills/s/SKILL.md": "---\nname: s\ndescription: Helps.\n---\nHelp.\n",
  });
  const coder = "  - { type: acp, name: coder, description: Codes., command: coder }\n";
  const problems = async (rule: string, more = "") => {
    const rules = `policy: { rules: [{ tool: ${rule}, then: deny }] }\n`;
    const definition = await fixture.load(agentFile("a", api, `${calls("b")}${coder}${more}${rules}`));
    const project = await findAgentProject(definition, { projectDir: fixture.folder });
    return (await findAgentProblems(definition, project)).map(({ message }) => message);
  };
  try {
    for (const known of ["b", "c", "look", "coder", "coder_execute"]) expect(await problems(known)).toEqual([]);
    expect(await problems("lok")).toEqual([expect.stringContaining('names the tool "lok"')]);
    const same = "  - { type: agent, name: load_skill, file: c.yaml }\nskills: [skills/s]\n";
    expect(await problems("b", same)).toEqual([expect.stringContaining('both have a tool named "load_skill"')]);
    const server = "tools: [{ type: mcp, name: s, command: no-such-program }]\n";
    await fixture.write({ "c.yaml": agentFile("c", api, server) });
    expect(await problems("lok")).toEqual([]); // the names of a server's tools are only known in a run
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
