import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const folder = join(import.meta.dirname, "../packages/app");
const { exports: entries } = z
  .object({ exports: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));

test("the README of @bridle/app lists each of its entries", () => {
  const rows = readFileSync(join(folder, "README.md"), "utf8").match(/^\| `@bridle.*$/gm) ?? [];
  const listed = rows.flatMap((row) => row.split("|")[1]?.match(/@bridle\/app[/\w-]*/g) ?? []);
  const names = Object.keys(entries).map((entry) => entry.replace(".", "@bridle/app"));
  expect(listed.toSorted()).toEqual(names.toSorted());
});
