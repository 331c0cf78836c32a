import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError, TrustedFolder } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeTableFile } from "./change-files.ts";
import type { ChangeAuthor, FileChange } from "./file-change.ts";
import { listChanges } from "./list-changes.ts";
import { TableFiles } from "./table-files.ts";

const person: ChangeAuthor = { source: "person" };
const agent: ChangeAuthor = { source: "model", name: "analyst", reason: "The values say so." };

let projectDir: string;
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-context-files-"));
});
afterEach(() => rmSync(projectDir, { recursive: true, force: true }));

const file = "context/tables/w/main.yaml";
const options = () => ({ projectDir, stateDir: join(projectDir, ".bridle") });
const put = (text: string, name = file) => {
  mkdirSync(dirname(join(projectDir, name)), { recursive: true });
  writeFileSync(join(projectDir, name), text);
};
const read = () => readFileSync(join(projectDir, file), "utf8");
const describeTable = (text: string, subject = "w.main.orders"): FileChange => ({ kind: "description", subject, text });
const change = (what: FileChange, author: ChangeAuthor = person, more: object = {}) =>
  changeTableFile(what, author, { ...options(), ...more });

test("the first change creates the file", async () => {
  expect(await change(describeTable("One row for each order."))).toEqual({ isApplied: true, file });
  expect(read()).toBe("tables:\n  orders:\n    description: One row for each order.\n");
  expect(new TableFiles(options()).read().tables.get("w.main.orders")).toEqual({
    description: "One row for each order.",
  });
});

test("comments, order and unknown keys stay when an entry is changed", async () => {
  const text = `# our notes
tables:
  # the most important one
  orders:
    owner: team sales # unknown to us
    description: Old. # checked in May
    columns:
      total: { description: 'With tax', unit: EUR }

  customers:
    hidden: true
extra:
  - 1
joins:
  - from: w.main.orders.customer_id # by Ann
    to: w.main.customers.id
    status: rejected
    note: ask Bob
`;
  put(text);
  await change(describeTable("New."));
  await change(describeTable("Without tax", "w.main.orders.total"));
  const ends = {
    from: { table: "w.main.orders", columns: ["customer_id"] },
    to: { table: "w.main.customers", columns: ["id"] },
  };
  await change({ kind: "join", ...ends, status: "accepted" });
  await change({ kind: "hidden", subject: "w.main.customers", hidden: false });
  expect(read()).toBe(
    text
      .replace("Old.", "New.")
      .replace("'With tax'", "'Without tax'")
      .replace("rejected", "accepted")
      .replace("  customers:\n    hidden: true\n", "  customers: {}\n"),
  );
});

test("names that look like numbers, or that contain dots and quotes, are found again", async () => {
  put("tables:\n  2024: { description: A year. }\n");
  await change(describeTable("Orders of a year.", "w.main.2024"));
  expect(read()).toBe("tables:\n  2024: { description: Orders of a year. }\n");
  const subject = 'w.main."a.""b"."c d"';
  await change({ kind: "sensitive", subject });
  expect(new TableFiles(options()).read().tables.get('w.main."a.""b"')).toEqual({
    columns: { "c d": { sensitive: true } },
  });
});

test("Windows line ends and a file of comments only stay what they are", async () => {
  put("# nothing yet\r\n");
  await change(describeTable("One."));
  expect(read()).toBe("# nothing yet\r\n\r\ntables:\r\n  orders:\r\n    description: One.\r\n");
});

test.each([
  ["tables: [", "context/tables/w/main.yaml:1:10: the file cannot be changed, because it is not YAML"],
  ["tables: 5", "context/tables/w/main.yaml:1:1: tables must be a mapping to be changed. Write it as one."],
  ["- 1", "context/tables/w/main.yaml:1:1: the file must be a mapping to be changed."],
  ["a: &a {}\ntables: *a", "context/tables/w/main.yaml:2:1: tables must be a mapping to be changed."],
])("the file %j is not overwritten", async (text, message) => {
  put(text);
  await expect(change(describeTable("One."))).rejects.toThrow(message);
  expect(read()).toBe(text);
});

