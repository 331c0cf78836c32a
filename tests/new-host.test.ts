/**
 * A new host needs only a folder, a line in the registry of hosts, and a call to the conformance suite. These tests add the tiny host of
 * `packages/project/tests` to the registry, and show that commands and references include it.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backendNames, configJsonSchema, createRuntime, openProject } from "@bridle/project";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCli, type TestOptions } from "../packages/cli/src/command/cli-for-tests.ts";
import { root } from "../scripts/packages.ts";
import { configurationReference } from "../scripts/reference/configuration.ts";
import { featureTables } from "../scripts/reference/features.ts";

vi.mock("../packages/project/src/registries/hosts.ts", async (importOriginal) => {
  const { definitions } = await importOriginal<typeof import("../packages/project/src/registries/hosts.ts")>();
  const { tinyHost } = await import("../packages/project/tests/tiny-host/definition.ts");
  const [proposal] = tinyHost.init;
  const login = { ...proposal, name: "tiny-login", label: "your Tiny login", variables: [], probe: "login" };
  return { definitions: [...definitions, { ...tinyHost, init: [proposal, login] }] };
});

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-new-host-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const noServer = { OLLAMA_HOST: "127.0.0.1:1" };
const bridle = (words: readonly string[], { environment, ...others }: TestOptions = {}) =>
  runCli(words, { cwd, environment: { ...noServer, HOME: cwd, ...environment }, createRuntime, ...others });

test("bridle init offers a new host, and --provider creates a project that opens on it", async () => {
  const { stdout: help } = await bridle(["init", "--help"]);
  expect(help.replaceAll(/\s+/g, " ")).toContain("tiny, tiny-login (default:");
  const created = await bridle(["init", "--yes", "--provider", "tiny"]);
  expect(created).toMatchObject({ code: 0, stderr: "" });
  expect(created.stdout.replaceAll(/\s+/g, " ")).toContain(
    "bridle.yaml uses Tiny's API with the model tiny-1, but TINY_TOKEN is not set. To set it up: make a token at tiny.example, and set TINY_TOKEN.",
  );
  const { settings } = await openProject({ projectDir: cwd, environment: { TINY_TOKEN: "t" } });
  expect(settings).toMatchObject({ provider: { backend: "tiny", token: "t" }, models: { default: "tiny-1" } });
});

test("bridle init finds the credential of a new host, and uses it if no login works", async () => {
  const refusing: TestOptions = { createRuntime: () => Promise.reject(new Error("not now")) };
  const { stdout } = await bridle(["init", "--yes"], { ...refusing, environment: { TINY_TOKEN: "t" } });
  expect(stdout).toContain("Tiny's API: TINY_TOKEN is set");
  expect(stdout).toContain("Tiny login: not checked (not now).");
  expect(await readFile(join(cwd, "bridle.yaml"), "utf8")).toContain("backend: tiny\n");
  const { stdout: without } = await bridle(["init", "--yes", "--force"], refusing);
  expect(without).toMatch(/Keys in the environment: none \(looked for .*TINY_TOKEN\)/);
});

test("bridle init checks the login of every host that has one", async () => {
  const { stdout } = await runCli(["init", "--json"], { cwd, environment: noServer });
  expect(JSON.parse(stdout).found.logins).toEqual([
    { provider: "claude-code", state: "accepted" }, // the tests' in-memory model answers every check
    { provider: "codex", state: "accepted" },
    { provider: "copilot-login", state: "accepted" },
    { provider: "tiny-login", state: "accepted" },
  ]);
});

test("bridle run --rehearse runs a script on a new host, and bridle run uses its server", async () => {
  const script = { rehearsal: 1, turns: [{ steps: [{ say: "Hello to you." }] }] } as const;
  await writeFile(join(cwd, "script.yaml"), JSON.stringify(script));
  await writeFile(join(cwd, "agent.yaml"), "name: greeter\ninstructions: { inline: Greet. }\n");
  await using server = await startServer();
  await writeFile(
    join(cwd, "bridle.yaml"),
    `llm: { provider: { backend: tiny, token: t, baseUrl: "${server.url}" } }\n`,
  );
  const run = async (...words: string[]) => {
    const { stdout, stderr } = await bridle(["run", "--agent", "agent.yaml", "--ephemeral", "Hi", ...words]);
    return stdout || stderr; // if the command fails, the test shows why
  };
  expect(await run("--rehearse", join(cwd, "script.yaml"))).toBe("Hello to you.\n");
  expect(await run()).toBe("Hello from the server.\n");
});

async function startServer() {
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello from the server." }] }] });
  const { url, close } = await startRehearsal({ script });
  return { url, [Symbol.asyncDispose]: close };
}

test("bridle status shows the versions of a new host by their names", async () => {
  await writeFile(join(cwd, "bridle.yaml"), `llm: { provider: { backend: tiny, token: "\${TINY_TOKEN}" } }\n`);
  const { stdout } = await bridle(["status"], { environment: { TINY_TOKEN: "t" } });
  expect(stdout).toContain("Backend   tiny (tiny 1.2.3)\n");
  expect(stdout).toContain("Auth      llm.provider.token");
});

test("the reference of bridle.yaml includes the keys of a new host", () => {
  const reference = configurationReference(configJsonSchema());
  expect(reference).toContain("| `llm.provider.token` | a string |  | `tiny`: The token of the account. |");
});

test("a new host that runs the suite is the last column of the feature tables, as it is last in the registry", () => {
  const result = { title: "answers", status: "passed" };
  const testResults = ["tiny", "claude-code", "anthropic"].map((id) => ({
    name: `/r/packages/hosts/${id}/tests/conformance.test.ts`,
    assertionResults: [{ ...result, ancestorTitles: [id, "a run"] }],
  }));
  expect(featureTables({ testResults })).toContain("|  | claude-code | anthropic | tiny |");
});

test("the feature tables of docs/reference/backends.md have a column for each host of the registry, in its order", async () => {
  const document = await readFile(join(root, "docs/reference/backends.md"), "utf8");
  const headings = [...document.matchAll(/^\| {2}\| (.*) \|\n\| --- \| :-: /gm)].map(([, names]) =>
    names?.split(" | "),
  );
  const names: readonly string[] = backendNames;
  const registered = names.filter((name) => name !== "none" && name !== "tiny");
  expect(headings.length).toBeGreaterThan(5);
  for (const heading of headings) expect(heading).toEqual(registered);
});
