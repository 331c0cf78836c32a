// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { once } from "node:events";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { doctorSchema, modelsSchema, statusSchema } from "@bridle/project";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createTestCli, runCli } from "../../command/cli-for-tests.ts";

let root = "";
let cwd = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-reports-"));
  cwd = root;
  await mkdir(join(root, ".claude"));
  await writeFile(join(root, ".claude/.credentials.json"), "{}");
});
afterEach(() => rm(root, { recursive: true }));

const configure = (yaml: string) => writeFile(join(cwd, "bridle.yaml"), yaml);
const inProject = (words: readonly string[], environment = {}) =>
  runCli(words, { cwd, environment: { HOME: cwd, ...environment } });

test("bridle status shows the project, the backend, the models and the ignored settings", async () => {
  await configure("llm: { models: { default: sonet, judge: opus }, promptCaching: { toolsTtl: 1h } }");
  const { code, stdout } = await inProject(["status"], { ANTHROPIC_API_KEY: "sk-secret" });
  expect(code).toBe(0);
  for (const line of [
    `Project   ${cwd}\n`,
    `Config    ${join(cwd, "bridle.yaml")}\n`,
    "Auth      session (not checked; bridle doctor --live does)\n",
    "          set in the environment, and not used: ANTHROPIC_API_KEY\n",
    "Models    default: sonet (not known; did you mean sonnet?)\n          judge: opus\n",
    "Policy    none: every tool that you pass to a run may be called\n",
    "Ignored   llm.promptCaching.toolsTtl: claude-code has no equivalent\n",
  ]) {
    expect(stdout).toContain(line);
  }
  expect(stdout).not.toContain("sk-secret");
});

test("bridle status names rules of the agent file, so that none of bridle.yaml is not read as none at all", async () => {
  const agent = "name: a\ninstructions: { inline: Hi. }\n";
  await writeFile(join(cwd, "agent.yaml"), `${agent}policy: { mode: ask }\n`);
  const ruled = "agent.yaml: its own rules; bridle agent show lists them\n";
  expect((await inProject(["status"])).stdout).toContain(`Policy    bridle.yaml: none`);
  expect((await inProject(["status"])).stdout).toContain(ruled);
  await writeFile(join(cwd, "agent.yaml"), agent);
  expect((await inProject(["status"])).stdout).not.toContain(ruled);
});

test("bridle status --json prints the documented shape", async () => {
  const { code, stdout } = await inProject(["status", "--json"]);
  expect(code).toBe(0);
  expect(statusSchema.parse(JSON.parse(stdout))).toMatchObject({ configFile: null, authentication: "not checked" });
});

describe.skipIf(process.platform === "darwin")("without a login on this machine", () => {
  beforeEach(() => rm(join(cwd, ".claude"), { recursive: true }));

  test("bridle doctor fails with the remedy and exit code 4", async () => {
    const { code, stdout } = await inProject(["doctor"]);
    expect(code).toBe(4);
    expect(stdout).toContain("✗ Login             Claude Code is not logged in: there is no");
    expect(stdout).toContain('→ Run "claude" once and log in.');
    expect(stdout).not.toContain("The login was not checked.");
    const json = await inProject(["doctor", "--json"]);
    expect(json.code).toBe(4);
    expect(doctorSchema.parse(JSON.parse(json.stdout)).ok).toBe(false);
  });

  test("bridle doctor does not fail if only the agent file names a host, which needs no login", async () => {
    const model = "model: { provider: openai-compatible, name: m, endpoint: http://127.0.0.1:9/v1 }\n";
    await writeFile(join(cwd, "agent.yaml"), `name: desk\ninstructions: { inline: Help. }\n${model}`);
    const { code, stdout } = await inProject(["doctor"]);
    expect(stdout).toContain("✓ Agent");
    expect(code, stdout).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("- Login no login of Claude Code, which agent.yaml does not use");
  });

  test("bridle status shows it and ends with 0, because it only describes", async () => {
    expect(await inProject(["status"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        "Auth      session (no login, so runs will fail; bridle doctor has the remedy)\n",
      ),
    });
    const { stdout } = await inProject(["status", "--json"]);
    expect(statusSchema.parse(JSON.parse(stdout)).authentication).toBe("no login");
  });
});

test("bridle status ends with exit code 3 if bridle.yaml is invalid", async () => {
  await configure("llm:\n  provider:\n    backend: claude\n");
  expect(await inProject(["status"])).toMatchObject({
    code: 3,
    stdout: "",
    stderr:
      'bridle.yaml:3:14: llm.provider.backend is "claude", but must be one of claude-code, codex, copilot, anthropic, openai, openai-compatible, gateway, vertex, bedrock, none. Did you mean "claude-code"?\n',
  });
});

