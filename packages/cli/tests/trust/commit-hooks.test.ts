/** Tests that commits of changed files run the hooks that the user trusted, and no others. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Clone, clone, run, useClones } from "./clone-fixture.ts";

useClones();

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.skipIf(!hasGit)("with context.commit in a folder that the user trusts", () => {
  let upstream: string;
  let place: Clone;
  let marker: string;
  beforeEach(async () => {
    place = clone({});
    marker = join(place.cwd, "../hook-ran");
    upstream = join(place.cwd, "../upstream");
    git(dirname(upstream), "init", "-q", "-b", "main", upstream);
    git(place.home, "config", "--global", "user.name", "Ada");
    git(place.home, "config", "--global", "user.email", "ada@example.com");
    write("desk/bridle.yaml", "context: { commit: true }\n", upstream);
    commitAll(upstream);
    rmSync(place.cwd, { recursive: true });
    git(dirname(place.cwd), "clone", "-q", upstream, place.cwd);
    place = { ...place, cwd: join(place.cwd, "desk") };
    expect(await run("trust", place)).toMatchObject({ code: 0 });
  });

  const git = (cwd: string, ...words: string[]) =>
    execFileSync("git", words, {
      cwd,
      env: { PATH: process.env.PATH, HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
      stdio: "pipe",
      encoding: "utf8",
    });
  const write = (name: string, text: string, folder = place.cwd) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const writeHook = (name: string, folder = place.cwd) => {
    write(name, `#!/bin/sh\ntouch ${marker}\n`, folder);
    chmodSync(join(folder, name), 0o755);
  };
  const commitAll = (folder: string) => {
    git(folder, "add", "-A", "--force");
    git(folder, "commit", "-qm", "Change");
  };
  const remember = (what = "Orders-are-paid") => run(`context remember --verbatim ${what}`, place);
  const subject = () => git(place.cwd, "log", "-1", "--format=%s").trim();

  test("a change becomes a commit, and the hooks of the repository run", async () => {
    writeHook("../.git/hooks/pre-commit");
    await run("trust", place);
    expect(await remember()).toMatchObject({ code: 0 });
    expect(subject()).toBe("Ingest 1 file");
    expect(existsSync(marker)).toBe(true);
  });

  test("a folder of hooks that the user's own configuration names is part of the trust", async () => {
    git(place.home, "config", "--global", "core.hooksPath", ".githooks");
    await run("trust", place);
    writeHook(".githooks/pre-commit", upstream);
    commitAll(upstream);
    git(place.cwd, "pull", "-q");
    rmSync(marker, { force: true }); // the commit above ran the hook
    expect(await run("trust --show", place)).toMatchObject({ code: 3 });
    expect(await remember()).toMatchObject({ code: 3 });
    expect(existsSync(marker)).toBe(false);
  });

  test("hooks in the repository that no trust is for do not run, and the change is not committed", async () => {
    writeHook("../.githooks/pre-commit");
    const variables = { GIT_CONFIG_PARAMETERS: "'core.hookspath=.githooks'" };
    expect(await run("context remember --verbatim Orders-are-paid", place, { variables })).toMatchObject({ code: 0 });
    expect(existsSync(marker)).toBe(false);
    expect(subject()).toBe("Change");
  });

  test("a pulled commit that makes the folder look like a repository runs no hook", async () => {
    const forged = join(upstream, "../forged");
    cpSync(join(upstream, "desk"), forged, { recursive: true });
    git(forged, "init", "-q", "-b", "main");
    commitAll(forged);
    for (const name of ["HEAD", "index", "objects", "refs"])
      cpSync(join(forged, ".git", name), join(upstream, "desk", name), { recursive: true });
    write("refs/keep", "", join(upstream, "desk"));
    write(
      "config",
      "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\thooksPath = evilhooks\n",
      join(upstream, "desk"),
    );
    writeHook("evilhooks/pre-commit", join(upstream, "desk"));
    commitAll(upstream);
    git(place.cwd, "pull", "-q");
    expect(git(place.cwd, "rev-parse", "--absolute-git-dir").trim()).toBe(
      git(place.cwd, "rev-parse", "--show-toplevel").trim(),
    ); // git itself is deceived
    expect(await run("trust --show", place)).toMatchObject({ code: 0 });
    expect(await remember()).toMatchObject({ code: 0 });
    expect(existsSync(marker)).toBe(false);
    expect(readFileSync(join(place.cwd, "HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(git(join(place.cwd, ".."), "log", "-1", "--format=%s").trim()).toBe("Ingest 1 file");
  });
});
