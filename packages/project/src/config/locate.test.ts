import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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

test("the nearest bridle.yaml upward from the working directory defines the project", () => {
  const found = locateProject({ cwd: join(root, "project", "deep", "er"), environment: {} });
  expect(found).toEqual({ projectDir: join(root, "project"), configFile: join(root, "project", "bridle.yaml") });
});

test.each([
  ["the root of a repository", ".git", {}],
  ["the user's home", "nothing", { HOME: "home" }],
])("the search ends at %s, whose own file is found", async (_what, marker, { HOME: home }: { HOME?: string }) => {
  const top = await mkdtemp(join(tmpdir(), "bridle-locate-end-"));
  const end = join(top, "home");
  const cwd = join(end, "deep", "er");
  const environment = home === undefined ? {} : { HOME: end };
  await mkdir(cwd, { recursive: true });
  await mkdir(join(end, marker));
  await writeFile(join(top, "bridle.yaml"), "");
  expect(locateProject({ cwd, environment })).toEqual({ projectDir: cwd });
  await writeFile(join(end, "bridle.yaml"), "");
  expect(locateProject({ cwd, environment })).toMatchObject({ projectDir: end });
  await rm(top, { recursive: true });
});

test("without a file the working directory is the project", () => {
  const cwd = join(root, "bare");
  expect(locateProject({ cwd, environment: {} })).toEqual({ projectDir: cwd });
});

test("a folder option comes before BRIDLE_PROJECT_DIR, which comes before the search", () => {
  const cwd = join(root, "project");
  const environment = { BRIDLE_PROJECT_DIR: "../bare" };
  expect(locateProject({ cwd, environment }).projectDir).toBe(join(root, "bare"));
  expect(locateProject({ cwd, environment, projectDir: "." }).projectDir).toBe(cwd);
});

test("a folder that does not exist is an error, which does not quote a folder from the environment", () => {
  const cwd = join(root, "project");
  expect(() => locateProject({ cwd, environment: {}, projectDir: "nowhere" })).toThrow(
    `The project folder ${join(cwd, "nowhere")} does not exist. Create it, or correct the path.`,
  );
  expect(() => locateProject({ cwd, environment: { BRIDLE_PROJECT_DIR: "nowhere" } })).toThrow(
    "The folder in BRIDLE_PROJECT_DIR does not exist. Create it, or correct the path.",
  );
});

test("a path that cannot be a folder is refused with the reason", () => {
  const at = (projectDir: string) => () => locateProject({ cwd: root, environment: {}, projectDir });
  const file = join("project", "bridle.yaml");
  expect(at(file)).toThrow("bridle.yaml is not a folder. Name the folder that holds bridle.yaml.");
  expect(at(join(file, "deeper"))).toThrow("does not exist, because a part of its path is a file.");
  expect(at("x".repeat(5000))).toThrow(/^The project folder .{80}… cannot exist, because its path is too long\./);
});

test.skipIf(process.getuid?.() === 0)("a folder without read permission is refused", async () => {
  await mkdir(join(root, "closed", "within"), { recursive: true });
  await chmod(join(root, "closed"), 0);
  for (const projectDir of ["closed", "closed/within"]) {
    expect(() => locateProject({ cwd: root, environment: {}, projectDir })).toThrow("cannot be read by this user");
  }
  await chmod(join(root, "closed"), 0o700);
});

test("a path is shown relative to the working directory if the file is below it", () => {
  expect(shownPath("/a/b/bridle.yaml", "/a/b")).toBe("bridle.yaml");
  expect(shownPath("/a/bridle.yaml", "/a/b")).toBe("/a/bridle.yaml");
});