test("bridle status shows which setting and variable the credentials of a model API come from, and which are missing", async () => {
  const yaml = `llm:
  provider: { backend: openai, apiKey: "\${KEY}" }
  models: { default: gpt-6-sol }
  limits: { onUsageLimit: wait, maxWaitMs: 60000 }
embeddings: { backend: openai-compatible, model: small, baseUrl: "http://localhost:11434/v1" }
`;
  await configure(yaml);
  const set = await inProject(["status"], { KEY: "sk-secret" });
  for (const line of [
    "Backend   openai\n",
    "Auth      llm.provider.apiKey (not checked; bridle doctor --live does)\n",
    "Limits    at a used-up window: wait (1 min 0 s at most); 4 runs at a time\n",
    "Vectors   small on openai-compatible at http://localhost:11434/v1\n",
  ]) {
    expect(set.stdout).toContain(line);
  }
  expect(set.stdout).not.toMatch(/sk-secret|^Pool/m);
  const unset = await inProject(["status"]);
  expect(unset).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("missing in the environment: KEY (llm.provider.apiKey)\n"),
  });
});

test("bridle status shows the GitHub that Copilot's requests go to", async () => {
  await configure(
    "llm: { provider: { backend: copilot, auth: session, gitHubToken: '${TOKEN}', gitHubHost: acme.ghe.com } }",
  );
  expect((await inProject(["status"], { TOKEN: "gho_a" })).stdout).toContain("GitHub    acme.ghe.com\n");
});

test("bridle models prints the documented shape, and a table for people", async () => {
  await configure("llm: { provider: { backend: openai }, models: { default: gpt-6-sol } }");
  const printed = await inProject(["models", "--json"]);
  const { models } = modelsSchema.parse(JSON.parse(printed.stdout));
  expect(models.find(({ roles }) => roles.includes("default"))?.id).toBe("gpt-6-sol");
  const table = await inProject(["models"]);
  expect(table).toMatchObject({ code: 0, stderr: "" });
  expect(table.stdout).toContain("openai was not asked: llm.provider.apiKey is missing.\n");
  const other = await inProject(["models", "--backend", "anthropic"]);
  expect(other.stdout).toMatch(/^ {2}.*alias sonnet/m);
});

test("bridle models ends with the exit code of the host's error", async () => {
  const server = createServer((_, response) =>
    response.writeHead(401, { "content-type": "application/json" }).end("{}"),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await configure(`llm: { provider: { backend: openai-compatible, baseUrl: "${url}" } }`);
  expect(await inProject(["models"])).toMatchObject({
    code: 4,
    stdout: "",
    stderr: expect.stringMatching(/credentials/),
  });
  await configure("llm: { provider: { backend: none } }");
  expect(await inProject(["models"])).toMatchObject({ code: 3, stderr: expect.stringMatching(/no models/) });
});

test("bridle doctor marks each check, and skips optional checks", async () => {
  const { code, stdout } = await inProject(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ Node\.js {11}\d/);
  expect(stdout).toContain("- Credentials       auth: session, the login of Claude Code itself: not checked here\n");
  expect(stdout).toContain("- Login             not checked; --live sends the host one short request\n");
  expect(stdout).toContain("- Agent             There is no agent.yaml here.\n");
  expect(stdout).toMatch(/The login was not checked\. "bridle doctor --live" sends the host one short request\.\n$/);
});

test("bridle doctor on a key of the environment marks the key, and says that the host was not asked", async () => {
  await configure("llm: { provider: { auth: api_key } }");
  const { code, stdout } = await inProject(["doctor"], { ANTHROPIC_API_KEY: "sk-secret" });
  expect(code).toBe(0);
  expect(stdout).toContain("✓ Credentials       auth: api_key, from ANTHROPIC_API_KEY\n");
  expect(stdout).toContain("The login was not checked.");
});

test("bridle doctor of a project without a backend has no login to check", async () => {
  await configure("llm: { provider: { backend: none } }");
  expect((await inProject(["doctor"])).stdout).not.toContain("not checked.");
});

const head = "name: desk\ninstructions: { inline: Help. }\n";
const brokenAgents: [yaml: string, line: string][] = [
  [`${head}tols: []\n`, 'agent.yaml:3:1: unknown key "tols". Did you mean "tools"?'],
  [
    `${head}model: { provider: anthropic, name: claude-opus-5-5 }\n`,
    'agent.yaml:3:1: backend: anthropic needs model.api_key, which is missing. Write "api_key: ${ANTHROPIC_API_KEY}" under model in agent.yaml',
  ],
  [`${head}model: { provider: claude-code, name: sonet }\n`, 'model.name: The model "sonet" cannot be used'],
  [
    `${head}tools: [{ type: documents, name: d, source: ., search_mode: semantic }]\n`,
    "The documents d have search_mode semantic, which needs vectors, but no embeddings are configured.",
  ],
  [`${head}claude: { allowed_tools: [lokup] }\n`, 'claude.allowed_tools names the tool "lokup", which is not opened.'],
  ["name: [\n", "agent.yaml:"],
];

test.each(brokenAgents)("bridle doctor finds the fault of an agent file: %j", async (yaml, line) => {
  await writeFile(join(cwd, "agent.yaml"), yaml);
  const { code, stdout } = await inProject(["doctor"]);
  expect({ code, stdout }).toMatchObject({ code: 3 });
  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/✗ Agent /);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(line);
});

