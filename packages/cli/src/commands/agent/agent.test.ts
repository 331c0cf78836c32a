import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentDescriptionSchema } from "@bridle/agent";
import type { ScriptedModel } from "@bridle/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../command/cli-for-tests.ts";

const good = `# yaml-language-server: $schema=./agent.schema.json
name: desk
description: Answers questions
model: { provider: claude-code, name: sonnet }
instructions: { inline: Be kind. }
tools:
  - { type: function, name: lookup, file: tools.mjs, function: lookup }
test_cases:
  - { name: finds, input: Where is it? }
`;

/** Twelve mistakes, each marked with its number. */
const planted = `nam: desk                                             # 1, and 2: no name
description: Answers
modle: { provider: anthropic, name: sonnet }          # 3
instructions: { file: missing.md }                    # 4
tools:
  - { type: function, name: lookup, file: tools.mjs, functoin: lookup }   # 5
  - { type: mcp, name: issues, transport: websocket, command: npx }       # 6
  - { type: documents, name: lookup, source: ., search_mode: hybird }     # 7: the name, and 8
policy: { mode: nomal }                               # 9
execution: { llm_timeout: -1, verbose: true }         # 10, 11
test_cases: [{ input: a, evaluations: [{ type: standard, metric: bleuu }] }]  # 12
`;

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-agent-command-"));
  const tool = `export const lookup = { name: "lookup", description: "Finds an order.", annotations: { readOnly: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] }, execute: async () => "It has shipped." };`;
  const files = {
    "agent.yaml": good,
    "planted.yaml": planted,
    "tools.mjs": tool,
    "bridle.yaml": "",
    "object.yaml": `${good}response_format: { type: object, properties: { state: { type: string } } }\n`,
    "limited.yaml": `${good}execution: { max_steps: 1 }\npolicy: { rules: [{ tool: lookup, then: deny }] }\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
});
afterAll(() => rm(cwd, { recursive: true }));

const model: ScriptedModel = [{ steps: [{ calls: [{ tool: "lookup", input: {} }] }, { say: "It has shipped." }] }];

describe("bridle agent validate", () => {
  test("reports all mistakes of a file at once, each with line, column and the nearest known name", async () => {
    const { code, stdout, stderr } = await runCli(["agent", "validate", "planted.yaml"], { cwd });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.filter((line) => !/^planted\.yaml:\d+:\d+: /.test(line))).toEqual(["planted.yaml has 13 problems."]);
    for (const told of [
      'planted.yaml:1:1: unknown key "nam". Did you mean "name"?',
      "planted.yaml:1:1: name is missing",
      'planted.yaml:3:1: unknown key "modle". Did you mean "model"?',
      "planted.yaml:4:17: instructions.file names missing.md, which does not exist.",
      'planted.yaml:6:54: unknown key "functoin". Did you mean "function"?',
      "planted.yaml:6:5: tools.0.function is missing",
      "planted.yaml:7:43: tools.1.transport is not supported as websocket",
      'planted.yaml:8:24: two tools are named "lookup": the other is at planted.yaml:6:23.',
      'planted.yaml:8:62: tools.2.search_mode must be keyword, semantic or hybrid. Did you mean "hybrid"?',
      'planted.yaml:9:17: policy.mode is "nomal"',
      "planted.yaml:10:27: execution.llm_timeout is -1, but must be above 0.",
      "planted.yaml:10:40: execution.verbose is not supported",
      'planted.yaml:11:66: test_cases.0.evaluations.0.metric is "bleuu"',
    ]) {
      expect(lines.filter((line) => line.startsWith(told))).toHaveLength(1);
    }
  });

  test("prints the same mistakes as data with --json", async () => {
    const { code, stdout } = await runCli(["agent", "validate", "planted.yaml", "--json"], { cwd });
    const told = JSON.parse(stdout);
    expect(code).toBe(3);
    expect(told).toMatchObject({ file: "planted.yaml", ok: false, warnings: [] });
    expect(told.problems).toHaveLength(13);
    expect(told.problems).toContainEqual({
      file: "planted.yaml",
      line: 3,
      column: 1,
      field: "modle",
      nearest: "model",
      message: 'unknown key "modle". Did you mean "model"?',
    });
  });

  test("summarises a valid file, and reads agent.yaml if no file is named", async () => {
    expect(await runCli(["agent", "validate"], { cwd })).toMatchObject({
      code: 0,
      stdout: `trusted. The files do this:
runs          the module tools.mjs (function lookup) (tools.0)
no questions  no rules: every tool runs without a question (policy)
agent.yaml is valid: the agent desk, 1 tool entry, 1 test case.
`,
      stderr: "",
    });
  });

  test("reports a missing file in one sentence", async () => {
    expect(await runCli(["agent", "validate", "no.yaml"], { cwd })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("The agent file no.yaml does not exist."),
    });
  });
});

test("bridle agent show prints the settings that a run uses", async () => {
  const { code, stdout } = await runCli(["agent", "show"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain("Model         sonnet\n");
  expect(stdout).toContain("lookup (function, only reads): Finds an order.");
  const { stdout: json } = await runCli(["agent", "show", "--json"], { cwd });
  expect(agentDescriptionSchema.parse(JSON.parse(json))).toMatchObject({ name: "desk", backend: "claude-code" });
});

test("bridle agent schema prints a JSON Schema with every part of the file", async () => {
  const { stdout } = await runCli(["agent", "schema"], { cwd });
  const { properties, required } = JSON.parse(stdout);
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(["model", "tools", "claude", "test_cases"]));
  expect(required).toEqual(["name", "instructions"]);
});

describe("bridle run --agent", () => {
  test("runs with the agent's instructions and tools", async () => {
    const { code, stdout, stderr } = await runCli(["run", "--agent", "agent.yaml", "Where is it?"], { cwd, model });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It has shipped.\n" });
    expect(stderr).toContain("lookup");
  });

  test("prints an object if the file has an output schema", async () => {
    const object: ScriptedModel = [{ steps: [{ object: { state: "shipped" } }] }];
    const { stdout } = await runCli(["run", "--agent", "object.yaml", "Go"], { cwd, model: object });
    expect(JSON.parse(stdout)).toEqual({ state: "shipped" });
  });

  test("applies the limits and rules of the file, and options override the limits", async () => {
    const limited = ["run", "--agent", "limited.yaml", "--json", "Go"];
    const { stdout } = await runCli(limited, { cwd, model });
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "budget", toolFailures: 1 });
    const more = await runCli([...limited, "--steps", "5"], { cwd, model });
    expect(JSON.parse(more.stdout)).toMatchObject({ stopReason: "natural", steps: 2 });
  });

  test.each(["--tools tools.mjs", "--system Hi", "--schema x.json"])(
    "refuses to combine --agent with %s",
    async (flag) => {
      const { code, stderr } = await runCli(["run", "--agent", "agent.yaml", ...flag.split(" "), "Go"], { cwd, model });
      expect(code).toBe(2);
      expect(stderr).toContain("--agent");
    },
  );

  test("reports an invalid file, and runs nothing", async () => {
    const { code, stderr, options } = await runCli(["run", "--agent", "planted.yaml", "Go"], { cwd, model });
    expect({ code, options }).toEqual({ code: 3, options: undefined });
    expect(stderr).toContain('planted.yaml:3:1: unknown key "modle".');
  });
});
