/** Tests that Bridle reads and writes nothing through a link in `.bridle`, because the link may have come with the project. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createFileLog } from "../src/event-log/file-log.ts";
import { openProject } from "../src/index.ts";
import { prepareNamespace } from "../src/namespace/prepare-namespace.ts";

let projectDir = "";
let outside = "";
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), "bridle-linked-"));
  onTestFinished(() => rm(root, { recursive: true }));
  [projectDir, outside] = [join(root, "project"), join(root, "outside")];
  for (const path of [projectDir, outside]) await mkdir(path);
  await writeFile(join(outside, "secret"), "the key of the user");
});

/** Puts a link to the outside at this path of the project, and returns the folder `.bridle`. */
async function linkAt(path: string, target = outside): Promise<string> {
  await mkdir(dirname(join(projectDir, path)), { recursive: true });
  await symlink(target, join(projectDir, path));
  return join(projectDir, ".bridle");
}

test.each([".bridle", ".bridle/logs", ".bridle/logs/bridle.log", ".bridle/logs/bridle.1.log"])(
  "a log file is not written through a link at %s",
  async (path) => {
    const folder = await linkAt(path, path.endsWith(".log") ? join(outside, "secret") : outside);
    const onFailure = vi.fn();
    createFileLog({ folder, onFailure }).warn({}, "written");
    expect(onFailure.mock.calls[0]?.[0]).toMatchObject({ message: expect.stringContaining("is a link") });
    expect(await readdir(outside)).toEqual(["secret"]);
    expect(await readFile(join(outside, "secret"), "utf8")).toBe("the key of the user");
  },
);

test("a bundle does not contain the file that a link in the place of the log leads to", async () => {
  await linkAt(".bridle/logs/bridle.log", join(outside, "secret"));
  await writeFile(join(projectDir, ".bridle/logs/bridle.1.log"), '{"message":"a log line"}\n');
  await writeFile(join(projectDir, "bridle.yaml"), "llm: { provider: { backend: none } }\n");
  const facts = await (await openProject({ projectDir, environment: {} })).supportFacts();
  expect(facts.logs).toEqual({ "bridle.1.log": expect.stringContaining("a log line") });
});

test.each([".bridle/ns", ".bridle/ns/ada", ".bridle/ns/ada/home"])(
  "a namespace is not prepared through a link at %s",
  async (path) => {
    await linkAt(path);
    await expect(prepareNamespace({ projectDir, namespace: "ada" })).rejects.toThrow("is a link");
    expect(await readdir(outside)).toEqual(["secret"]);
  },
);
