import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StoreError } from "@bridle/protocol";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createPrivateFolder, makePrivate, refuseLinks } from "./private-files.ts";

let project = "";
let outside = "";
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), "bridle-private-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  [project, outside] = [join(root, "project"), join(root, "outside")];
  for (const path of [project, outside]) mkdirSync(path);
  mkdirSync(join(outside, "logs"));
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("in a folder .bridle", () => {
  test.each([".bridle", ".bridle/logs", ".bridle/ns", ".bridle/ns/ada", ".bridle/test-runs/deep"])(
    "a link at %s is refused, and nothing is written behind it",
    (link) => {
      mkdirSync(dirname(join(project, link)), { recursive: true });
      symlinkSync(outside, join(project, link));
      const folder = join(project, link, "more");
      expect(() => createPrivateFolder(folder)).toThrow(StoreError);
      expect(() => createPrivateFolder(folder)).toThrow(`${join(project, link)} is a link`);
      expect(() => refuseLinks(join(folder, "file"))).toThrow("Remove the link");
      expect(existsSync(join(outside, "more"))).toBe(false);
      expect(existsSync(join(outside, ".gitignore"))).toBe(false);
    },
  );

  test("a link that leads nowhere and a link as the file itself are refused", () => {
    mkdirSync(join(project, ".bridle"));
    symlinkSync(join(outside, "missing"), join(project, ".bridle/state.db"));
    expect(() => refuseLinks(join(project, ".bridle/state.db"))).toThrow("is a link");
    symlinkSync(join(outside, "ignored"), join(project, ".bridle/.gitignore"));
    expect(() => createPrivateFolder(join(project, ".bridle"))).toThrow("is a link");
    expect(existsSync(join(outside, "ignored"))).toBe(false);
  });

  test("folders are created for this user only, and folders and files of a clone are taken away from others", () => {
    mkdirSync(join(project, ".bridle"), { mode: 0o755 });
    chmodSync(join(project, ".bridle"), 0o775);
    createPrivateFolder(join(project, ".bridle/ns/ada"));
    for (const path of [".bridle", ".bridle/ns", ".bridle/ns/ada"])
      expect(modeOf(join(project, path)), path).toBe(0o700);
    const file = join(project, ".bridle/state.db");
    writeFileSync(file, "");
    chmodSync(file, 0o664);
    makePrivate(file);
    expect(modeOf(file)).toBe(0o600);
  });

  test.each([
    ["nothing", undefined, "*\n"],
    ["what it was once", "state.db*\nartifacts/\n", "state.db*\nartifacts/\n*\n"],
    ["an exception for everything, without a line break", "!*", "!*\n*\n"],
    ["everything, with an exception of the user", "*\n!test-runs/\n", "*\n!test-runs/\n"],
  ])("the first write ignores all contents if .gitignore has %s", (_title, before, after) => {
    mkdirSync(join(project, ".bridle"));
    const file = join(project, ".bridle/.gitignore");
    if (before !== undefined) writeFileSync(file, before);
    for (let time = 0; time < 2; time++) createPrivateFolder(join(project, ".bridle/logs"));
    expect(readFileSync(file, "utf8")).toBe(after);
  });

  test("a project below another folder .bridle has its own", () => {
    const inner = join(project, ".bridle/copies/shop/.bridle");
    createPrivateFolder(inner);
    expect(existsSync(join(inner, ".gitignore"))).toBe(true);
    expect(existsSync(join(project, ".bridle/.gitignore"))).toBe(false);
  });
});

test("a link above .bridle and a link in another folder are followed", () => {
  symlinkSync(project, join(outside, "link"));
  createPrivateFolder(join(outside, "link/.bridle/logs"));
  expect(modeOf(join(project, ".bridle/logs"))).toBe(0o700);
  expect(() => refuseLinks(join(outside, "link"))).not.toThrow();
  createPrivateFolder(join(outside, "link/plain"));
  expect(existsSync(join(project, ".gitignore"))).toBe(false);
});
