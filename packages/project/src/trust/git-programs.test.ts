import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { commitEffects } from "./git-programs.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-git-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  git("init", "--quiet");
});

function git(...words: string[]): void {
  execFileSync("git", ["-C", folder, ...words], { env: { PATH: process.env.PATH, HOME: folder }, stdio: "ignore" });
}

const content = () => commitEffects(true, folder)[0]?.content;

test("a project that commits has an effect, and one that does not has none", () => {
  expect(commitEffects(undefined, folder)).toEqual([]);
  expect(commitEffects(false, folder)).toEqual([]);
  expect(commitEffects(true, folder)).toMatchObject([{ kind: "runs", field: "context.commit" }]);
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
  ["with an escape", '[core]\n\thooksPath = "\\hk"\n'],
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
