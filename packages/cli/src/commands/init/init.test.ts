// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAgent } from "@bridle/agent";
import { findProvider, providerNames, templateNames } from "@bridle/app/init";
import { createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { openProject } from "@bridle/project";
import { parseScript } from "@bridle/rehearsal";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestCli, runCli, type TestOptions } from "../../command/cli-for-tests.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-init-test-"));
});
afterEach(() => rm(cwd, { recursive: true }));

/** An address where no server listens. */
const nobody = { OLLAMA_HOST: "127.0.0.1:1" };
const refused: ScriptedModel = [{ steps: [{ fail: "authentication" }] }];

const init = (words: readonly string[], test: TestOptions = {}) =>
  runCli(["init", ...words], { cwd, model: refused, ...test, environment: { ...nobody, ...test.environment } });
const tree = async (folder = cwd) => (await readdir(folder, { recursive: true })).sort();
const text = (name: string) => readFile(join(cwd, name), "utf8");

describe("the project that bridle init creates", () => {
  test("has an agent, a tool, documents, test cases and a script, and the output names the next commands", async () => {
    const { code, stdout, stderr } = await init(["desk", "--yes"], { model: [] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await tree(join(cwd, "desk"))).toEqual([
      ".bridle",
      ".bridle/.gitignore",
      ".bridle/agent.schema.json",
      ".bridle/bridle.schema.json",
      "README.md",
      "agent.yaml",
      "bridle.yaml",
      "docs",
      "docs/care.md",
      "docs/returns.md",
      "docs/shipping.md",
      "instructions.md",
      "package.json",
      "rehearsal.yaml",
      "tools.ts",
    ]);
    expect(stdout).toContain("Claude Code login: works (checked with one short request)");
    expect(stdout).toMatch(
      /\n {2}cd desk && (node .*bridle\.js) chat --rehearse rehearsal\.yaml\n {2}\1 test --rehearse rehearsal\.yaml\n {2}\1 web --rehearse rehearsal\.yaml\n.*\n {2}\1 chat\n$/,
    );
    expect(await text("desk/.bridle/.gitignore")).toBe("*\n");
    const { config } = await loadAgent(join(cwd, "desk/agent.yaml"), { environment: {} });
    expect(config.tools?.map(({ type }) => type)).toEqual(["function", "documents"]);
    expect(config.test_cases).toHaveLength(5);
  });

  test.each(templateNames)("has a valid agent and script from the template %s", async (template) => {
    expect(await init(["--template", template])).toMatchObject({ code: 0 });
    const { config } = await loadAgent(join(cwd, "agent.yaml"), { environment: {} });
    expect(config.test_cases).toHaveLength(5);
    expect(() => parseScript("", "x")).toThrow();
    const { turns } = parseScript(await text("rehearsal.yaml"), "rehearsal.yaml");
    expect(turns.length).toBeGreaterThan(2);
  });

  test("has the given name, whatever characters it contains", async () => {
    await init([".", "--name", 'Ada: "desk" $& #1']);
    const { config } = await loadAgent(join(cwd, "agent.yaml"), { environment: {} });
    expect(config.name).toBe('Ada: "desk" $& #1');
  });

  test("is described as JSON with --json, without a question", async () => {
    const { stdout } = await init(["desk", "--json"], { isTTY: true, typed: [], environment: { OPENAI_API_KEY: "k" } });
    expect(JSON.parse(stdout)).toMatchObject({
      folder: join(cwd, "desk"),
      template: "support",
      provider: "openai",
      model: "gpt-6-sol",
      missing: [],
      found: {
        logins: ["claude-code", "codex", "copilot-login"].map((provider) => ({ provider, state: "refused" })),
        variables: ["OPENAI_API_KEY"],
        ollama: null,
      },
    });
  });
});

describe("the host in the new project", () => {
  test("is Claude Code if its login works, otherwise the API whose key is set", async () => {
    const environment = { ANTHROPIC_API_KEY: "sk-secret" };
    await init(["a"], { environment, model: [] });
    expect(await text("a/bridle.yaml")).toContain("backend: claude-code\n");
    const { stdout } = await init(["b"], { environment });
    expect(await text("b/bridle.yaml")).toContain("apiKey: ${ANTHROPIC_API_KEY}");
    expect(stdout).toContain("ANTHROPIC_API_KEY is set");
    expect(stdout + (await text("b/bridle.yaml"))).not.toContain("sk-secret");
  });

  test("is reported as missing with its setup if no login and no key is found, and the project is created anyway", async () => {
    const { code, stdout } = await init([]);
    expect(code).toBe(0);
    for (const part of [
      "Claude Code login: none. To set it up",
      "Keys in the environment: none",
      "Ollama: not running",
    ])
      expect(stdout).toContain(part);
    expect(stdout).toContain('but it was not found to work. To set it up: run "claude" once and log in');
  });

  test("has its setup named with commands as the reader can start them", async () => {
    const { stdout } = await init([], { command: "npx bridle" });
    expect(stdout.match(/\S+ bridle\s+doctor\s+--live/g)?.length).toBeGreaterThan(1);
    expect(stdout).not.toMatch(/(?<!npx )bridle\s+doctor/);
  });

  test("is reported as not checked if the check cannot run", async () => {
    const createRuntime = () => Promise.reject(new Error("The binary is missing."));
    const { stdout } = await init([], { createRuntime });
    expect(stdout).toContain("Claude Code login: not checked (The binary is missing.)");
  });

  test("is the value of --provider, without a question and without a request", async () => {
    const { stdout, options } = await init(["--provider", "openai", "--model", "gpt-6-luna"]);
    expect(options).toBeUndefined();
    expect(stdout).toContain("OPENAI_API_KEY is not set.");
    const settings = (await openProject({ projectDir: cwd, environment: { OPENAI_API_KEY: "k" } })).settings;
    expect(settings).toMatchObject({ provider: { backend: "openai", apiKey: "k" }, models: { default: "gpt-6-luna" } });
  });

  test.each(providerNames)("%s has a bridle.yaml that resolves with the variables that it names", async (provider) => {
    expect(await init(["--provider", provider, "--model", "m"])).toMatchObject({ code: 0 });
    const names = [...(await text("bridle.yaml")).matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => [name, "given"]);
    const settings = (await openProject({ projectDir: cwd, environment: Object.fromEntries(names) })).settings;
    expect(settings).toMatchObject({ models: { default: "m" }, absent: {} });
  });

  test("the provider ollama without an installed model is refused", async () => {
    const { code, stderr } = await init(["--provider", "ollama"]);
    expect(code).toBe(3);
    expect(stderr).toContain("Ollama at http://127.0.0.1:1 does not answer");
    expect(await tree()).toEqual([]);
  });

  test("the default model for OpenAI is in Bridle's table", async () => {
    const project = await openProject({ backend: "openai", projectDir: cwd, environment: {} });
    const { models } = await project.models();
    expect(models.map(({ id }) => id)).toContain(findProvider("openai").model);
  });
});

describe("a refused or interrupted init changes nothing", () => {
  test("the error names existing files, and --force replaces them", async () => {
    await writeFile(join(cwd, "agent.yaml"), "mine");
    await writeFile(join(cwd, "README.md"), "mine");
    const { code, stderr } = await init([]);
    expect(code).toBe(3);
    expect(stderr).toContain("README.md, agent.yaml in . exist already.");
    expect(stderr).toContain("--force");
    expect(await tree()).toEqual(["README.md", "agent.yaml"]);
    expect(await init(["--force"])).toMatchObject({ code: 0 });
    expect(await text("README.md")).toContain("# Support desk");
  });

  test("the user's .gitignore and package.json stay as they are, and git ignores the state of the project", async () => {
    await writeFile(join(cwd, ".gitignore"), "node_modules");
    await writeFile(join(cwd, "package.json"), '{ "name": "mine" }');
    await writeFile(join(cwd, "notes.txt"), "mine");
    expect(await init([])).toMatchObject({ code: 0 });
    expect(await text(".gitignore")).toBe("node_modules");
    for (const command of ["init", "add --all"]) execFileSync("git", command.split(" "), { cwd, stdio: "ignore" });
    const added = execFileSync("git", ["ls-files"], { cwd, encoding: "utf8" }).split("\n");
    expect(added).toContain("agent.yaml");
    expect(added.filter((name) => name.startsWith(".bridle"))).toEqual([]);
    for (const name of await tree(join(cwd, ".bridle")))
      expect((await stat(join(cwd, ".bridle", name))).mode & 0o077, name).toBe(0);
    expect((await stat(join(cwd, ".bridle"))).mode & 0o077).toBe(0);
    expect(await text("package.json")).toBe('{ "name": "mine" }');
    expect(await text("notes.txt")).toBe("mine");
  });

  test.each([
    ["what?", 2, "cannot be a folder"],
    ["file", 3, "file is a file. Name a folder."],
    ["file/desk", 3, "Part of the path file/desk is a file."],
    [".", 3, "docs in . is a file, but the project needs a folder of this name."],
  ])("%s", async (dir, code, sentence) => {
    await writeFile(join(cwd, "file"), "");
    await writeFile(join(cwd, "docs"), "");
    const ended = await init([dir]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(sentence);
    expect(await tree()).toEqual(["docs", "file"]);
  });

  test("an unknown template or provider is refused with the nearest name", async () => {
    expect((await init(["--template", "suport"])).stderr).toContain('Did you mean "support"?');
    expect((await init(["--provider", "antropic"])).stderr).toContain('Did you mean "anthropic"?');
  });

  test("an interrupt during the check of the login leaves no files", async () => {
    const createRuntime = async () => {
      const runtime = createAgentRuntime({ backend: createMemoryBackend([]), models: { default: "m" } });
      const checkAuth = (signal?: AbortSignal) =>
        new Promise<never>((_resolve, reject) => {
          const stop = () => reject(new Error("stopped"));
          if (signal?.aborted) return stop();
          signal?.addEventListener("abort", stop);
          stage.interrupt("SIGINT");
        });
      return { ...runtime, checkAuth };
    };
    const stage = createTestCli(["init", "desk"], { cwd, environment: nobody, createRuntime });
    expect(await stage.run()).toMatchObject({
      code: 130,
      stderr: "Nothing was created. It was stopped: interrupted by SIGINT.\n",
    });
    expect(await tree()).toEqual([]);
  });

  const bin = join(import.meta.dirname, "../../../../bridle/bin/bridle.js");
  const words = ["--conditions=@bridle/source", bin, "init", "desk", "--provider", "anthropic"];
  const run = (command: string, parameters: readonly string[], ids: { uid?: number; gid?: number } = {}) =>
    spawnSync(command, parameters, { cwd, encoding: "utf8", env: { PATH: process.env.PATH ?? "", HOME: cwd }, ...ids });

  test.skipIf(process.platform === "win32")("a disk that becomes full is reported, and leaves no files", async () => {
    const { status, stderr } = run("bash", ["-c", 'ulimit -f 8 && exec "$@"', "-", process.execPath, ...words]);
    expect(stderr).toContain("desk cannot be written (EFBIG); nothing was changed. Free some space");
    expect(status).toBe(3);
    expect(await tree()).toEqual([]);
  });

  /** Runs the command as another user, because root may write everywhere. Needs a user who can read this checkout. */
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const canRead = spawnSync(process.execPath, ["-e", "fs.accessSync(process.argv[1])", bin], other).status === 0;
  test.skipIf(!canRead)("a folder that is not writable is reported with a remedy", async () => {
    await mkdir(join(cwd, "locked"));
    await chmod(join(cwd, "locked"), 0o555);
    await chmod(cwd, 0o755);
    const parameters = words.map((word) => (word === "desk" ? "locked/desk" : word));
    const { status, stderr } = run(process.execPath, parameters, other);
    expect(stderr).toContain("locked/desk cannot be written (EACCES). Name a writable folder.");
    expect(status).toBe(3);
    expect(await tree()).toEqual(["locked"]);
  });
});
