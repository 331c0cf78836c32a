import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDocuments, openSqliteStore, type UpdateReport } from "../src/index.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "bridle-links-")));
  for (const name of ["project/docs/deep", "outside/docs"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "project/docs/inside.md"), "apple");
  writeFileSync(join(folder, "project/notes.md"), "fig");
  writeFileSync(join(folder, "outside/docs/secret.md"), "plum");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const link = (from: string, to: string) => symlinkSync(to, join(folder, from));

interface Indexed {
  readonly report: UpdateReport;
  readonly found: readonly string[];
}

/** Updates the index of the project, and finds the files that contain any of the words. */
async function index(sources: readonly string[]): Promise<Indexed> {
  const store = openSqliteStore(join(folder, "index.db"));
  const documents = openDocuments({ sources, baseDir: join(folder, "project"), store, searchMode: "keyword" });
  try {
    const report = await documents.update();
    return { report, found: (await documents.search("apple fig plum")).map(({ file }) => file).sort() };
  } finally {
    await documents.close();
  }
}

describe("a link that leads out of its source is reported, and its target is not indexed", () => {
  const cases: readonly (readonly [title: string, from: string, to: string, sources: readonly string[]])[] = [
    ["to a file outside the project", "docs/a.md", "../../outside/docs/secret.md", ["docs"]],
    ["by an absolute path", "docs/deep/a.md", "OUTSIDE/docs/secret.md", ["docs"]],
    ["from a glob", "docs/a.md", "../../outside/docs/secret.md", ["docs/**/*.md"]],
    ["to a file of the project beside the source", "docs/a.md", "../notes.md", ["docs"]],
    ["of a file that is the source itself", "a.md", "../outside/docs/secret.md", ["docs", "a.md"]],
    ["of a folder that is the source itself", "more", "../outside/docs", ["docs", "more"]],
    ["of a folder that a glob begins with", "more", "../outside/docs", ["docs", "more/*.md"]],
    ["of a folder in the middle of a source", "more", "../outside", ["docs", "more/docs"]],
    ["through a second link", "docs/a.md", "deep/b.md", ["docs"]],
  ];
  test.each(cases)("%s", async (_title, from, to, sources) => {
    link("project/docs/deep/b.md", join(folder, "outside/docs/secret.md"));
    link(`project/${from}`, to.replace("OUTSIDE", join(folder, "outside")));
    const { report, found } = await index(sources);
    expect(found).toEqual(["docs/inside.md"]);
    const name = from === "more" ? /^more/ : new RegExp(`^${from} is a link`);
    expect(report.failed.map(({ problem }) => problem)).toContainEqual(expect.stringMatching(name));
    for (const { problem } of report.failed)
      expect(problem).toMatch(/ is a link that leads out of its folder\. Name its target as a source\.$/);
  });

  test("and what an earlier index has of it is removed", async () => {
    writeFileSync(join(folder, "project/docs/a.md"), "plum");
    expect((await index(["docs"])).found).toContain("docs/a.md");
    rmSync(join(folder, "project/docs/a.md"));
    link("project/docs/a.md", "../../outside/docs/secret.md");
    const { report, found } = await index(["docs"]);
    expect([report.removed, found]).toEqual([["docs/a.md"], ["docs/inside.md"]]);
  });
});

describe("a link that stays in its source is followed", () => {
  test.each([
    ["to a file beside it", "docs/a.md", "inside.md", ["docs"]],
    ["from a folder below", "docs/deep/a.md", "../inside.md", ["docs/"]],
    ["if the source is the whole project", "docs/a.md", "../notes.md", ["."]],
    ["of a file that is the source itself", "a.md", "notes.md", ["a.md"]],
  ] as const)("%s", async (_title, from, to, sources) => {
    link(`project/${from}`, to);
    const { report, found } = await index(sources);
    expect(report.failed).toEqual([]);
    expect(found).toContain(from);
  });

  test("and the target of any link can be a source by its own name", async () => {
    const { report, found } = await index(["docs", "../outside/docs", join(folder, "outside/docs/secret.md")]);
    expect([report.failed, found]).toEqual([[], ["../outside/docs/secret.md", "docs/inside.md"]]);
  });
});

test.skipIf(process.platform === "win32")("a pipe in a source is skipped, and does not block", async () => {
  execFileSync("sh", ["-c", `mkfifo "$0"`, join(folder, "project/docs/pipe.md")]);
  const { report, found } = await index(["docs"]);
  expect([report.added, found]).toEqual([["docs/inside.md"], ["docs/inside.md"]]);
});