test("bridle doctor passes an agent file that is valid, and starts none of its tools", async () => {
  const tool = "{ type: mcp, name: files, command: touch, args: [started] }";
  await writeFile(join(cwd, "agent.yaml"), `${head}tools: [${tool}]\n`);
  const { code, stdout } = await inProject(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ Agent +agent\.yaml is valid: desk, on claude-code; its tools were not opened$/m);
  await expect(access(join(cwd, "started"))).rejects.toThrow();
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

test("bridle doctor marks a setting that works but needs a change as a warning", async () => {
  await configure("llm: { promptCaching: { toolsTtl: 1h } }");
  const { code, stdout } = await inProject(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^! Prompt caching {4}claude-code ignores toolsTtl\n {20}→ Remove/m);
});

test.each([["status"], ["models"], ["doctor"]])("bridle %s reads the folder of --project-dir", async (command) => {
  const folder = join(cwd, "other");
  await mkdir(folder);
  await writeFile(join(folder, "bridle.yaml"), "llm: { models: { default: opus, elsewhere: haiku } }");
  const { code, stdout } = await inProject([command, "--project-dir", "other", "--json"], {
    ANTHROPIC_API_KEY: "k",
    PATH: process.env.PATH ?? "",
  });
  expect(code).toBe(0);
  expect(stdout).toContain("elsewhere");
});

test("any other failure of a host ends bridle models and bridle doctor with exit code 5", async () => {
  const server = createServer((_, response) =>
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"Not so."}}'),
  );
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await configure(`llm: { provider: { backend: openai-compatible, baseUrl: "${url}" }, models: { default: m } }`);
  for (const words of [["models"], ["doctor", "--live"]]) expect((await inProject(words)).code).toBe(5);
});

test("a silent host ends bridle models and bridle doctor with exit code 5", async () => {
  const server = createServer(() => {});
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = `{ backend: openai-compatible, baseUrl: "${url}", idleTimeoutMs: 100 }`;
  await configure(`llm: { provider: ${provider}, models: { default: m } }`);
  expect(await inProject(["models"])).toMatchObject({ code: 5, stderr: expect.stringContaining("sent nothing for") });
  expect((await inProject(["doctor", "--live"])).code).toBe(5);
});

test("an interrupt ends bridle doctor and bridle models with 130 and a message, reports no failed check, and with --json is one document", async () => {
  const server = createServer(() => interrupt());
  let interrupt = () => {};
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  await configure(`llm: { provider: { backend: openai-compatible, baseUrl: "${url}" }, models: { default: m } }`);
  for (const words of [["models"], ["doctor", "--live"]]) {
    const started = createTestCli(words, { cwd, environment: { HOME: cwd } });
    interrupt = () => started.interrupt("SIGINT");
    const { code, stdout, stderr } = await started.run();
    expect(code).toBe(130);
    expect(stdout).not.toContain("✗");
    expect(stderr).toMatch(/stopped: interrupted by SIGINT\.\n$/);
  }
  const started = createTestCli(["models", "--json"], { cwd, environment: { HOME: cwd } });
  interrupt = () => started.interrupt("SIGINT");
  const { code, stdout } = await started.run();
  const message = "The command was interrupted by SIGINT.";
  expect({ code, document: JSON.parse(stdout) }).toEqual({
    code: 130,
    document: { error: { name: "Interrupted", code: "interrupted", message, retryable: true } },
  });
});

test("bridle config schema prints a JSON Schema that accepts a valid file and refuses an invalid one", async () => {
  const { code, stdout } = await runCli(["config", "schema"]);
  expect(code).toBe(0);
  const schema = z.fromJSONSchema(JSON.parse(stdout));
  expect(schema.safeParse({ llm: { models: { default: "opus" } } }).success).toBe(true);
  expect(schema.safeParse({ llm: { model: "opus" } }).success).toBe(false);
});

test("on a narrow terminal bridle status and bridle doctor wrap lines between words, and longer paths anywhere", async () => {
  cwd = join(cwd, "a-rather-long-name-of-a-folder", "another-one-that-is-as-long", "project");
  await mkdir(cwd, { recursive: true });
  await configure("llm: { models: { default: sonet }, promptCaching: { toolsTtl: 1h } }");
  for (const [words, indent] of [
    [["status"], 10],
    [["doctor"], 20],
  ] as const) {
    const { stdout } = await runCli(words, { cwd, environment: { HOME: cwd, NO_COLOR: "1" }, isTTY: true });
    expect(stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(stdout).toMatch(new RegExp(`\n {${indent}}\\S`));
  }
});
