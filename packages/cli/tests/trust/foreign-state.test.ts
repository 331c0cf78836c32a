/** Tests that the sessions and answers in a clone's `.bridle` folder are not used before the user agrees. */

import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { appendEvents } from "@bridle/conformance";
import { createRuntime } from "@bridle/project";
import { openStore } from "@bridle/store-sqlite";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../../src/command/cli-for-tests.ts";

const script = "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n";

let top = "";
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "bridle-foreign-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
});

interface User {
  readonly cwd: string;
  readonly home: string;
}

function userOf(name: string, cwd = join(top, name, "project")): User {
  const home = join(top, name, "home");
  mkdirSync(cwd, { recursive: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(cwd, "bridle.yaml"), "llm: { provider: { backend: anthropic, apiKey: k } }");
  writeFileSync(join(cwd, "script.yaml"), script);
  return { cwd, home };
}

async function run(words: string, { cwd, home }: User, more: { typed?: string[]; trusting?: boolean } = {}) {
  const environment = { PATH: process.env.PATH ?? "", HOME: home, ...(more.trusting && { BRIDLE_TRUST: "all" }) };
  const typed = more.typed && { typed: more.typed };
  const absolute = words.split(" ").map((word) => (word === "script.yaml" ? join(cwd, word) : word));
  const { code, stdout, stderr } = await runCli(absolute, {
    cwd,
    environment,
    hasTrust: true,
    createRuntime,
    ...typed,
  });
  return { code, stdout, stderr };
}

const ask = "run --session support --rehearse script.yaml Hi";

/** Creates a user with a clone that contains somebody else's state: a session with a question that a stored answer already allows. */
async function victim(): Promise<User> {
  const attacker = userOf("attacker");
  expect(await run(ask, attacker)).toMatchObject({ code: 0 });
  const user = userOf("victim");
  cpSync(join(attacker.cwd, ".bridle"), join(user.cwd, ".bridle"), { recursive: true });
  return user;
}

const using = [
  ask,
  "run --rehearse script.yaml Hi",
  "sessions list",
  "sessions show support",
  "sessions resume support --rehearse script.yaml Hi",
  "sessions fork support",
  "sessions rm support",
  "events",
  "events support",
  "replay",
  "bundle",
  "approvals list",
  "approvals answer a allow",
];

describe("state that came with a clone", () => {
  test.each(using)("is not used by bridle %s: the command is refused, and says what to do", async (words) => {
    const user = await victim();
    const { code, stdout, stderr } = await run(words, user);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(`The folder ${user.cwd} is not trusted`);
    expect(stderr).toContain(join(user.cwd, ".bridle/state.db"));
    expect(stderr).toContain("no questions  an event log that is not marked as yours: its sessions, and its answers");
    expect(stderr).toMatch(/run: bridle trust\. For one command/); // the working directory
  });

  test("is shown by the commands that describe the folder", async () => {
    const user = await victim();
    for (const words of ["status", "doctor", "trust --show"])
      expect((await run(words, user)).stdout, words).toContain("an event log that is not marked as yours");
  });

  test("is the user's after bridle trust, also in a folder where the user moves it", async () => {
    const user = await victim();
    const trusted = await run("trust", user);
    expect(trusted).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("an event log that is not marked as yours"),
    });
    expect(trusted.stdout).toContain("1 effect: trusted.");
    const moved = { ...user, cwd: join(top, "moved") };
    renameSync(user.cwd, moved.cwd);
    expect(await run("sessions list", moved)).toMatchObject({ code: 0, stdout: expect.stringContaining("support") });
    expect(await run(ask, moved)).toMatchObject({ code: 0, stdout: "Hello.\n" });
    expect((await run("trust --show", moved)).stdout).toContain("nothing that needs trust");
  });

  test("is the user's after a yes at the terminal, and is asked about once", async () => {
    const user = await victim();
    expect(await run("sessions list", user, { typed: ["n"] })).toMatchObject({ code: 3, stdout: "" });
    const first = await run("sessions list", user, { typed: ["y"] });
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("support") });
    expect(first.stderr).toContain("Trust these files?");
    expect(await run("sessions list", user)).toMatchObject({ code: 0, stderr: "" });
  });

  test("is used with --trust and with BRIDLE_TRUST=all, and is not the user's by that", async () => {
    const user = await victim();
    expect(await run("sessions list --trust", user)).toMatchObject({ code: 0 });
    expect(await run(ask, user, { trusting: true })).toMatchObject({ code: 0, stdout: "Hello.\n" });
    expect(await run("sessions list", user)).toMatchObject({ code: 3 });
  });

  test.each(["ada", "../B"])(
    "in a namespace is not used either, and bridle trust takes it over (%s)",
    async (namespace) => {
      const words = `sessions list --namespace ${namespace}`;
      const attacker = userOf("attacker");
      await run(`${ask} --namespace ${namespace}`, attacker);
      const user = userOf("victim");
      cpSync(join(attacker.cwd, ".bridle"), join(user.cwd, ".bridle"), { recursive: true });
      expect(await run(words, user)).toMatchObject({ code: 3, stderr: expect.stringContaining("not marked as yours") });
      await run("trust", user);
      expect(await run(words, user)).toMatchObject({ code: 0, stdout: expect.stringContaining("support") });
    },
  );
});

