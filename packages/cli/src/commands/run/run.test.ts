import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { createRuntime } from "@bridle/project";
import { ConfigError, omitUndefined, runEventSchema, runResultSchema } from "@bridle/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestCli, runCli } from "../../command/cli-for-tests.ts";

let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-run-"));
  await writeFile(join(cwd, "object.json"), '{ "type": "object", "properties": { "n": { "type": "number" } } }');
  await writeFile(join(cwd, "list.json"), '{ "type": "array" }');
  await writeFile(join(cwd, "broken.json"), '{ "type": ');
  await writeFile(join(cwd, "marked.json"), '\uFEFF{ "type": "object", "properties": { "n": { "type": "number" } } }');
  await writeFile(join(cwd, "foreign.json"), '{ "type": "object", "properties": { "n": { "$ref": "other.json" } } }');
  await writeFile(join(cwd, "keyword.json"), '{ "type": "object", "unevaluatedProperties": false }');
  await writeFile(
    join(cwd, "format.json"),
    '{ "type": "object", "properties": { "n": { "type": "string", "format": "phone" } } }',
  );
  await writeFile(join(cwd, "system.md"), "Answer in verse.");
});
afterAll(() => rm(cwd, { recursive: true }));

const hello: ScriptedModel = [{ steps: [{ say: "Hello, world." }] }];
const stall: ScriptedModel = [{ steps: [{ say: "Let me", stall: true }] }];
const endless: ScriptedModel = [{ steps: [{ calls: [{ tool: "nothing", input: {} }], forever: true }] }];

test("the text goes to standard output and ends with a line feed; standard error stays empty", async () => {
  expect(await runCli(["run", "Hi"], { model: hello })).toMatchObject({
    code: 0,
    stdout: "Hello, world.\n",
    stderr: "",
  });
});

test("--json prints the result and nothing else", async () => {
  const { code, stdout } = await runCli(["run", "--json", "Hi"], { model: hello });
  expect(code).toBe(0);
  expect(runResultSchema.parse(JSON.parse(stdout))).toMatchObject({ stopReason: "natural", text: "Hello, world." });
});

test("--events prints one event per line, the end last", async () => {
  const { stdout } = await runCli(["run", "--events", "Hi"], { model: hello });
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => runEventSchema.parse(JSON.parse(line)));
  expect(events[0]?.type).toBe("run.started");
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "natural" } });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});

test("--file sends texts and images with the prompt, and a file that cannot be sent is refused", async () => {
  const pixel = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  await writeFile(join(cwd, "dot.png"), pixel);
  await writeFile(join(cwd, "notes.md"), "The parrot is blue.");
  const words = ["run", "--events", "--file", "notes.md", "--file", "dot.png", "What is it?"];
  const { stdout, code } = await runCli(words, { model: hello, cwd });
  expect(code).toBe(0);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.find(({ type }) => type === "model.input").messages[0].content).toMatchObject([
    { type: "text", text: "What is it?" },
    { type: "file", name: "notes.md", data: Buffer.from("The parrot is blue.").toString("base64") },
    { type: "image", mediaType: "image/png", data: pixel.toString("base64") },
  ]);
  expect(await runCli(["run", "--file", "gone.png", "Hi"], { model: hello, cwd })).toMatchObject({
    code: 3,
    stderr: "The file gone.png does not exist. Correct the path after --file.\n",
  });
});

test("--schema prints the object that matches", async () => {
  const model: ScriptedModel = [{ steps: [{ say: "Here it is.", object: { n: 7 } }] }];
  expect(await runCli(["run", "--schema", "object.json", "Hi"], { model, cwd })).toMatchObject({
    code: 0,
    stdout: '{\n  "n": 7\n}\n',
  });
  const { stdout } = await runCli(["run", "--schema", "object.json", "--events", "Hi"], { model, cwd });
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ result: { object: { n: 7 } } });
});

test("a schema file may begin with a byte order mark", async () => {
  const model: ScriptedModel = [{ steps: [{ object: { n: 7 } }] }];
  expect(await runCli(["run", "--schema", "marked.json", "Hi"], { model, cwd })).toMatchObject({ code: 0 });
});

