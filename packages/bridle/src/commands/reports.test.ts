import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctorSchema, statusSchema } from "@bridle/project";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { runCli } from "../cli/cli-for-tests.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-reports-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const configure = (yaml: string) => writeFile(join(cwd, "bridle.yaml"), yaml);
const inProject = (words: readonly string[], environment = {}) =>
  runCli(words, { cwd, environment: { HOME: cwd, ...environment } });

test("bridle status tells the project, the backend, the models and what is ignored", async () => {
  await configure("llm: { models: { default: sonet, judge: opus }, promptCaching: { toolsTtl: 1h } }");
  const { code, stdout } = await inProject(["status"], { ANTHROPIC_API_KEY: "sk-secret" });
  expect(code).toBe(0);
  for (const line of [
    `Project   ${cwd}\n`,
    `Config    ${join(cwd, "bridle.yaml")}\n`,
    "Auth      session (not checked; bridle doctor --live does)\n",
    "          set in the environment, and not used: ANTHROPIC_API_KEY\n",
    "Models    default: sonet (not known; did you mean sonnet?)\n          judge: opus\n",
    "Ignored   llm.promptCaching.toolsTtl: claude-code has no equivalent\n",
  ]) {
    expect(stdout).toContain(line);
  }
  expect(stdout).not.toContain("sk-secret");
});

test("bridle status --json prints the documented shape", async () => {
  const { code, stdout } = await inProject(["status", "--json"]);
  expect(code).toBe(0);
  expect(statusSchema.parse(JSON.parse(stdout))).toMatchObject({ configFile: null, authentication: "not checked" });
});

test("bridle status ends with exit code 3 where the file is wrong", async () => {
  await configure("llm:\n  provider:\n    backend: claude\n");
  expect(await inProject(["status"])).toMatchObject({
    code: 3,
    stdout: "",
    stderr:
      'bridle.yaml:3:14: llm.provider.backend is "claude", and has to be one of claude-code, anthropic, openai, openai-compatible, gateway, vertex, bedrock, none. Did you mean "claude-code"?\n',
  });
});

test("bridle doctor marks each check, and what was not asked for is skipped", async () => {
  const { code, stdout } = await inProject(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ Node\.js {11}\d/);
  expect(stdout).toContain("✓ Credentials       auth: session, the login of Claude Code itself\n");
  expect(stdout).toContain("- Login             not checked; --live asks the host, with one short request\n");
});

test("bridle doctor --json prints the documented shape", async () => {
  const { code, stdout } = await inProject(["doctor", "--json"]);
  expect(code).toBe(0);
  expect(doctorSchema.parse(JSON.parse(stdout)).ok).toBe(true);
});

const faults: [yaml: string, code: number, line: string][] = [
  ["lm: 1\n", 3, '✗ Configuration  bridle.yaml:1:1: unknown key "lm". Did you mean "llm"?\n'],
  ["llm: { models: { default: sonet } }", 3, '                    → Write "sonnet" in llm.models.\n'],
  [
    "llm: { provider: { auth: api_key } }",
    3,
    "auth: api_key needs ANTHROPIC_API_KEY, which the environment does not have.\n",
  ],
];

test.each(faults)("bridle doctor on %j ends with exit code %i and a remedy", async (yaml, expected, line) => {
  await configure(yaml);
  const { code, stdout } = await inProject(["doctor"]);
  expect(code).toBe(expected);
  expect(stdout).toContain(line);
  expect(stdout).toContain("→ ");
});

test("bridle config schema prints a JSON Schema that takes a good file and refuses a wrong one", async () => {
  const { code, stdout } = await runCli(["config", "schema"]);
  expect(code).toBe(0);
  const schema = z.fromJSONSchema(JSON.parse(stdout));
  expect(schema.safeParse({ llm: { models: { default: "opus" } } }).success).toBe(true);
  expect(schema.safeParse({ llm: { model: "opus" } }).success).toBe(false);
});

test("on a narrow terminal the lines of bridle status and bridle doctor break between words", async () => {
  await configure("llm: { models: { default: sonet }, promptCaching: { toolsTtl: 1h } }");
  for (const [words, indent] of [
    [["status"], 10],
    [["doctor"], 20],
  ] as const) {
    const { stdout } = await runCli(words, { cwd, environment: { HOME: cwd, NO_COLOR: "1" }, isTTY: true });
    const broken = stdout.split("\n").filter((line) => line.length > 60);
    for (const line of broken) expect(line.slice(indent)).not.toContain(" ");
    expect(stdout).toMatch(new RegExp(`\n {${indent}}\\S`));
  }
});
