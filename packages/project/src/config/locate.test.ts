import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { locateProject, shownPath } from "./locate.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-locate-"));
  await mkdir(join(root, "project", "deep", "er"), { recursive: true });
  await mkdir(join(root, "bare"));
  await writeFile(join(root, "project", "bridle.yaml"), "");
});
afterAll(() => rm(root, { recursive: true }));

test("the nearest bridle.yaml upward from the working directory makes the project", () => {
  const found = locateProject({ cwd: join(root, "project", "deep", "er"), environment: {} });
  expect(found).toEqual({ projectDir: join(root, "project"), configFile: join(root, "project", "bridle.yaml") });
});

test("without a file the working directory is the project", () => {
  const cwd = join(root, "bare");
  expect(locateProject({ cwd, environment: {} })).toEqual({ projectDir: cwd });
});

test("a folder by name comes before BRIDLE_PROJECT_DIR, and that before the search", () => {
  const cwd = join(root, "project");
  const environment = { BRIDLE_PROJECT_DIR: "../bare" };
  expect(locateProject({ cwd, environment }).projectDir).toBe(join(root, "bare"));
  expect(locateProject({ cwd, environment, projectDir: "." }).projectDir).toBe(cwd);
});

test("a folder that does not exist is an error, and one from the environment is not quoted", () => {
  const cwd = join(root, "project");
  expect(() => locateProject({ cwd, environment: {}, projectDir: "nowhere" })).toThrow(
    `The project folder ${join(cwd, "nowhere")} does not exist. Create it, or correct the path.`,
  );
  expect(() => locateProject({ cwd, environment: { BRIDLE_PROJECT_DIR: "nowhere" } })).toThrow(
    "The folder in BRIDLE_PROJECT_DIR does not exist. Create it, or correct the path.",
  );
});

test("a path is shown as a reader in the working directory would write it", () => {
  expect(shownPath("/a/b/bridle.yaml", "/a/b")).toBe("bridle.yaml");
  expect(shownPath("/a/bridle.yaml", "/a/b")).toBe("/a/bridle.yaml");
});
