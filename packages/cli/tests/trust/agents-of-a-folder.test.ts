/** Tests that trust in a folder covers all of its agents, and that every later way to start an agent requires it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, clone, run, useClones } from "./clone-fixture.ts";

useClones();

const starts = (command: string) => agent(`tools: [{ type: mcp, name: m, command: ${command} }]`);

test("an agent that is not trusted is not added to a client, whether it is named or found", async () => {
  for (const words of ["mcp install agent.yaml", "mcp install", "mcp install desk/agent.yaml"]) {
    const cloned = clone({ "agent.yaml": starts("harmful"), "desk/agent.yaml": starts("harmful") });
    const { code, stderr } = await run(`${words} --client cursor --yes`, cloned);
    expect([words, code, stderr]).toEqual([words, 3, expect.stringContaining("runs          harmful")]);
    expect(existsSync(join(cloned.home, ".cursor/mcp.json"))).toBe(false);
    await run("trust", cloned);
    expect(await run(`${words} --client cursor --yes`, cloned)).toMatchObject({ code: 0 });
    expect(existsSync(join(cloned.home, ".cursor/mcp.json"))).toBe(true);
  }
});

test("trust in a folder is for every agent that its server uses, each listed with its effects", async () => {
  const cloned = clone({
    "agent.yaml": starts("first"),
    "agents/second.yaml": starts("second"),
    "agents/third/agent.yaml": agent("tools: [{ type: agent, name: fourth, file: fourth.yaml }]"),
    "agents/third/fourth.yaml": starts("fourth"),
    "desk/agent.yaml": starts("fifth"),
    "agents/broken.yaml": "name: broken\ninstructions: { inline: A. }\nunknown: 1\n",
    "agents/notes.yaml": "todo: nothing\n",
  });
  const shown = await run("trust --show", cloned);
  for (const command of ["first", "second", "fourth", "fifth"])
    expect(shown.stdout).toMatch(new RegExp(`runs +${command} `));
  expect(shown.code).toBe(3);
  expect(await run("trust", cloned)).toMatchObject({ code: 0 });
  expect(await run("trust --show", cloned)).toMatchObject({ code: 0 });
  for (const file of ["agents/second.yaml", "agents/third/fourth.yaml", "agents/third/agent.yaml", "desk/agent.yaml"]) {
    const { stdout } = await run(`agent validate ${file} --json`, cloned);
    expect([file, JSON.parse(stdout).trust.isTrusted]).toEqual([file, true]);
  }
});

test("trust in the folder of one agent is for that agent alone", async () => {
  const cloned = clone({ "agent.yaml": starts("first"), "desk/agent.yaml": starts("second") });
  await run("trust desk", cloned);
  const { stdout } = await run("agent validate --json", cloned);
  expect(JSON.parse(stdout).trust.isTrusted).toBe(false);
});