test("an answer that never matches the schema ends with its issues and exit code 1", async () => {
  const model: ScriptedModel = [{ steps: [{ object: { n: "seven" } }] }];
  const { code, stdout, stderr } = await runCli(["run", "--schema", "object.json", "Hi"], { model, cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/No valid object came in 3 answers:\n- n: /);
});

test("a prompt of 5 MB is read whole from standard input", async () => {
  const stdin = `${"words and words ".repeat(330_000)}the end`;
  const { code, stdout } = await runCli(["run", "--events", "-"], { model: hello, stdin });
  expect(code).toBe(0);
  expect(stdout).toContain("the end");
  expect(stdout.length).toBeGreaterThan(5_000_000);
});

test("the backend, the folder and the environment of the command reach the runtime", async () => {
  const words = ["run", "--backend", "none", "--project-dir", "somewhere", "Hi"];
  await mkdir(join(cwd, "somewhere"));
  const { options } = await runCli(words, { cwd, model: hello, environment: { A: "b" } });
  expect(options).toMatchObject({ backend: "none" });
  expect(options?.project?.options).toMatchObject({ projectDir: "somewhere", environment: { A: "b" } });
});

test("--system @file sends the content of the file, and the error for a missing file names it", async () => {
  const stdin = await runCli(["run", "--system", "@nowhere.md", "Hi"], { cwd });
  expect(stdin).toMatchObject({
    code: 3,
    stderr: "The file of instructions nowhere.md does not exist. Correct the path after --system.\n",
  });
  expect(await runCli(["run", "--system", "@system.md", "Hi"], { cwd, model: hello })).toMatchObject({ code: 0 });
});

const wrongSchemas: [file: string, sentence: string | RegExp][] = [
  ["nowhere.json", "The schema nowhere.json does not exist. Correct the path after --schema.\n"],
  ["list.json", /^list\.json: the schema has type "array", but an answer is an object\. Wrap the value: /],
  [".", "The schema . is a folder. Correct the path after --schema.\n"],
  ["foreign.json", /^foreign\.json: The output schema is not supported: .+\$ref.+ name another after --schema\.\n$/],
  ["keyword.json", /^keyword\.json: The output schema is not supported: .+ "unevaluatedProperties"/],
  ["format.json", /^format\.json: The output schema is not supported: .+ "phone"/],
  ["broken.json", /^broken\.json: the schema is not valid JSON \(line \d+, column \d+\)\. Correct the file\.\n$/],
];

test.each(wrongSchemas)("the schema %s is refused with exit code 3", async (file, sentence) => {
  const { code, stderr } = await runCli(["run", "--schema", file, "Hi"], { cwd });
  expect(code).toBe(3);
  expect(stderr).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
});

test("a run that is stopped by its budget names the budget and ends with exit code 1", async () => {
  expect(await runCli(["run", "--steps", "1", "Hi"], { model: endless })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The run used up its budget (1 step). Allow more with --steps.\n"),
  });
});

test("--timeout ends the run with exit code 1", async () => {
  const { code, stderr } = await runCli(["run", "--timeout", "0.05", "Hi"], { model: stall });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "The run did not end within 0.05 s. Allow more time, or ask for less.\n",
  });
});

test("each kind of failure has its exit code, and the reason on standard error", async () => {
  const codes = {
    authentication: 4,
    "usage-limit": 5,
    overloaded: 5,
    "connection-lost": 5,
    "model-not-found": 3,
    "context-overflow": 1,
  };
  for (const [fail, expected] of Object.entries(codes)) {
    const model = [{ steps: [{ fail }] }] as ScriptedModel;
    const { code, stderr } = await runCli(["run", "Hi"], { model });
    expect({ fail, code }).toEqual({ fail, code: expected });
    expect(stderr).toBe(`The scripted model fails: ${fail}.\n`);
  }
});

