import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { commitEffects } from "./git-programs.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "bridle-git-programs-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  git("init", "--quiet");
});

function git(...words: string[]): void {
  execFileSync("git", ["-C", folder, ...words], { env: { PATH: process.env.PATH, HOME: folder }, stdio: "ignore" });
}

const content = (environment: Readonly<Record<string, string>> = {}) =>
  commitEffects(true, folder, environment)[0]?.content;

test("a project that commits has an effect, and one that does not has none", () => {
  expect(commitEffects(undefined, folder, {})).toEqual([]);
  expect(commitEffects(false, folder, {})).toEqual([]);
  expect(commitEffects(true, folder, {})).toMatchObject([{ kind: "runs", field: "context.commit" }]);
});

test.each<[what: string, change: () => void]>([
  ["a hook", () => writeFileSync(join(folder, ".git/hooks/pre-commit"), "#!/bin/sh\n")],
  ["a filter", () => git("config", "filter.x.clean", "./clean.sh")],
  ["a folder of hooks", () => git("config", "core.hooksPath", ".husky")],
  ["an included file", () => git("config", "include.path", "../more.config")],
  ["a setting on the line of a section", () => append('[branch "a"] [core] hooksPath = x\n')],
  [
    "a setting in the section of a branch that goes on",
    () => append('[branch "a"]\n\tmerge = x\\\n[core]\nhooksPath = y\n'),
  ],
])("%s that is new changes what trust is for", (_what, change) => {
  const before = content();
  change();
  expect(content()).not.toBe(before);
});

test("a change in a folder of hooks, and in an included file, changes what trust is for", () => {
  mkdirSync(join(folder, ".husky"));
  git("config", "core.hooksPath", ".husky");
  git("config", "include.path", "../more.config");
  const before = content();
  writeFileSync(join(folder, ".husky/pre-commit"), "x");
  const between = content();
  writeFileSync(join(folder, "more.config"), "x");
  expect(new Set([before, between, content()]).size).toBe(3);
});

test.each<[spelling: string, lines: string]>([
  ["with a comment behind it", "[core]\n\thooksPath = hk ; mine\n"],
  ["with quotation marks in it", '[core]\n\thooksPath = h"k"\n'],
  ["on two lines", "[core]\n\thooksPath = h\\\nk\n"],
  ["on the line of its section", "[core] hooksPath = hk\n"],
  ["in an included file", "[include]\n\tpath = ../inc ; more\n"],
  ["in a file that an included file includes", '[include]\n\tpath = "../ou"ter\n'],
  ["in a file that is included on a condition", '[includeIf "onbranch:x"]\n\tpath = ../inc\n'],
])("a folder of hooks that is named %s counts with its hooks", (_spelling, lines) => {
  writeFileSync(join(folder, "inc"), "[core]\n\thooksPath = hk\n");
  writeFileSync(join(folder, "outer"), "[include]\n\tpath = inc\n");
  append(lines);
  mkdirSync(join(folder, "hk"));
  const before = content();
  writeFileSync(join(folder, "hk/pre-commit"), "#!/bin/sh\n");
  expect(content()).not.toBe(before);
});

/** Returns the folders in which git itself finds its hooks. */
function foldersOfGit(environment: Readonly<Record<string, string>> = {}): Buffer {
  const output = execFileSync("git", ["rev-parse", "--git-path", "hooks"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
    encoding: "buffer",
  });
  const path = output.subarray(0, -1);
  return path[0] === 0x2f ? path : Buffer.concat([Buffer.from(`${folder}/`), path]);
}

test.each<[spelling: string, value: string]>([
  ["a space that does not break at its end", "hk\u00a0"],
  ["a form feed at its end", "hk\f"],
  ["a vertical tab at its start", "\vhk"],
  ["blanks and a carriage return at its end", "hk \t\r"],
  ["a carriage return in it", "h\rk"],
  ["a tab in it", "h\tk"],
  ["a tab in quotation marks", '"h\tk"'],
  ["an escape", '"h\\\\k"'],
  ["a byte without a character", "hk\0junk"],
  ["the home of a user", `~${userInfo().username}/hk-of-bridle-tests`],
  ["a link before two dots", "link/../hk"],
])("a folder of hooks is the same as for git if its name has %s", (_spelling, value) => {
  mkdirSync(join(folder, "far/inner"), { recursive: true });
  symlinkSync("far/inner", join(folder, "link"));
  append(`[core]\n\thooksPath = ${value}\n`);
  const hooks = foldersOfGit();
  mkdirSync(hooks, { recursive: true });
  onTestFinished(() => rmSync(hooks, { recursive: true }));
  const before = content();
  writeFileSync(Buffer.concat([hooks, Buffer.from("/pre-commit")]), "#!/bin/sh\n");
  expect(content()).not.toBe(before);
});

