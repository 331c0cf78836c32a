import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { livingSources, openAwaySources } from "./choose-sources.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-sources-"));
  for (const name of ["project/notes", "share", "full"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["project/notes/a.md", "full/b.md"]) writeFileSync(join(folder, name), "A dock has a heartbeat.");
});
afterEach(() => rmSync(folder, { recursive: true }));

const settings = () => ({ projectDir: join(folder, "project"), context: { sources: {} } });

test("a path ends as a source only if the folder that it was in shows that it is gone", () => {
  const gone = ["notes/b.md", "old/deep/a.md", join(folder, "full/a.md")];
  const there = ["notes/a.md", "./notes", join(folder, "full/b.md"), "text:01234567", "notes/*.md"];
  const away = [join(folder, "share/docs"), join(folder, "unmounted/docs/a.md")];
  const stored = [...gone, ...there, ...away, "wiki"];
  expect(livingSources(stored, settings())).toEqual([...there, ...away]);
  const sources = openAwaySources(
    stored.map((name) => ({ name, type: "folder" })),
    settings(),
  );
  expect(sources.map(({ name, type }) => [name, type])).toEqual(away.map((name) => [name, "folder"]));
});

test("a source that is away says so when it is read", async () => {
  const name = join(folder, "share/docs");
  const [source] = openAwaySources([{ name, type: "folder" }], settings());
  const fetching = async () => {
    for await (const _ of source?.fetch({
      cursor: undefined,
      signal: new AbortController().signal,
      updatedAtOf: () => undefined,
    }) ?? []);
  };
  await expect(fetching()).rejects.toThrow(
    `${name} cannot be found, and its folder is empty, missing or unreadable, so its earlier statements were kept. Make ${join(folder, "share")} readable. If it is gone for good, run "bridle context ingest --remove" with its name.`,
  );
});
