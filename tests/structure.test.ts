import { globSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { readPackages, root } from "../scripts/packages.ts";
import { cyclesIn, edgesAgainst, levelsOf, readSources, type SourceFile } from "./support/source-graph.ts";

const sources = readSources();

test("no files import each other in a cycle, types included", () => {
  expect(cyclesIn(new Map(sources.map(({ path, imports }) => [path, imports])))).toEqual([]);
});

test("no source folder has more than 25 files on one level, tests included", () => {
  const files = globSync("packages/{*,hosts/*,stores/*}/{src,tests}/**/*.{ts,tsx}", { cwd: root });
  const counts = Map.groupBy(files, dirname);
  const crowded = [...counts]
    .filter(([, { length }]) => length > 25)
    .map(([folder, { length }]) => `${folder}: ${length}`);
  expect(crowded).toEqual([]);
});

test("core has at most 15 rooms on 8 levels, and no import runs against the levels", () => {
  const rooms = roomGraph("packages/core/src/");
  const levels = levelsOf(rooms);
  const rows = [...levels].sort(([, a], [, b]) => a - b).map(([room, level]) => `${level}  ${room}`);
  console.log(["The rooms of core, by level:", ...rows].join("\n"));
  expect(cyclesIn(rooms)).toEqual([]);
  expect(rooms.size).toBeLessThanOrEqual(15);
  expect(Math.max(...levels.values())).toBeLessThanOrEqual(8);
});

test("fewer than ten imports between the rooms of a package run against their floors", () => {
  const packages = readPackages().map(({ folder }) => `${folder.slice(root.length).replace(/^\//, "")}/src/`);
  const graphs = packages.map((prefix) => [prefix, roomGraph(prefix)] as const);
  const against = graphs.flatMap(([prefix, rooms]) =>
    edgesAgainst(rooms).map(([from, to]) => `${prefix}${from} → ${to}`),
  );
  const total = graphs.reduce((sum, [, rooms]) => sum + [...rooms.values()].flat().length, 0);
  console.log([`${against.length} of ${total} imports between rooms run against the floors:`, ...against].join("\n"));
  expect(against.length).toBeLessThan(10);
});

/**
 * Whether a file belongs to the page, which these tests leave out: it is a separate program that nothing imports, and its views are named
 * after their contents.
 */
const isPage = ({ path }: SourceFile) => path.startsWith("packages/workbench/");

test.each([
  ["the packages", sources.filter((source) => !isPage(source))],
  ["the page", sources.filter(isPage)],
])("each exported name of %s belongs to one file", (_, files) => {
  const places = Map.groupBy(files.flatMap(exportsOf), ({ name }) => name);
  const shared = [...places].filter(([, found]) => new Set(found.map(({ path }) => path)).size > 1);
  expect(shared.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(", ")}`)).toEqual([]);
});

/**
 * Lists the top-level folders of a package's sources, each with the top-level folders that it imports. A file outside any folder counts as
 * a folder.
 */
function roomGraph(prefix: string): ReadonlyMap<string, readonly string[]> {
  const roomOf = (path: string) => path.slice(prefix.length).split("/")[0] ?? "";
  const own = sources.filter(({ path }) => path.startsWith(prefix));
  const byRoom = Map.groupBy(own, ({ path }) => roomOf(path));
  return new Map(
    [...byRoom].map(([room, files]) => {
      const imported = files.flatMap(({ imports }) => imports).filter((path) => path.startsWith(prefix));
      return [room, [...new Set(imported.map(roomOf))].filter((other) => other !== room)];
    }),
  );
}

function exportsOf({ path, text }: SourceFile): { name: string; path: string }[] {
  const pattern = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
  return [...text.matchAll(pattern)].map(([, name = ""]) => ({ name, path }));
}