test("an included file counts with each of its bytes, and so does one whose name is no text", () => {
  const name = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xfe])]);
  append("[include]\n\tpath = ../inc\n\tpath = ../");
  appendFileSync(join(folder, ".git/config"), Buffer.from([0xfe, 0x0a]));
  const contents = [0xfd, 0xff].flatMap((byte) =>
    [join(folder, "inc"), name].map((path) => {
      writeFileSync(path, Buffer.concat([Buffer.from('[filter "x"]\n\tclean = '), Buffer.from([byte, 0x0a])]));
      return content();
    }),
  );
  expect(new Set(contents).size).toBe(4);
});

test("what follows a mistake that stops git counts too", () => {
  append('[core]\n\thooksPath = "\\hk"\n');
  const before = content();
  append("[core]\n\thooksPath = hk\n");
  expect(content()).not.toBe(before);
});

describe("the configuration of the user", () => {
  const relative = "[core]\n\thooksPath = .githooks\n";
  const home = () => join(folder, "../", `${basename(folder)}-home`);
  beforeEach(() => {
    mkdirSync(join(home(), "xdg/git"), { recursive: true });
    onTestFinished(() => rmSync(home(), { recursive: true }));
    mkdirSync(join(folder, ".githooks"));
  });

  test.each<[what: string, file: string, variables: (file: string) => Record<string, string>]>([
    ["in the home folder", ".gitconfig", () => ({ HOME: home() })],
    ["in the folder for settings", "xdg/git/config", () => ({ XDG_CONFIG_HOME: join(home(), "xdg"), HOME: home() })],
    ["in the file of a variable", "own", (file) => ({ GIT_CONFIG_GLOBAL: file })],
    ["in the file of the system", "system", (file) => ({ GIT_CONFIG_SYSTEM: file })],
    [
      "in variables",
      "none",
      () => ({ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: ".githooks" }),
    ],
  ])("%s can name a folder of hooks in the repository, which counts", (_what, file, variables) => {
    writeFileSync(join(home(), file), relative);
    const environment = variables(join(home(), file));
    expect(foldersOfGit(environment).toString()).toBe(join(folder, ".githooks"));
    const before = content(environment);
    writeFileSync(join(folder, ".githooks/pre-commit"), "#!/bin/sh\n");
    expect(content(environment)).not.toBe(before);
  });

  test("counts with files that it includes from the repository, and with nothing else", () => {
    const environment = { HOME: home() };
    const write = (text: string) => writeFileSync(join(home(), ".gitconfig"), text);
    write(`[include]\n\tpath = ${join(folder, "shared")}\n`);
    const before = content(environment);
    writeFileSync(join(folder, "shared"), '[filter "x"]\n\tclean = ./x.sh\n');
    expect(content(environment)).not.toBe(before);
    rmSync(join(folder, "shared"));
    mkdirSync(join(home(), "hooks"));
    write(`[user]\n\tname = Ada\n[core]\n\thooksPath = ${join(home(), "hooks")}\n`);
    writeFileSync(join(home(), "hooks/pre-commit"), "#!/bin/sh\n");
    expect(content(environment)).toBe(before);
  });
});

test("another branch, another remote and a sample of a hook do not", () => {
  const before = content();
  git("remote", "add", "origin", "https://host.example/a.git");
  git("config", "branch.main.remote", "origin");
  git("config", "branch.main.merge", "refs/heads/main");
  writeFileSync(join(folder, ".git/hooks/pre-commit.sample"), "x");
  expect(content()).toBe(before);
});

function append(text: string): void {
  appendFileSync(join(folder, ".git/config"), text);
}
