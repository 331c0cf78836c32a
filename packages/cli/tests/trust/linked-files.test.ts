/** Tests that no command follows a link in a clone that leads out of the clone. Links within a repository work. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agent, type Clone, clone, type Files, rehearsal, run, useClones } from "./clone-fixture.ts";

useClones();

const secret = "s3cr3t";

/** Creates a clone with a link to a file outside of it. */
function cloneWithLink(link: string, content: string, files: Files = {}): Clone {
  const cloned = clone({ ...rehearsal, ...files });
  const path = join(cloned.cwd, link);
  writeFileSync(join(cloned.cwd, "../private"), content);
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) rmSync(path);
  symlinkSync(join(cloned.cwd, "../private"), path);
  return cloned;
}

async function answers(words: string, cloned: Clone) {
  const { code, stdout, stderr } = await run(words, cloned);
  return { words, code, text: `${stdout}${stderr}`.replace(/\s+/g, " ") };
}

const refusal = "is a link that leads out of the folder. Name the file itself, or copy it.";

test.each([
  ["agent.yaml", "agent validate", `${secret}: 1\n`],
  ["agent.yaml", "agent validate --json", `name: desk\n${secret}: 1\n`],
  ["agent.yaml", "agent show", agent(`description: ${secret}`)],
  ["agent.yaml", "trust --show agent.yaml", agent(`description: ${secret}`)],
  ["agent.yaml", "run --agent agent.yaml --trust Hi", agent(`description: ${secret}`)],
  ["bridle.yaml", "status", `${secret}: 1\n`],
  ["bridle.yaml", "doctor", `llm: { models: { default: ${secret} } }\n`],
  ["bridle.yaml", "trust --show", `${secret}: 1\n`],
  ["bridle.yaml", "run --trust Hi", `${secret}: 1\n`],
])("%s that is a link out of the folder is refused: %s", async (link, words, content) => {
  const answer = await answers(words, cloneWithLink(link, content));
  expect(answer).toEqual({ words, code: 3, text: expect.stringContaining(refusal) });
  expect(answer.text).not.toContain(secret);
});

test("files of an agent and of a project can be links within one repository", async () => {
  const cloned = clone({
    ".git/HEAD": "ref: refs/heads/main\n",
    "shared/agent.yaml": agent(),
    "shared/bridle.yaml": "policy: { mode: read-only }\n",
    ...Object.fromEntries(Object.entries(rehearsal).map(([name, text]) => [`desk/${name}`, text])),
  });
  for (const name of ["agent.yaml", "bridle.yaml"]) symlinkSync(`../shared/${name}`, join(cloned.cwd, "desk", name));
  const inside = { ...cloned, cwd: join(cloned.cwd, "desk") };
  expect(await answers("agent validate", inside)).toMatchObject({ code: 0 });
  expect(await answers("run --agent agent.yaml --rehearse script.yaml Hi", inside)).toMatchObject({ code: 0 });
});

test.each([
  ["context/decisions.yaml", "context ingest docs --rehearse script.yaml", `${secret}: 1\n`],
  ["context/memory.yaml", "memory list", `facts: [{ id: a, at: "2026-01-01", text: ${secret}, statements: [] }]\n`],
  ["context/memory.yaml", "memory list --json", `${secret}: 1\n`],
  ["context/models/orders.yaml", "metrics export --to osi", `name: ${secret}\n`],
  ["context/models/orders.yaml", "metrics export --to osi", `${secret}: 1\n`],
  ["context/models/orders.yaml", "context ingest docs --rehearse script.yaml", `${secret}: 1\n`],
])("%s that is a link out of the project is not read: %s", async (link, words, content) => {
  const answer = await answers(
    words,
    cloneWithLink(link, content, { "bridle.yaml": "context: {}\n", "docs/a.md": "text" }),
  );
  expect(answer.text).not.toContain(secret);
  expect(answer.text).toContain(`${link} cannot be read: it is a link that leads out of the project. Remove it.`);
});