describe("the source of a description", () => {
  test("a weaker source does not replace a stronger one, and the result says so", async () => {
    await change(describeTable("Of a person."));
    expect(await change(describeTable("Of a model."), agent)).toEqual({
      isApplied: false,
      message: "The description of w.main.orders is a person's, and stays.",
      file,
    });
    const document: ChangeAuthor = { ...agent, source: "document" };
    const subject = "w.main.orders.total";
    await change({ ...describeTable("Of a document.", subject), from: "handbook.md" } as FileChange, document);
    expect(await change(describeTable("Of a model.", subject), agent)).toMatchObject({ isApplied: false });
    expect(await change(describeTable("Of a person.", subject))).toMatchObject({ isApplied: true });
    expect(read()).toContain("total:\n        description: Of a person.");
  });

  test("a model replaces its own, and the same text again changes nothing", async () => {
    expect(await change(describeTable("First."), agent)).toMatchObject({ isApplied: true });
    expect(await change(describeTable("Second."), agent)).toMatchObject({ isApplied: true });
    expect(await change(describeTable("Second."), agent)).toMatchObject({
      isApplied: false,
      message: "The file contains this already.",
    });
    expect(listChanges(options())).toHaveLength(2);
  });

  test("a person's decision about a join is not changed by a model", async () => {
    const join = { kind: "join", from: end("orders", "c"), to: end("customers", "id") } as const;
    await change({ ...join, status: "rejected" });
    expect(await change({ ...join, status: "accepted" }, agent)).toMatchObject({
      isApplied: false,
      message: "A person has decided about this join, which stays.",
    });
  });
});

const end = (table: string, ...columns: string[]) => ({ table: `w.main.${table}`, columns });

test("changes by an agent are listed with their reasons, newest first, and need one", async () => {
  await change(describeTable("By me."), { source: "person", name: "ann" });
  await change({ kind: "hidden", subject: "w.main.logs", hidden: true }, agent, { now: () => new Date(0) });
  expect(listChanges(options())).toMatchObject([
    {
      at: "1970-01-01T00:00:00.000Z",
      author: "analyst",
      source: "model",
      reason: "The values say so.",
      file,
      subject: "w.main.logs",
      kind: "hidden",
      after: "true",
    },
    { author: "ann", source: "person", subject: "w.main.orders" },
  ]);
  expect(listChanges(options(), { byAgents: true })).toHaveLength(1);
  await expect(change(describeTable("x"), { source: "model", reason: " " })).rejects.toThrow("needs a reason");
});

test("a subject that is no identifier is refused", async () => {
  await expect(change(describeTable("x", "orders"))).rejects.toThrow(
    '"orders" is not a valid identifier. Write connection.schema.table.',
  );
  await expect(change({ kind: "sensitive", subject: "w.main.orders" })).rejects.toThrow(
    "connection.schema.table.column",
  );
});

test("a link out of the project is not followed", async () => {
  const other = mkdtempSync(join(tmpdir(), "bridle-context-other-"));
  symlinkSync(other, join(projectDir, "context"));
  await expect(change(describeTable("x"))).rejects.toThrow("leads out of the project through a link");
  rmSync(other, { recursive: true });
});

test("many writers at once in several processes lose nothing", async () => {
  const script = `
    import { changeTableFile } from ${JSON.stringify(join(import.meta.dirname, "change-files.ts"))};
    const [projectDir, who] = process.argv.slice(1);
    await Promise.all(Array.from({ length: 6 }, (_, n) => changeTableFile(
      { kind: "description", subject: \`w.main.t_\${who}_\${n}\`, text: "x" }, { source: "person" },
      { projectDir, stateDir: projectDir + "/.bridle" })));`;
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  const run = (who: string) =>
    promisify(execFile)(process.execPath, [
      "--conditions=@bridle/source",
      "--input-type=module-typescript",
      "--eval",
      script,
      projectDir,
      who,
    ]);
  await Promise.all([run("a"), run("b"), run("c")]);
  expect(new TableFiles(options()).read().tables.size).toBe(18);
  expect(listChanges(options())).toHaveLength(18);
});

