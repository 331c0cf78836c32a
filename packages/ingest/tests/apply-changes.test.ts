import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { TrustedFolder } from "@bridle/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sampleOf } from "../../../tests/support/soak.ts";
import type { DraftClaim } from "../src/curation/resolution/draft-claim.ts";
import { applyChanges, finishChanges } from "../src/runs/changes/apply-changes.ts";
import { draftsOf } from "../src/runs/changes/drafts-for-tests.ts";
import { planChanges } from "../src/runs/changes/plan-changes.ts";
import { listChangesForTests } from "./support/list-changes.ts";

/** All test processes share a compile cache. */
const compiled = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "" };

let projectDir: string;
beforeEach(() => {
  projectDir = mkdtempSync(join(tmpdir(), "bridle-apply-"));
});
afterEach(() => {
  execFileSync("chmod", ["-R", "u+w", projectDir]);
  rmSync(projectDir, { recursive: true, force: true });
});

const before = draftsOf(
  "fares: Gross fare is before refunds.",
  "fares: Net fare is after refunds.",
  "docks: A dock has a heartbeat.",
  "old: Winter mode is on below 2 degrees.",
);
const after = [
  ...before.slice(0, 1),
  ...draftsOf("docks: A dock has two heartbeats.", "passes: A pass costs 29 euro."),
];

const plan = (drafts: readonly DraftClaim[]) =>
  planChanges({ drafts, conflicts: [] }, { projectDir, signal: new AbortController().signal, now: () => new Date(0) });
const options = (more: object = {}) => ({
  projectDir,
  stateDir: join(projectDir, ".bridle"),
  reason: "ingest: test",
  now: () => new Date(0),
  ...more,
});
const apply = async (drafts: readonly DraftClaim[], more: object = {}) =>
  applyChanges(await plan(drafts), options({ planAgain: () => plan(drafts), ...more }));
const path = (file: string) => join(projectDir, file);
const read = (file: string) => readFileSync(path(file), "utf8");
const put = (file: string, text: string) => {
  mkdirSync(dirname(path(file)), { recursive: true });
  writeFileSync(path(file), text);
};
const contents = () =>
  Object.fromEntries(
    globSync("{context/**/*,context/**/.*}", { cwd: projectDir, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(projectDir.length + 1), readFileSync(file, "utf8")]),
  );

/** Returns the files after changes without any failure. */
async function expected(...all: readonly (readonly DraftClaim[])[]) {
  const [own, other] = [projectDir, mkdtempSync(join(tmpdir(), "bridle-expected-"))];
  projectDir = other;
  for (const drafts of all) await apply(drafts);
  const found = contents();
  rmSync(other, { recursive: true });
  projectDir = own;
  return found;
}

test("files are written, changed and removed, listed with the reason, and an unchanged run changes nothing", async () => {
  expect((await apply(before)).files).toEqual([
    "context/wiki/docks.md",
    "context/wiki/fares.md",
    "context/wiki/old.md",
    "context/written.yaml",
  ]);
  expect((await apply(after)).files).toEqual([
    "context/wiki/docks.md",
    "context/wiki/fares.md",
    "context/wiki/old.md",
    "context/wiki/passes.md",
    "context/written.yaml",
  ]);
  expect(existsSync(path("context/wiki/old.md"))).toBe(false);
  expect(await apply(after)).toMatchObject({ files: [], failed: [] });
  expect(
    listChangesForTests(options()).map(({ file, author, reason, kind }) => [file, author, reason, kind]),
  ).toContainEqual(["context/wiki/passes.md", "ingest", "ingest: test", "page"]);
  expect(contents()).toEqual(await expected(after));
});

