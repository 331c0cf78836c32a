// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how files refer to the environment
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentImportSchema, agentSurveySchema } from "@bridle/app/imports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli } from "../../command-line/cli-for-tests.ts";

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

test("an agent's file of HoloDeck and its cases are written beside the originals, with a report", async () => {
  const { code, stdout, stderr } = await run("holodeck", "agent.yaml");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /^agent\.yaml:6: deployment is removed; it was \{"port":1\}\. Reason: Bridle deploys nothing\./m,
  );
  expect(stdout).toMatch(/^cases\.yaml: 0\.evaluations\.0\.type is new: "standard"\. Reason: /m);
  expect(stdout).toMatch(/2 changes\. Written to agent\.bridle\.yaml and cases\.bridle\.yaml\.\n$/);
  expect(await read("agent.yaml")).toBe(agent);
  expect(await read("agent.bridle.yaml")).toContain("# Cases are elsewhere.\ntest_cases_file: cases.bridle.yaml\n");
  expect(await read("cases.bridle.yaml")).toContain("type: standard");
});

test("the report is JSON on request, a dry run writes nothing, and an existing file stays", async () => {
  const dry = await run("holodeck", "agent.yaml", "--dry-run", "--json");
  expect(agentImportSchema.parse(JSON.parse(dry.stdout))).toMatchObject({
    written: [],
    isValid: null,
    edits: [{}, {}],
  });
  expect(await readdir(cwd)).not.toContain("agent.bridle.yaml");
  await run("holodeck", "agent.yaml");
  const again = await run("holodeck", "agent.yaml");
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining("agent.bridle.yaml exists already. Choose") });
  expect(await run("holodeck", "agent.yaml", "--force")).toMatchObject({ code: 0 });
});

test("what the import cannot convert is a problem of the new file", async () => {
  await write({ "agent.yaml": `${agent}tools: [{ type: agent, name: a, file: b.yaml }]\n` });
  const { code, stderr } = await run("holodeck", "agent.yaml", "--output", "new.yaml");
  expect(code).toBe(3);
  expect(stderr).toMatch(/^new\.yaml:\d+:\d+: tools\.0\.type is agent, which is not supported: .* a later version/m);
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

test.each([
  [["zebra", "agent.yaml"], "zebra is not a format of agents' files: holodeck."],
  [["holodeck"], "The path of the agent's file is missing."],
  [["holodeck", "none.yaml"], "none.yaml does not exist. Name an agent's file of HoloDeck"],
])("the words %j are refused with an example", async (words, message) => {
  const { code, stderr } = await run(...words);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});