describe("with context.commit", () => {
  const git = (...given: string[]) =>
    execFileSync("git", ["-C", projectDir, "-c", "user.name=A", "-c", "user.email=a@example.com", ...given], {
      encoding: "utf8",
    });
  const environment = {
    PATH: process.env.PATH,
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  const committing = { commit: () => TrustedFolder.require(undefined, []), environment };
  beforeEach(() => {
    git("init", "--quiet", "--initial-branch=main");
    put("backend: claude-code\n", "bridle.yaml");
    put(".bridle\n", ".gitignore");
    git("add", ".");
    git("commit", "--quiet", "--message", "Start");
  });

  test("each change is one commit of its file with its reason, and other staged changes stay staged", async () => {
    put("other\n", "other.txt");
    git("add", "other.txt");
    put("backend: changed\n", "bridle.yaml");
    const first = await change(describeTable("One."), agent, committing);
    const second = await change(describeTable("Two."), agent, committing);
    expect(first).toMatchObject({ isApplied: true, commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(git("log", "--format=%s|%b", "--name-only", "-2").trim().split(/\n+/)).toEqual([
      "Change description of w.main.orders|The values say so.",
      file,
      "Change description of w.main.orders|The values say so.",
      file,
    ]);
    expect(git("status", "--porcelain")).toBe(" M bridle.yaml\nA  other.txt\n");
    expect(listChanges(options())[0]?.commit).toBe(second.commit);
  });

  test("a folder that is not trusted is not changed, and no hook of its repository runs", async () => {
    const marker = join(projectDir, "ran");
    writeFileSync(join(projectDir, ".git/hooks/pre-commit"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const refuse = () => Promise.reject(new ConfigError("The folder is not trusted.", { field: "trust" }));
    await expect(change(describeTable("One."), agent, { ...committing, commit: refuse })).rejects.toThrow(
      "not trusted",
    );
    expect(existsSync(join(projectDir, file))).toBe(false);
    expect(existsSync(marker)).toBe(false);
    await change(describeTable("One."), agent, committing);
    expect(existsSync(marker)).toBe(true); // the hooks of a trusted repository run
  });

  test("a file with somebody's uncommitted changes is changed and not committed", async () => {
    await change(describeTable("One."), agent, committing);
    put(`${read()}# a thought\n`);
    expect(await change(describeTable("Two."), agent, committing)).toEqual({
      isApplied: true,
      file,
      commitProblem: "The file had changes that are not committed. Commit them first.",
    });
    expect(git("log", "--format=%s")).toBe("Change description of w.main.orders\nStart\n");
  });

  test("a repository that the project is not part of is not touched", async () => {
    git("rm", "--quiet", "--cached", "bridle.yaml");
    git("commit", "--quiet", "--message", "Not ours");
    const before = git("rev-parse", "HEAD");
    expect(await change(describeTable("One."), agent, committing)).toMatchObject({
      isApplied: true,
      commitProblem: "bridle.yaml is not in the git repository of its folder. Commit it first.",
    });
    expect(git("rev-parse", "HEAD")).toBe(before);
    expect(git("diff", "--cached", "--name-only")).toBe("");
  });

  test("a context folder that is a repository of its own is not touched", async () => {
    mkdirSync(join(projectDir, "context"));
    execFileSync("git", ["-C", join(projectDir, "context"), "init", "--quiet"]);
    expect(await change(describeTable("One."), agent, committing)).toMatchObject({
      commitProblem: "The file belongs to another git repository.",
    });
  });

  test("a project in another worktree of a repository commits there", async () => {
    const main = projectDir;
    const linked = join(main, "linked");
    git("worktree", "add", "--quiet", "-b", "other", linked);
    projectDir = linked;
    expect(await change(describeTable("One."), agent, committing)).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(git("log", "-1", "--format=%s")).toBe("Change description of w.main.orders\n");
    projectDir = main;
    expect(git("log", "-1", "--format=%s", "main")).toBe("Start\n");
  });

  test("a repository whose work tree is another folder is not touched", async () => {
    const before = git("rev-parse", "HEAD");
    mkdirSync(join(projectDir, "elsewhere"));
    writeFileSync(join(projectDir, "elsewhere/bridle.yaml"), "");
    git("config", "core.worktree", "../elsewhere");
    expect(await change(describeTable("One."), agent, committing)).toMatchObject({
      isApplied: true,
      commitProblem: expect.stringContaining("core.worktree"),
    });
    git("config", "--unset", "core.worktree");
    expect(git("rev-parse", "HEAD")).toBe(before);
  });

  test("hooks in the repository that only a variable names do not run, and nothing is committed", async () => {
    const marker = join(projectDir, "ran");
    put(`#!/bin/sh\ntouch ${marker}\n`, "hk/pre-commit");
    chmodSync(join(projectDir, "hk/pre-commit"), 0o755);
    const more = { environment: { ...environment, GIT_CONFIG_PARAMETERS: "'core.hookspath=hk'" } };
    expect(await change(describeTable("One."), agent, { ...committing, ...more })).toMatchObject({
      isApplied: true,
      commitProblem: "git runs the hooks in hk, which no trust is for. Set core.hooksPath in the repository.",
    });
    expect(existsSync(marker)).toBe(false);
    expect(git("log", "--format=%s")).toBe("Start\n");
  });

  test("an ignored file and a project without a repository are changed, with the reason", async () => {
    put(".bridle\ncontext\n", ".gitignore");
    expect(await change(describeTable("One."), agent, committing)).toMatchObject({
      commitProblem: "git ignores the file.",
    });
    rmSync(join(projectDir, ".git"), { recursive: true });
    expect(await change(describeTable("Two."), agent, committing)).toMatchObject({
      commitProblem: "The project is in no git repository.",
    });
  });

  test("nothing is committed if it is not configured", async () => {
    expect(await change(describeTable("One."), agent, { environment })).toEqual({ isApplied: true, file });
    expect(git("log", "--format=%s")).toBe("Start\n");
  });
});