describe("a process that is killed", () => {
  const drafts = () => {
    put("drafts.json", JSON.stringify(after));
    return path("drafts.json");
  };
  const run = (step: number, ...more: readonly string[]) => {
    const program = [
      "--conditions=@bridle/source",
      join(import.meta.dirname, "applying-process.ts"),
      projectDir,
      drafts(),
      String(step),
      ...more,
    ];
    return spawnSync(process.execPath, program, {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: projectDir, ...author, ...compiled },
    });
  };
  const author = {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };

  test("before any step leaves whole files, and the next one ends as if nothing had happened", async () => {
    const all = await expected(before, after);
    const steps = Array.from({ length: 10 }, (_, step) => step);
    for (const step of sampleOf(steps, 5)) {
      rmSync(path("context"), { recursive: true, force: true });
      rmSync(path(".bridle"), { recursive: true, force: true });
      await apply(before);
      const texts = [contents(), all];
      const killed = run(step);
      const printed = killed.stdout.trim().split("\n");
      if (killed.signal === null) {
        expect(printed).toEqual([
          "journal",
          "context/wiki/docks.md",
          "context/wiki/fares.md",
          "context/wiki/old.md",
          "context/wiki/passes.md",
          "context/written.yaml",
          "commit",
          "list",
          "end",
        ]);
        return;
      }
      for (const [file, text] of Object.entries(contents()))
        expect(
          texts.map((each) => each[file]),
          `${file} at ${step}`,
        ).toContain(text);
      if (step % 3 === 1) expect(await finishChanges(options())).toBe(true);
      else expect(await apply(after), `at ${step}`).toMatchObject({ failed: [] });
      expect(contents(), `at ${step}`).toEqual(all);
      expect(existsSync(path(".bridle/context/ingest-apply.json"))).toBe(false);
      expect(
        listChangesForTests(options()).filter(({ file }) => file === "context/wiki/passes.md"),
        `at ${step}`,
      ).toHaveLength(1);
    }
    throw new Error("The process was killed before each of its steps.");
  });

  test("with a commit to make leaves one commit for all files after the next run", async () => {
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-C", projectDir, ...words], { encoding: "utf8", env: { ...process.env, ...author } });
    git("init", "--quiet");
    put("bridle.yaml", "backend: claude-code\n");
    put(".gitignore", ".bridle\ndrafts.json\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "Start");
    await apply(before, {
      commit: () => TrustedFolder.require(undefined, []),
      environment: { PATH: process.env.PATH, ...author },
    });
    for (const step of sampleOf([3, 6, 7, 8], 2)) {
      git("reset", "--quiet", "--hard", "HEAD");
      const head = git("rev-parse", "HEAD");
      expect(run(step, "commit").signal).toBe("SIGKILL");
      await finishChanges(
        options({
          commit: () => TrustedFolder.require(undefined, []),
          environment: { PATH: process.env.PATH, ...author },
        }),
      );
      expect(git("status", "--porcelain")).toBe("");
      expect(git("log", "--format=%s", `${head.trim()}..`)).toBe("Ingest 5 files\n");
      expect(git("show", "--name-status", "--format=", "HEAD").trim().split("\n").sort()).toEqual([
        "A\tcontext/wiki/passes.md",
        "D\tcontext/wiki/old.md",
        "M\tcontext/wiki/docks.md",
        "M\tcontext/wiki/fares.md",
        "M\tcontext/written.yaml",
      ]);
      git("reset", "--quiet", "--hard", "HEAD~1");
      rmSync(path(".bridle"), { recursive: true, force: true });
    }
  });

  test("with a commit to make, but without the setting, starts no git: the list may be somebody else's", async () => {
    const git = (...words: readonly string[]) =>
      execFileSync("git", ["-C", projectDir, ...words], { encoding: "utf8", env: { ...process.env, ...author } });
    git("init", "--quiet");
    put("bridle.yaml", "backend: claude-code\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "Start");
    await apply(before);
    expect(run(6, "commit").signal).toBe("SIGKILL");
    const marker = path("ran");
    writeFileSync(path(".git/hooks/pre-commit"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    await finishChanges(options({ environment: { PATH: process.env.PATH, ...author } }));
    expect(existsSync(marker)).toBe(false);
    expect(git("log", "--format=%s")).toBe("Start\n");
  });

  test("and a file that a person edits meanwhile is neither overwritten nor taken for ours", async () => {
    await apply(before);
    expect(run(4).signal).toBe("SIGKILL");
    put("context/wiki/docks.md", `${read("context/wiki/docks.md")}\nMine.\n`);
    put("context/wiki/passes.md", "My page.\n");
    await apply(after);
    expect(read("context/wiki/docks.md")).toContain("Mine.");
    expect(read("context/wiki/docks.md")).toContain("two heartbeats");
    expect(read("context/wiki/docks.md")).not.toContain("a heartbeat");
    expect(read("context/wiki/passes.md")).toMatch(
      /^---\n[\s\S]*---\n\nMy page\.\n\n## A pass\n\nA pass costs 29 euro\. \[1\]\n$/,
    );
    expect(existsSync(path("context/decisions.yaml"))).toBe(false);
  });
});

describe("a file that changes between planning and applying", () => {
  test("is planned again, and nothing of it is lost", async () => {
    await apply(before);
    const planned = await plan(after);
    put(
      "context/wiki/fares.md",
      read("context/wiki/fares.md").replace("Net fare is after refunds.", "Net fare is what we keep."),
    );
    const result = await applyChanges(planned, options({ planAgain: () => plan(after) }));
    expect(result.failed).toEqual([]);
    expect(read("context/wiki/fares.md")).toContain("Net fare is what we keep.");
    expect(read("context/wiki/docks.md")).toContain("two heartbeats");
  });

  test("stays as it is and is reported if it cannot be planned again, and the next run goes through", async () => {
    await apply(before);
    const planned = await plan(after);
    put("context/wiki/docks.md", `${read("context/wiki/docks.md")}\nMine.\n`);
    const result = await applyChanges(planned, options());
    expect(result.failed).toEqual([
      { file: "context/wiki/docks.md", reason: expect.stringContaining("changed by somebody else in the meantime") },
    ]);
    expect(read("context/wiki/docks.md")).toMatch(/a heartbeat[\s\S]*Mine\./);
    await apply(after);
    expect(read("context/wiki/docks.md")).toMatch(/two heartbeats[\s\S]*Mine\./);
    expect(read("context/wiki/docks.md")).not.toContain("a heartbeat");
  });

  test("by a decision of a person obeys the decision", async () => {
    await apply(before);
    const planned = await plan(before);
    put("context/decisions.yaml", "removed:\n  - statement: A dock has a heartbeat.\n");
    await applyChanges(planned, options({ planAgain: () => plan(before) }));
    expect(existsSync(path("context/wiki/docks.md"))).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a file that cannot be written", () => {
  test("because it is read-only is named, the others are written, and the next run finishes", async () => {
    await apply(before);
    const old = read("context/wiki/docks.md");
    chmodSync(path("context/wiki/docks.md"), 0o444);
    const { failed } = await apply(after);
    expect(failed).toEqual([
      {
        file: "context/wiki/docks.md",
        reason: "context/wiki/docks.md may not be changed: it is read-only. Make it writable, and run it again.",
      },
    ]);
    expect(read("context/wiki/docks.md")).toBe(old);
    expect(read("context/wiki/passes.md")).toContain("29 euro");
    chmodSync(path("context/wiki/docks.md"), 0o644);
    await apply(after);
    expect(contents()).toEqual(await expected(after));
  });

  test("because the disk is full is named, and no file is half written", async () => {
    await apply(before);
    const long = [
      ...after,
      ...draftsOf(
        ...Array.from(
          { length: 60 },
          (_, n) => `more: The rule number ${n} of the long list is ${"very ".repeat(100)}long.`,
        ),
      ),
    ];
    put("drafts.json", JSON.stringify(long));
    const program = [
      process.execPath,
      "--conditions=@bridle/source",
      join(import.meta.dirname, "applying-process.ts"),
      projectDir,
      path("drafts.json"),
    ];
    const { stderr, status } = spawnSync("/bin/sh", ["-c", 'trap "" XFSZ; ulimit -f 32; exec "$@"', "sh", ...program], {
      encoding: "utf8",
      env: compiled,
    });
    expect(stderr).toMatch(/ingest-apply\.json cannot be written: EFBIG/);
    expect(status).toBe(1);
    expect(contents()).toEqual(await expected(before));
    await apply(long);
    expect(contents()).toEqual(await expected(long));
  });

  test("because it leads out of the project is named, and what it leads to is not touched", async () => {
    const other = mkdtempSync(join(tmpdir(), "bridle-outside-"));
    writeFileSync(join(other, "docks.md"), "theirs\n");
    mkdirSync(path("context/wiki"), { recursive: true });
    symlinkSync(join(other, "docks.md"), path("context/wiki/docks.md"));
    const { failed } = await apply(before);
    expect(failed).toEqual([
      { file: "context/wiki/docks.md", reason: expect.stringContaining("leads out of the project through a link") },
    ]);
    expect(readFileSync(join(other, "docks.md"), "utf8")).toBe("theirs\n");
    expect(read("context/wiki/fares.md")).toContain("Gross fare");
    rmSync(path("context"), { recursive: true });
    symlinkSync(other, path("context"));
    expect((await apply(before)).failed).toHaveLength(3);
    expect(globSync("**/*", { cwd: other })).toEqual(["docks.md"]);
    rmSync(other, { recursive: true });
  });
});

describe("with context.commit", () => {
  const names = {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  const environment = { PATH: process.env.PATH, ...names };
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-C", projectDir, ...words], { encoding: "utf8", env: { ...process.env, ...names } });
  const commit = { commit: () => TrustedFolder.require(undefined, []), environment };
  beforeEach(() => {
    git("init", "--quiet");
    put("bridle.yaml", "backend: claude-code\n");
    put(".gitignore", ".bridle\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "Start");
  });

  test("a run is one commit of exactly its files, and other staged changes stay staged", async () => {
    put("other file.txt", "other\n");
    git("add", ".");
    const { commit: first } = await apply(before, commit);
    expect(git("log", "-1", "--format=%H|%s|%b", "--name-only").trim().split(/\n+/)).toEqual([
      `${first}|Ingest 4 files|ingest: test`,
      "context/wiki/docks.md",
      "context/wiki/fares.md",
      "context/wiki/old.md",
      "context/written.yaml",
    ]);
    await apply(after, commit);
    expect(git("show", "--name-status", "--format=", "HEAD")).toContain("D\tcontext/wiki/old.md");
    expect(git("status", "--porcelain")).toBe('A  "other file.txt"\n');
    expect(await apply(after, commit)).not.toHaveProperty("commit");
    expect(git("log", "--format=%s").trim().split("\n")).toHaveLength(3);
  });

  test("a file with somebody's changes is written and left out of the commit", async () => {
    await apply(before, commit);
    put("context/wiki/docks.md", `${read("context/wiki/docks.md")}\nMine.\n`);
    const { commitProblem } = await apply(after, commit);
    expect(commitProblem).toBe(
      "context/wiki/docks.md: The file had changes that are not committed. Commit them first.",
    );
    expect(git("status", "--porcelain")).toBe(" M context/wiki/docks.md\n");
  });

  test("a lock of the repository leaves the files, and the next run makes the commit", async () => {
    await apply(before, commit);
    put(".git/index.lock", "");
    expect(await apply(after, commit)).toMatchObject({
      commitProblem: expect.stringContaining("index.lock"),
      failed: [],
    });
    rmSync(path(".git/index.lock"));
    expect(git("log", "--format=%s").trim().split("\n")).toHaveLength(2);
    await apply(after, commit);
    expect(git("log", "-1", "--format=%s")).toBe("Ingest 5 files\n");
    expect(git("status", "--porcelain")).toBe("");
  });

  test("a repository of somebody else is not touched", async () => {
    mkdirSync(path("context/wiki"), { recursive: true });
    execFileSync("git", ["-C", path("context/wiki"), "init", "--quiet"]);
    const { commitProblem } = await apply(before, commit);
    expect(commitProblem).toContain("context/wiki/docks.md: The file belongs to another git repository.");
    expect(execFileSync("git", ["-C", path("context/wiki"), "status", "--porcelain"], { encoding: "utf8" })).toContain(
      "?? docks.md",
    );
    git("rm", "--quiet", "--cached", "bridle.yaml");
    const head = git("rev-parse", "HEAD");
    expect((await apply(after, commit)).commitProblem).toBe(
      "bridle.yaml is not in the git repository of its folder. Commit it first.",
    );
    expect(git("rev-parse", "HEAD")).toBe(head);
    rmSync(path(".git"), { recursive: true });
    expect((await apply(before, commit)).commitProblem).toBe("The project is in no git repository.");
  });
});
