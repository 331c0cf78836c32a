/** Tests files outside of a clone that the clone names or links to: they are not read before the user trusts them, and are never quoted. */
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, clone, type Files, rehearsal, run, useClones } from "./clone-fixture.ts";

useClones();

const secret = "s3cr3t";

/** Creates a clone next to a file that contains a secret. `name` is a link to this file. */
function cloneBeside(
  files: Files,
  { content = `${secret} is no JSON`, link }: { content?: string; link?: string } = {},
) {
  const cloned = clone({ ...rehearsal, ...files });
  writeFileSync(join(cloned.cwd, "../private"), content);
  if (link !== undefined) symlinkSync("../private", join(cloned.cwd, link));
  return cloned;
}

const withInstructions = (file: string) => agent().replace("{ inline: Be kind. }", `{ file: ${file} }`);
const named: Readonly<Record<string, (path: string) => string>> = {
  response_format: (path) => agent(`response_format: ${path}`),
  "instructions.file": withInstructions,
  test_cases_file: (path) => agent(`test_cases_file: ${path}`).replace(/test_cases: .*/, ""),
};
const contents = {
  words: `${secret} is no JSON`,
  "a mapping": `${secret}: 1\n`,
  "a broken text": `---\n{ ${secret}: [\n---\n`,
  "a list": `- ${secret}: 1\n`,
  "a schema": `{ "type": "${secret}" }`,
};
const commands = ["agent validate", "trust --show agent.yaml", "run --agent agent.yaml Hi"];
const allCommands = [...commands, "agent show", "test --rehearse script.yaml", "mcp agent.yaml"];

const read: typeof named = {
  ...named,
  "tools.file": (path) => agent(`tools: [{ type: agent, name: a, description: d, file: ${path} }]`),
};

const all = Object.keys(read).flatMap((field) => Object.keys(contents).map((content) => [field, content] as const));

test.each(all)(
  "no command shows a word of the file outside that %s names, which is %s",
  { timeout: 120_000 },
  async (field, content) => {
    const text = contents[content as keyof typeof contents];
    const cloned = cloneBeside({ "agent.yaml": read[field]?.("../private") ?? "" }, { content: text });
    for (const command of content === "words" ? allCommands : commands) {
      const { code, stdout, stderr } = await run(command, cloned);
      expect([command, `${stdout}${stderr}`]).not.toEqual([command, expect.stringContaining(secret)]);
      if (command.startsWith("run"))
        expect({ code, stderr }).toEqual({
          code: 3,
          stderr: expect.stringContaining("../private, outside of the folder"),
        });
    }
    await run("trust", cloned);
    for (const command of ["agent validate"]) {
      const { stdout, stderr } = await run(command, cloned);
      if (field !== "instructions.file")
        expect([command, `${stdout}${stderr}`]).not.toEqual([command, expect.stringContaining(secret)]);
    }
  },
);

const searched: typeof named = {
  ...named,
  "tools.file": (path) => agent(`tools: [{ type: function, name: f, file: ${path}, function: f }]`),
  "tools.file of an agent": (path) => read["tools.file"]?.(path) ?? "",
  "tools.source": (path) => agent(`tools: [{ type: documents, name: d, source: ${path}, search_mode: keyword }]`),
};

test.each(Object.keys(searched))(
  "no command shows whether a file outside that %s names exists, before it is trusted",
  { timeout: 120_000 },
  async (field) => {
    const cloned = cloneBeside({ "agent.yaml": searched[field]?.("../private") ?? "" });
    const replies = async () => {
      const all: unknown[] = [];
      for (const command of commands) {
        const { code, stdout, stderr } = await run(command, cloned);
        all.push({ command, code, stdout, stderr });
      }
      return all;
    };
    const there = await replies();
    rmSync(join(cloned.cwd, "../private"));
    expect(await replies()).toEqual(there);
    await run("trust agent.yaml", cloned);
    const { code, stdout, stderr } = await run("agent validate", cloned);
    expect({ code, text: `${stdout}${stderr}` }).toEqual({ code: 3, text: expect.stringContaining("does not exist") });
  },
);

test.each(Object.keys(named))(
  "a link that leads out of the folder is refused in %s, with the file that it names",
  async (field) => {
    const cloned = cloneBeside({ "agent.yaml": named[field]?.("link.json") ?? "" }, { link: "link.json" });
    for (const command of ["agent validate", "run --agent agent.yaml --trust Hi"]) {
      const { code, stdout, stderr } = await run(command, cloned);
      expect(code).toBe(3);
      expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(
        `${field} names link.json, which is a link that leads out of the folder.`,
      );
      expect(`${stdout}${stderr}`).not.toContain(secret);
    }
  },
);

test("an agent file that a called agent names outside of the folder is not read before it is trusted", async () => {
  const calling = (file: string) =>
    `name: middle\ninstructions: { inline: Ask. }\ntools: [{ type: agent, name: a, file: ${file} }]\n`;
  for (const link of [undefined, "link.yaml"]) {
    const cloned = cloneBeside(
      { "agent.yaml": read["tools.file"]?.("middle.yaml") ?? "", "middle.yaml": calling(link ?? "../private") },
      { content: `${secret}: 1\n`, ...(link !== undefined && { link }) },
    );
    for (const command of [...commands, "agent show", "trust", "agent validate"]) {
      const { stdout, stderr } = await run(command, cloned);
      expect([command, `${stdout}${stderr}`]).not.toEqual([command, expect.stringContaining(secret)]);
    }
    const { code, stdout, stderr } = await run("agent validate", cloned);
    const reason = link === undefined ? "It is not shown" : "is a link that leads out of the folder.";
    expect({ code, text: `${stdout}${stderr}` }).toEqual({ code: 3, text: expect.stringContaining(reason) });
  }
});

test("an agent whose schema and instructions are outside of its folder runs with them once it is trusted", async () => {
  const cloned = cloneBeside(
    { "agent.yaml": withInstructions("../private").replace("\n\n", "\nresponse_format: ../schema.json\n") },
    { content: "Answer briefly." },
  );
  writeFileSync(
    join(cloned.cwd, "../schema.json"),
    JSON.stringify({ type: "object", properties: { a: { type: "string" } } }),
  );
  const before = await run("agent show --json", cloned);
  expect(JSON.parse(before.stdout)).toMatchObject({ instructions: { text: null }, trust: { isTrusted: false } });
  await run("trust", cloned);
  const after = await run("agent show --json", cloned);
  expect(JSON.parse(after.stdout)).toMatchObject({ instructions: { text: "Answer briefly." }, answers: "object" });
});

test("an error about a broken schema in the agent's own folder has its place and not its text", async () => {
  const cloned = clone({
    "agent.yaml": agent("response_format: schema.json"),
    "schema.json": `{\n  "type": ${secret}\n}`,
  });
  const { stdout, stderr } = await run("agent validate", cloned);
  expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toContain(
    "the schema in schema.json is not valid JSON (line 2, column 11). Correct the file.",
  );
  expect(`${stdout}${stderr}`).not.toContain(secret);
});
