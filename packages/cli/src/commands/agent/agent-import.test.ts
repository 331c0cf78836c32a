// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentImportSchema, agentSurveySchema } from "@bridle/app/imports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

const agent = `name: desk
model: { provider: ollama, name: m }
instructions: { inline: Be kind. }
# Cases are elsewhere.
test_cases_file: cases.yaml
deployment: { port: 1 }
`;

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-agent-import-"));
  await write({
    "bridle.yaml": "",
    "agent.yaml": agent,
    "cases.yaml": "- input: Hello\n  evaluations: [{ metric: bleu }]\n  ground_truth: Hi\n",
  });
});
afterEach(() => rm(cwd, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
}
const read = (name: string) => readFile(join(cwd, name), "utf8");
const run = (...words: string[]) => runCli(["agent", "import", ...words], { cwd });

test("a HoloDeck agent file and its cases are written beside the originals, with a report", async () => {
  const { code, stdout, stderr } = await run("holodeck", "agent.yaml");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /^agent\.yaml:6: deployment is removed; it was \{"port":1\}\. Reason: Bridle deploys nothing\./m,
  );
  expect(stdout).toMatch(/^cases\.yaml: 0\.evaluations\.0\.type is new: "standard"\. Reason: /m);
  expect(stdout).toMatch(
    /^agent\.yaml:5: test_cases_file is "cases\.bridle\.yaml" instead of "cases\.yaml"\. Reason: /m,
  );
  expect(stdout).toMatch(/3 changes\. Written to agent\.bridle\.yaml and cases\.bridle\.yaml\.\n$/);
  expect(await read("agent.yaml")).toBe(agent);
  expect(await read("agent.bridle.yaml")).toContain("# Cases are elsewhere.\ntest_cases_file: cases.bridle.yaml\n");
  expect(await read("cases.bridle.yaml")).toContain("type: standard");
});

test("the report is JSON on request, a dry run writes nothing, and an existing file stays", async () => {
  const dry = await run("holodeck", "agent.yaml", "--dry-run", "--json");
  expect(agentImportSchema.parse(JSON.parse(dry.stdout))).toMatchObject({
    written: [],
    ok: null,
    edits: [{}, {}, {}],
  });
  expect(await readdir(cwd)).not.toContain("agent.bridle.yaml");
  await run("holodeck", "agent.yaml");
  const again = await run("holodeck", "agent.yaml");
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining("agent.bridle.yaml exists already. Choose") });
  expect(await run("holodeck", "agent.yaml", "--force")).toMatchObject({ code: 0 });
});

test("only test_cases_file names the converted cases, whatever else contains their name", async () => {
  await write({ "agent.yaml": agent.replace("# Cases are elsewhere.", "description: uses cases.yaml") });
  expect(await run("holodeck", "agent.yaml")).toMatchObject({ code: 0 });
  const text = await read("agent.bridle.yaml");
  expect(text).toContain("description: uses cases.yaml\ntest_cases_file: cases.bridle.yaml\n");
});

test("a link in the place of a new file is not followed, with --force it is replaced, and no half of an import is written", async () => {
  const outside = await mkdtemp(join(tmpdir(), "bridle-outside-"));
  try {
    await symlink(join(outside, "new.yaml"), join(cwd, "cases.bridle.yaml"));
    const refused = await run("holodeck", "agent.yaml");
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("cases.bridle.yaml exists already.") });
    expect(await readdir(cwd)).not.toContain("agent.bridle.yaml");
    expect(await run("holodeck", "agent.yaml", "--force")).toMatchObject({ code: 0 });
    expect((await lstat(join(cwd, "cases.bridle.yaml"))).isFile()).toBe(true);
    expect(await readdir(outside)).toEqual([]);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test("imported functions have annotations to fill in, and agent validate points at them until then", async () => {
  await write({
    "agent.yaml": `${agent.replace(/test_cases_file.*\n/, "")}tools:
  - type: function
    name: refund
    file: tools.py
    function: refund
test_cases: [{ input: Refund A-1., expected_tools: [refund] }]
`,
    "tools.py": 'def refund(order: str) -> str:\n    """Refunds an order."""\n    return "Done."\n',
  });
  const imported = await run("holodeck", "agent.yaml");
  expect(imported.stdout).toContain("tools.0.annotations is new: {}. Reason: HoloDeck does not declare");
  const pointer = /^Warning: agent\.bridle\.yaml:\d+:\d+: tools\.0\.annotations is empty, so bridle test denies calls/m;
  expect(imported.stderr).toMatch(pointer);
  const file = await read("agent.bridle.yaml");
  expect(file).toContain(
    "# To fill in, for bridle test: read_only: true, if a call changes nothing.\n    annotations: {}\n",
  );
  await write({ "agent.bridle.yaml": file.replace("annotations: {}", "annotations: { read_only: true }") });
  const environment = { PATH: process.env.PATH ?? "", HOME: join(cwd, "home") };
  const { stderr } = await runCli(["agent", "validate", "agent.bridle.yaml"], { cwd, environment });
  expect(stderr).not.toMatch(/annotations/);
});

test("what the import cannot convert is a problem of the new file", async () => {
  await write({ "agent.yaml": `${agent}tools: [{ type: subagent, name: a, file: b.yaml }]\n` });
  const { code, stderr } = await run("holodeck", "agent.yaml", "--output", "new.yaml");
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^new\.yaml:\d+:\d+: tools\.0\.type is subagent, which is not supported: write an entry with type: agent/m,
  );
});

