// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseScript } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestCli, runCli, type TestOptions } from "../../command/cli-for-tests.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-record-test-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const model = [{ steps: [{ say: "Hello to you." }] }];
const record = (words: readonly string[], test: TestOptions = {}) =>
  runCli(["record", ...words], { model, cwd, ...test });
const read = (name: string) => readFile(join(cwd, name), "utf8");

test("bridle record runs like bridle run, and prints the path of the cassette on standard error", async () => {
  const ran = await runCli(["run", "Hello"], { model, cwd });
  const recorded = await record(["--out", "hello.yaml", "Hello"]);
  expect({ ...recorded, options: undefined }).toEqual({
    ...ran,
    stderr: `${ran.stderr}Recorded to hello.yaml (1 turn).\n`,
    options: undefined,
  });
  expect(await read("hello.yaml")).toMatch(
    /^# A cassette: .* on memory with memory-1\.\n# Recorded \S+ by Bridle 1\.2\.3, /,
  );
  expect(parseScript(await read("hello.yaml")).turns).toHaveLength(1);
  expect(await readdir(cwd)).toEqual(["hello.yaml"]);
});

test("a run that fails is recorded too, and ends with its own exit code", async () => {
  const failing = [{ steps: [{ fail: "overloaded" as const }] }];
  expect(await record(["--out", "fail.yaml", "Hello"], { model: failing })).toMatchObject({ code: 5 });
  expect(await read("fail.yaml")).toContain("status: 529");
});

test("a run that is interrupted is recorded up to the interrupt", async () => {
  const stalling = [{ steps: [{ say: "Let me", stall: true }] }];
  const { run, texts, interrupt } = createTestCli(["record", "--events", "--out", "stopped.yaml", "Hello"], {
    model: stalling,
    cwd,
  });
  const ended = run();
  while (!texts.stdout.includes('"text":"e"')) await new Promise((resolve) => setTimeout(resolve, 5));
  interrupt("SIGINT");
  expect(await ended).toMatchObject({
    code: 130,
    stderr: expect.stringContaining("warning: the cassette differs from the run"),
  });
  expect(await read("stopped.yaml")).toContain("say: Let me\n");
});

test("a run without an answer of the model leaves no file", async () => {
  const silent = [{ steps: [{ fail: "invalid-request" as const }] }];
  const { run, interrupt } = createTestCli(["record", "--out", "none.yaml", "Hello"], {
    model: silent,
    cwd,
    createRuntime: async () => {
      interrupt("SIGINT");
      throw new Error("no host");
    },
  });
  expect(await run()).toMatchObject({
    stderr: expect.stringContaining("none.yaml was not written: the model gave no answer.\n"),
  });
  expect(await readdir(cwd)).toEqual([]);
});

test("an existing file is kept, unless --force is given", async () => {
  await writeFile(join(cwd, "mine.yaml"), "mine");
  expect(await record(["--out", "mine.yaml", "Hello"])).toMatchObject({
    code: 3,
    stdout: "",
    stderr: "mine.yaml exists. Add --force to overwrite it, or name another file after --out.\n",
    options: undefined,
  });
  expect(await read("mine.yaml")).toBe("mine");
  expect(await record(["--out", "mine.yaml", "--force", "Hello"])).toMatchObject({ code: 0 });
  expect(await read("mine.yaml")).toContain("Hello to you.");
});

test("a file that appears during the run is kept, and the cassette is written beside it", async () => {
  const tools = `export default [{ name: "meanwhile", description: "x", input: (await import(${JSON.stringify(import.meta.resolve("zod"))})).z.object({}),
    execute: async () => { (await import("node:fs")).writeFileSync(${JSON.stringify(join(cwd, "c.yaml"))}, "theirs"); return "done"; } }];`;
  await writeFile(join(cwd, "tools.mjs"), tools);
  const calling = [{ steps: [{ calls: [{ tool: "meanwhile", input: {} }] }, { say: "Done" }] }];
  const { code, stderr } = await record(["--out", "c.yaml", "--tools", "tools.mjs", "Go"], { model: calling });
  expect({ code, theirs: await read("c.yaml") }).toEqual({ code: 3, theirs: "theirs" });
  const [, kept = ""] = /The new content is in (\S+)\.\n/.exec(stderr) ?? [];
  expect(parseScript(await readFile(kept, "utf8")).turns).toHaveLength(1);
});

test("a path that is not writable is refused before the run starts", async () => {
  await mkdir(join(cwd, "folder"));
  await mkdir(join(cwd, "locked"), { mode: 0o500 });
  const refused = async (out: string) => {
    const { code, stderr, options } = await record(["--out", out, "Hello"]);
    return { code, stderr, options };
  };
  expect(await refused("folder")).toEqual({
    code: 3,
    stderr: "folder is a folder. Name a file after --out.\n",
    options: undefined,
  });
  expect(await refused("missing/c.yaml")).toEqual({
    code: 3,
    stderr: "missing/c.yaml cannot be written (ENOENT). Name a file in a writable folder after --out.\n",
    options: undefined,
  });
  if (process.getuid?.() !== 0) expect(await refused("locked/c.yaml")).toMatchObject({ code: 3, options: undefined });
  await chmod(join(cwd, "locked"), 0o700);
});

test("the error names a missing --out or a missing prompt", async () => {
  expect(await record(["Hello"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--out is missing.") });
  expect(await record(["--out", "c.yaml"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The prompt is missing."),
  });
});

test("the cassette contains no values of credentials, and none that bridle.yaml reads from the environment", async () => {
  await writeFile(
    join(cwd, "bridle.yaml"),
    "llm: { provider: { auth: api_key, baseUrl: 'https://${SHOP_HOST}/v1' } }\n",
  );
  const environment = { SHOP_HOST: "tulip.example", SHOP_API_KEY: "hyacinth-77", SHOP_NAME: "Orchid" };
  const said = "https://tulip.example/v1, tulip.example, hyacinth-77, Orchid";
  const model = [{ steps: [{ say: said }] }];
  const { code } = await record(["--out", "c.yaml", "--project-dir", cwd, `Say ${said}`], { model, environment });
  expect(code).toBe(0);
  expect(await read("c.yaml")).toContain(
    'say: "[secret: 24 characters], [secret: 13 characters], [secret SHOP_API_KEY], Orchid"',
  );
  expect(await read("c.yaml")).not.toMatch(/tulip|hyacinth/);
});