test("flags choose whether a run waits for a used-up window; by default a pipe waits and a terminal does not", async () => {
  const flags = ["--on-usage-limit", "wait", "--max-wait", "60"];
  const chosen = await runCli(["run", ...flags, "Hi"], { model: hello, isTTY: true });
  expect(chosen.options).toMatchObject({ limits: { onUsageLimit: "wait", maxWaitMs: 60_000 }, unattended: false });
  const piped = await runCli(["run", "Hi"], { model: hello });
  expect(piped.options).toMatchObject({ limits: {}, unattended: true });
});

test.each([[[]], [["--json"]]])(
  "with %j a wait for a used-up window is shown on standard error, and an interrupt ends it",
  async (flags) => {
    const model: ScriptedModel = [{ steps: [{ fail: "usage-limit", resetsInSeconds: 3600 }] }];
    const test = createTestCli(["run", ...flags, "Hi"], {
      createRuntime: async ({ onEvent, limits = {} }) =>
        createAgentRuntime({
          backend: createMemoryBackend(model),
          models: { default: "memory-1" },
          limits: { onUsageLimit: "wait", ...omitUndefined(limits) },
          onEvent: (event) => onEvent?.(event),
        }),
    });
    const end = test.run();
    await expect.poll(() => test.texts.stderr).toContain("waiting for 1 h 0 min, until");
    test.interrupt("SIGINT");
    expect(await end).toMatchObject({ code: 130, stderr: expect.stringContaining("interrupted by SIGINT") });
  },
);

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s ends the run cleanly: its last event is run.finished with the stop reason stopped",
  async (name, expected) => {
    const test = createTestCli(["run", "--events", "Hi"], { model: stall });
    const end = test.run();
    await expect.poll(() => test.texts.stdout).toContain("text.delta");
    test.interrupt(name);
    const { code, stdout, stderr } = await end;
    expect(code).toBe(expected);
    expect(stderr).toBe(`The run was stopped: interrupted by ${name}.\n`);
    expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "run.finished",
      result: { stopReason: "stopped" },
    });
  },
);

test("a reader that closes the pipe ends the run without a message", async () => {
  const test = createTestCli(["run", "--events", "Hi"], { model: stall });
  const end = test.run();
  await expect.poll(() => test.texts.stdout).toContain("text.delta");
  test.closeOutput();
  expect(await end).toMatchObject({ code: 1, stderr: "" });
});

test("an invalid bridle.yaml ends with exit code 3 and the position in the file", async () => {
  await writeFile(join(cwd, "bridle.yaml"), "llm:\n  model: opus\n");
  expect(await runCli(["run", "--project-dir", cwd, "Hi"], { createRuntime })).toMatchObject({
    code: 3,
    stderr: `${join(cwd, "bridle.yaml")}:2:3: unknown key "model". Did you mean "models"?\n`,
  });
});

test("a project without a backend cannot run, and the error says how to choose one", async () => {
  const { code, stderr } = await runCli(["run", "--backend", "none", "Hi"], { createRuntime });
  expect(code).toBe(3);
  expect(stderr).toContain("Set llm.provider.backend in bridle.yaml to claude-code, or pass --backend claude-code.");
});

test("control characters from a host or a tool are shown as escapes in the closing message", async () => {
  const failing = createTestCli(["run", "Hi"], {
    createRuntime: () => Promise.reject(new ConfigError("a\u001b[2Jb\u0007c\nd")),
  });
  expect(await failing.run()).toMatchObject({ code: 3, stderr: "a\\u{1b}[2Jb\\u{7}c\nd\n" });
});

test("an error outside a call that no tool can have caused is reported as an error in Bridle", async () => {
  const test = createTestCli(["run", "--events", "Hi"], { model: stall });
  const end = test.run();
  await expect.poll(() => test.texts.stdout).toContain("text.delta");
  test.fail(new Error("a bug"));
  const { code, stdout, stderr } = await end;
  expect(code).toBe(5);
  expect(stdout.trimEnd().split("\n").at(-1)).toContain("run.finished");
  expect(stderr).toMatch(/^Bridle failed unexpectedly\. Please report this:\nError: a bug\n/);
});
