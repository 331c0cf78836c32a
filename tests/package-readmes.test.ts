import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPackages } from "../scripts/packages.ts";

test.each(readPackages())("the README of $name names every room of its sources", ({ name, folder }) => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const isNamed = (room: string) =>
    [`\`src/${room}/`, `\`src/${room}\``, `\`${room}/`, `\`${room}\``, `\`${name}/${room}\``].some((text) =>
      readme.includes(text),
    );
  expect(roomsOf(folder).filter((room) => !isNamed(room))).toEqual([]);
});

function roomsOf(folder: string): readonly string[] {
  const sources = join(folder, "src");
  if (!existsSync(sources)) return [];
  return readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
