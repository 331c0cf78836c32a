/** Tests all known ways in which the authors of a repository can start a program when the repository's state is read. */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { gitState } from "./git-state.ts";

let top = "";
let clone = "";
let evil = "";
let marker = "";
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "bridle-hostile-"));
  onTestFinished(() => rmSync(top, { recursive: true }));
  clone = join(top, "clone");
  marker = join(top, "ran");
  evil = write(join(top, "evil.sh"), `#!/bin/sh\ntouch "${marker}"\ncat\n`);
  chmodSync(evil, 0o755);
  makeRepository(clone);
});

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const environment = () => ({ PATH: process.env.PATH, HOME: top });

function git(folder: string, ...given: string[]): string {
  const config = ["user.name=a", "user.email=a@b.example", "protocol.file.allow=always", "init.defaultBranch=main"];
  const words = config.flatMap((each) => ["-c", each]);
  return execFileSync("git", ["-C", folder, ...words, ...given], { env: environment(), encoding: "utf8" }).trim();
}

/** Creates a commit of a file that is changed in place afterwards, so that git has to read it. */
function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  write(join(folder, "data.txt"), "one\n");
  write(join(folder, "agent.yaml"), "name: desk\n");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "-m", "Begin");
}

/** Writes a file with the content that the commit has. Git can detect this only by reading the file. */
function touch(path: string): void {
  utimesSync(path, new Date(), new Date(Date.now() - 60_000));
}

function configure(text: string, folder = join(clone, ".git")): void {
  writeFileSync(join(folder, "config"), `\n${text}\n`, { flag: "a" });
}

function hook(folder: string): void {
  for (const name of [
    "post-index-change",
    "fsmonitor-watchman",
    "query-watchman",
    "pre-commit",
    "reference-transaction",
  ])
    cpSync(evil, write(join(folder, name), ""));
}

/** Attacks. Each prepares the clone, and returns the folder whose state Bridle reads. */
const ways: Readonly<Record<string, () => string>> = {
  "a monitor of the file system": () => {
    configure(`[core]\n\tfsmonitor = ${evil}`);
    return clone;
  },
  "a filter that cleans": () => {
    configure(`[filter "x"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\trequired = true`);
    write(join(clone, ".gitattributes"), "* filter=x\n");
    return clone;
  },
  "a filter that is a process": () => {
    configure(`[filter "x"]\n\tprocess = ${evil}\n\trequired = true`);
    write(join(clone, ".git/info/attributes"), "* filter=x\n");
    return clone;
  },
  "a folder of hooks": () => {
    hook(join(clone, "hooks"));
    configure(`[core]\n\thooksPath = ${join(clone, "hooks")}`);
    return clone;
  },
  "hooks in its place for them": () => {
    hook(join(clone, ".git/hooks"));
    return clone;
  },
  "a file that its configuration includes": () => {
    write(join(clone, "more.config"), `[core]\n\tfsmonitor = ${evil}\n[filter "x"]\n\tclean = ${evil}\n`);
    configure(`[include]\n\tpath = ../more.config`);
    write(join(clone, ".gitattributes"), "* filter=x\n");
    return clone;
  },
  "a file that its configuration includes for some folders": () => {
    write(join(clone, "more.config"), `[filter "x"]\n\tclean = ${evil}\n`);
    configure(`[includeIf "gitdir:**"]\n\tpath = ../more.config`);
    write(join(clone, ".gitattributes"), "* filter=x\n");
    return clone;
  },
  "a configuration of the worktree": () => {
    configure(`[extensions]\n\tworktreeConfig = true`);
    write(join(clone, ".git/config.worktree"), `[core]\n\tfsmonitor = ${evil}\n[filter "x"]\n\tclean = ${evil}\n`);
    write(join(clone, ".gitattributes"), "* filter=x\n");
    return clone;
  },
  "a linked worktree": () => {
    git(clone, "worktree", "add", "--quiet", join(clone, "linked"));
    configure(`[filter "x"]\n\tclean = ${evil}\n[core]\n\tfsmonitor = ${evil}`);
    write(join(clone, "linked/.gitattributes"), "* filter=x\n");
    touch(join(clone, "linked/data.txt"));
    return join(clone, "linked");
  },
  "a file .git that leads to a folder of the clone": () => {
    const folder = join(clone, "sub");
    cpSync(join(clone, ".git"), join(clone, "store"), { recursive: true });
    configure(`[core]\n\tfsmonitor = ${evil}\n\tbare = false`, join(clone, "store"));
    write(join(folder, ".git"), "gitdir: ../store\n");
    return folder;
  },
  "a bare repository as plain files": () => {
    const folder = join(clone, "sub");
    cpSync(join(clone, ".git"), folder, { recursive: true });
    configure(`[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${evil}`, folder);
    return folder;
  },
  "a submodule": () => {
    const source = join(top, "source");
    makeRepository(source);
    git(clone, "submodule", "--quiet", "add", source, "module");
    git(clone, "commit", "--quiet", "-m", "Add");
    configure(`[core]\n\tfsmonitor = ${evil}\n[filter "x"]\n\tclean = ${evil}`, join(clone, ".git/modules/module"));
    write(join(clone, "module/.gitattributes"), "* filter=x\n");
    touch(join(clone, "module/data.txt"));
    return clone;
  },
  "a missing object that another machine has": () => {
    configure(
      `[core]\n\trepositoryformatversion = 1\n\tsshCommand = ${evil}\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ssh://host.invalid/x\n\tpromisor = true\n\tuploadpack = ${evil}`,
    );
    const tree = git(clone, "rev-parse", "HEAD^{tree}");
    rmSync(join(clone, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    return clone;
  },
  "programs for pages, editors, signatures and differences": () => {
    configure(
      `[core]\n\tpager = ${evil}\n\teditor = ${evil}\n\taskPass = ${evil}\n[pager]\n\tstatus = ${evil}\n[diff]\n\texternal = ${evil}\n[diff "x"]\n\ttextconv = ${evil}\n\tcommand = ${evil}\n[gpg]\n\tprogram = ${evil}\n[log]\n\tshowSignature = true\n[alias]\n\tstatus = !${evil}\n\trev-parse = !${evil}\n[credential]\n\thelper = ${evil}\n[status]\n\tsubmoduleSummary = true`,
    );
    write(join(clone, ".gitattributes"), "* diff=x merge=x\n");
    return clone;
  },
  "a git beside its files, on a path that is not absolute": () => {
    cpSync(evil, join(clone, "git"));
    return clone;
  },
};

test.each(Object.entries(ways))("reading the state of a repository runs nothing of %s", async (_what, prepare) => {
  const folder = prepare();
  touch(join(clone, "data.txt"));
  rmSync(marker, { force: true }); // git itself may have run the program while the clone was made
  const before = process.cwd();
  process.chdir(folder); // the folder where a user runs the command
  onTestFinished(() => process.chdir(before));
  await gitState(folder, { ...environment(), PATH: `.:${process.env.PATH}` });
  await gitState(folder, environment());
  expect(existsSync(marker)).toBe(false);
});