describe("a change by a later checkout is noticed, although the folder was the user's: it replaces", () => {
  test("the database", async () => {
    const [attacker, user] = [userOf("attacker"), userOf("victim")];
    for (const each of [attacker, user]) await run(ask, each);
    expect(await run("sessions list", user)).toMatchObject({ code: 0 });
    copyFileSync(join(attacker.cwd, ".bridle/state.db"), join(user.cwd, ".bridle/state.db"));
    expect(await run("sessions list", user)).toMatchObject({ code: 3 });
  });

  test("the writes beside the database", async () => {
    const [attacker, user] = [userOf("attacker"), userOf("victim")];
    for (const each of [attacker, user]) await run(ask, each);
    const store = openStore({ folder: join(attacker.cwd, ".bridle") });
    onTestFinished(() => store.close());
    await appendEvents(store, { runId: "forged" }, { type: "notice", level: "info", code: "c", message: "m" });
    const wal = join(user.cwd, ".bridle/state.db-wal");
    expect(existsSync(wal)).toBe(false);
    copyFileSync(join(attacker.cwd, ".bridle/state.db-wal"), wal);
    expect(await run("events forged", user)).toMatchObject({ code: 3, stdout: "" });
    rmSync(wal);
    expect(await run("sessions list", user)).toMatchObject({ code: 0 });
  });
});

describe("files that git tracks in .bridle", () => {
  const git = (cwd: string, ...words: string[]) => execFileSync("git", words, { cwd, stdio: "ignore" });

  /** Creates a user with existing state who pulls a commit that adds a file to that state. */
  async function pulled(name: string): Promise<User> {
    const user = userOf("ada");
    git(user.cwd, "init");
    await run(ask, user);
    expect(await run("sessions list", user)).toMatchObject({ code: 0 });
    write(user, name, "one");
    return user;
  }

  function write({ cwd }: User, name: string, text: string): void {
    mkdirSync(dirname(join(cwd, ".bridle", name)), { recursive: true });
    writeFileSync(join(cwd, ".bridle", name), text);
    git(cwd, "add", "--force", `.bridle/${name}`);
  }

  test.each(["documents/handbook.db", "ns/ada/claude-code/.credentials.json", "test-runs/a.jsonl", "rehearsal/x.db"])(
    "such as %s are not used before the user trusts them, and again when they change",
    async (name) => {
      const user = await pulled(name);
      for (const words of [ask, "sessions list", "test history", "test show a", "test compare a b", "trust --show"]) {
        const { code, stdout, stderr } = await run(words, user);
        expect({ words, code }).toEqual({ words, code: 3 });
        expect(stdout + stderr).toContain(`reads         state that is in the repository: ${name} (.bridle)`);
      }
      expect(await run("trust", user)).toMatchObject({ code: 0 });
      expect(await run(ask, user)).toMatchObject({ code: 0 });
      write(user, name, "two");
      expect(await run("sessions list", user)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining(`The folder ${user.cwd} changed since you trusted it.`),
      });
      git(user.cwd, "rm", "--cached", `.bridle/${name}`);
      expect(await run("sessions list", user)).toMatchObject({ code: 0 });
    },
  );

  test("need no trust if they only say what git ignores", async () => {
    expect(await run("sessions list", await pulled(".gitignore"))).toMatchObject({ code: 0 });
  });
});

describe("the user's own state", () => {
  test("is used without a question, and marked with a key that only the user can read", async () => {
    const user = userOf("ada");
    for (const words of [ask, "sessions list", "approvals list", "replay"])
      expect(await run(words, user), words).toMatchObject({ code: 0, stderr: expect.not.stringContaining("trust") });
    const key = join(user.home, ".local/state/bridle/state.key");
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test("of a program counts as the user's in the command", async () => {
    const user = userOf("ada");
    const runtime = await createRuntime({
      projectDir: user.cwd,
      environment: { HOME: user.home },
      rehearse: join(user.cwd, "script.yaml"),
      eventLog: "project",
    });
    await runtime.generateText({ prompt: "Hi" });
    await runtime.close();
    expect(await run("events", user)).toMatchObject({ code: 0 });
  });

  test.each([
    ["damaged", "is damaged"],
    ["", "is damaged"],
  ])("is not used if the key is %j, and the sentence names the key", async (text, problem) => {
    const user = userOf("ada");
    await run(ask, user);
    const key = join(user.home, ".local/state/bridle/state.key");
    writeFileSync(key, text);
    const { code, stderr } = await run("sessions list", user);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(`${problem}: ${key}`) });
    rmSync(key);
    expect((await run("sessions list", user)).stderr).toContain("not marked as yours");
  });
});