test("of a folder, a table says which files load, with examples in Markdown, and nothing is written", async () => {
  const head = "name: a\nmodel: { provider: ollama, name: m }\ninstructions: { file: missing.md }\n";
  await write({
    "plain.yaml": head,
    "guide.md": `# Guide\n\n\`\`\`yaml\n${head}\`\`\`\n\n\`\`\`yaml\nmodel: {}\n\`\`\`\n`,
    "later.yaml": `${head}tools: [{ type: agent, name: a, file: b.yaml }]\n`,
  });
  const before = await readdir(cwd);
  const { code, stdout } = await run("holodeck", ".");
  expect(code).toBe(0);
  const rows = stdout.split("\n").map((line) => line.split(" | ").slice(0, 2).join(" "));
  expect(rows).toContain("| agent.yaml after the import");
  expect(rows).toContain("| plain.yaml unchanged");
  expect(rows).toContain("| guide.md:4 unchanged");
  expect(rows).toContain("| later.yaml not");
  expect(stdout).toMatch(/\n4 files: 2 load unchanged, 1 after the import, 1 not\.\n$/);
  const json = await run("holodeck", ".", "--json");
  expect(agentSurveySchema.parse(JSON.parse(json.stdout)).counts).toEqual({ unchanged: 2, afterImport: 1, not: 1 });
  expect(await readdir(cwd)).toEqual(before);
});

test("of a folder, the settings beside a file count, and so do folders and variables that nothing has", async () => {
  const rest = "instructions: { inline: Be kind. }\n";
  const shared = "providers:\n  openai: { name: gpt, api_key: ${KEY} }\n";
  const named = `name: a\nmodel: { provider: openai }\n${rest}`;
  const cloud = `name: a\nmodel: { provider: anthropic, name: sonnet, auth_provider: bedrock }\n${rest}`;
  await rm(join(cwd, "agent.yaml"));
  await write({
    "config.yaml": shared,
    "named.yaml": named,
    "cloud.yaml": `${cloud}claude: { working_directory: ./work }\n`,
    "skill.yaml": `name: a\nmodel: { provider: ollama, name: m }\n${rest}tools: [{ type: skill, name: b, path: skills/b }]\n`,
  });
  await mkdir(join(cwd, "docs"));
  await write({
    "docs/with.md": `\`\`\`yaml\n${shared}\`\`\`\n\n\`\`\`yaml\n${named}\`\`\`\n`,
    "docs/without.md": `\`\`\`yaml\n${named}\`\`\`\n`,
  });
  const { files } = agentSurveySchema.parse(JSON.parse((await run("holodeck", ".", "--json")).stdout));
  expect(files.map(({ file, loads }) => [file, loads])).toEqual([
    ["cloud.yaml", "imported"],
    ["docs/with.md:7", "imported"],
    ["docs/without.md:2", "not"],
    ["named.yaml", "imported"],
    ["skill.yaml", "imported"],
  ]);
  expect(files.find(({ loads }) => loads === "not")?.problems[0]?.message).toContain("model.name is missing");
});

test("a table shows hidden characters of names and messages, and keeps each file in one row", async () => {
  const name = "a|b\u001b[31m.yaml";
  await write({
    [name]: 'name: a\nmodel: { provider: ollama, name: m }\ninstructions: { inline: i }\n"x\\e[2J|\\ny": 1\n',
  });
  const { stdout } = await run("holodeck", ".");
  expect(stdout).not.toContain("\u001b");
  const row = stdout.split("\n").find((line) => line.startsWith("| a\\|b\\u{1b}[31m.yaml | not | 0 | "));
  expect(row).toMatch(/unknown key .*\\u\{1b\}\[2J\\\|.* \|$/);
});

test("a table reads no files outside of its folder, whatever an agent file names", async () => {
  await write({ "bad.yaml": "neither: cases\n" });
  await mkdir(join(cwd, "samples"));
  const file = (path: string) =>
    `name: a\nmodel: { provider: ollama, name: m }\ninstructions: { inline: i }\ntest_cases_file: ${path}\n`;
  await write({
    "samples/one.yaml": file("../bad.yaml"),
    "samples/two.yaml": file("bad.yaml"),
    "samples/bad.yaml": "neither: cases\n",
  });
  const { stdout } = await run("holodeck", "samples", "--json");
  const { files } = agentSurveySchema.parse(JSON.parse(stdout));
  expect(files.map(({ file: name, loads }) => [name, loads])).toEqual([
    ["one.yaml", "unchanged"], // ../bad.yaml is treated as missing, and missing files are assumed to exist
    ["two.yaml", "not"],
  ]);
});

test.each([
  [["zebra", "agent.yaml"], "zebra is not a format of agent files: holodeck."],
  [["holodeck"], "The path of the agent file is missing."],
  [["holodeck", "none.yaml"], "none.yaml does not exist. Name a HoloDeck agent file"],
])("the words %j are refused with an example", async (words, message) => {
  const { code, stderr } = await run(...words);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});
