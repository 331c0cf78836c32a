import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadAgent } from "./load-agent.ts";
import { openAgent } from "./open-agent.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-agent-"));
  await writeFile(join(folder, "instructions.md"), "Be kind.");
  await writeFile(
    join(folder, "script.yaml"),
    "rehearsal: 1\nturns:\n  - when: { user: Hello }\n    steps: [{ say: Good day. }]\n",
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function load(yaml: string) {
  await writeFile(join(folder, "agent.yaml"), yaml);
  return loadAgent("agent.yaml", { environment: {}, cwd: folder });
}

test("an agent is its name, its instructions and a model", async () => {
  const agent = await load(
    "name: desk\nmodel: { provider: claude-code, name: haiku }\ninstructions: { file: instructions.md }\n",
  );
  expect(agent).toMatchObject({ file: "agent.yaml", baseDir: folder, config: { name: "desk" } });
  expect(agent.instructions).toMatchObject({ text: "Be kind.", file: "instructions.md" });
  expect(agent.instructions.version).toMatch(/^auto-[0-9a-f]{8}$/);
});

test("everything that is wrong is told at once, with its place", async () => {
  const attempt = load("nam: desk\nmodel: { provider: openia, name: haiku }\ninstructions: { file: missing.md }\n");
  await expect(attempt).rejects.toMatchObject({ code: "config" });
});

test("an agent runs in a rehearsal", async () => {
  const definition = await load(
    "name: desk\nmodel: { provider: anthropic, name: haiku }\ninstructions: { inline: Be kind. }\n",
  );
  const agent = await openAgent(definition, { projectDir: folder, rehearse: join(folder, "script.yaml") });
  const { text } = await agent.run("Hello").result;
  await agent.close();
  expect(text).toBe("Good day.");
});
