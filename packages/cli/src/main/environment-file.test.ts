// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command/cli-for-tests.ts";

/** Creates a project with a `.env`, and functions that run commands in it. */
function project(env: string, config = "llm: { models: { default: '${MODEL}' } }") {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "bridle-env-")));
  onTestFinished(() => rmSync(top, { recursive: true }));
  const [cwd, home] = [join(top, "desk"), join(top, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder);
  writeFileSync(join(cwd, "bridle.yaml"), config);
  writeFileSync(join(cwd, ".env"), env);
  const run = (words: string, more: Record<string, string> = { BRIDLE_TRUST: "all" }) =>
    runCli(words.split(" "), { cwd, environment: { HOME: home, ...more }, hasTrust: true });
  return { cwd, run, file: join(cwd, ".env") };
}

async function statusOf(running: ReturnType<typeof runCli>) {
  const { stdout, stderr } = await running;
  const { models, environmentFile } = JSON.parse(stdout);
  return { model: models[0].model, environmentFile, stderr };
}

test("the variables of a .env fill in bridle.yaml, and are named without their values", async () => {
  const { run, file } = project('# ours\nMODEL="opus"\nexport SHOP_TOKEN=tok-91f3\n');
  const { stderr, stdout, code } = await run("status --json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: `Read from ${file}: MODEL, SHOP_TOKEN.\n` });
  expect(stdout).not.toContain("tok-91f3");
  const names = { read: ["MODEL", "SHOP_TOKEN"], set: [], refused: [], fault: null };
  expect(JSON.parse(stdout).environmentFile).toEqual({ path: file, ...names });
  expect((await run("status")).stdout).toContain(`Env file  read from ${file}: MODEL, SHOP_TOKEN\n`);
});

test("a variable that is set, even to nothing, is never replaced by a .env", async () => {
  const { run } = project("MODEL=opus\nSHOP_TOKEN=tok-91f3\n");
  const environment = { BRIDLE_TRUST: "all", MODEL: "haiku", SHOP_TOKEN: "" };
  const { environmentFile, stderr } = await statusOf(run("status --json", environment));
  expect(environmentFile).toMatchObject({ read: [], set: ["MODEL", "SHOP_TOKEN"] });
  expect(environment).toMatchObject({ MODEL: "haiku", SHOP_TOKEN: "" });
  expect(stderr).toBe("");
});

test("a .env is read only after its folder is trusted, and again asked about when it changes", async () => {
  const { run, cwd, file } = project("MODEL=opus\n");
  const untrusted = await run("doctor --json", {});
  expect(untrusted.stderr).toContain(`${file} was not read, because it is not trusted. Run "bridle trust"`);
  expect(JSON.parse(untrusted.stdout).checks).toContainEqual(
    expect.objectContaining({ id: "environment-file", ok: true, remedy: expect.stringContaining("bridle trust") }),
  );
  const trusted = await run("trust", {});
  expect(trusted.stdout).toContain("the variable MODEL from this file");
  expect(await statusOf(run("status --json", {}))).toMatchObject({ environmentFile: { read: ["MODEL"], fault: null } });
  writeFileSync(join(cwd, ".env"), "MODEL=haiku\n");
  const changed = await run("status", {});
  expect(`${changed.stdout}${changed.stderr}`).toContain("was not read, because it is not trusted");
  expect(await statusOf(run("status --json --trust", {}))).toMatchObject({ environmentFile: { read: ["MODEL"] } });
});

test("--no-env-file, and a namespace, leave a .env unread", async () => {
  const { run } = project("MODEL=opus\n", "");
  for (const flags of ["--no-env-file", "--namespace ada"]) {
    const { stdout, stderr } = await run(`status --json ${flags}`);
    expect({ stderr, read: JSON.parse(stdout).environmentFile }).toEqual({ stderr: "", read: null });
  }
});

test.each([
  "HOME",
  "PATH",
  "XDG_STATE_HOME",
  "HTTPS_PROXY",
  "CLAUDE_CONFIG_DIR",
  "claude_config_dir",
  "BRIDLE_TRUST",
  "BRIDLE_PROJECT_DIR",
  "NODE_OPTIONS",
  "LD_PRELOAD",
  "PYTHONPATH",
  "GIT_DIR",
])("a .env cannot set %s", async (name) => {
  const { run, file } = project(`${name}=/elsewhere\nNODE_ENV=test\n`, "");
  const { stdout, stderr } = await run("status --json", { BRIDLE_TRUST: "all", TERM: "dumb" });
  const isSet = name === "HOME" || name === "BRIDLE_TRUST";
  expect(JSON.parse(stdout).environmentFile).toMatchObject({ read: ["NODE_ENV"], refused: [name] });
  expect(stderr).toBe(`Read from ${file}: NODE_ENV; never read from a file: ${name}.\n`);
  expect(isSet || !stdout.includes("/elsewhere")).toBe(true);
});

test("doctor says which variables were read from a .env", async () => {
  const { run, file } = project("MODEL=opus\n");
  const { stdout } = await run("doctor --json");
  expect(JSON.parse(stdout).checks).toContainEqual({
    id: "environment-file",
    title: "Environment file",
    area: "configuration",
    ok: true,
    detail: `read from ${file}: MODEL`,
  });
});

test("a folder named .env, as Python has it, and a missing file are no .env", async () => {
  const { run, file } = project("MODEL=opus\n", "");
  rmSync(file);
  expect(await statusOf(run("status --json"))).toMatchObject({ environmentFile: null, stderr: "" });
  mkdirSync(file);
  expect(await statusOf(run("status --json"))).toMatchObject({ environmentFile: null, stderr: "" });
});
