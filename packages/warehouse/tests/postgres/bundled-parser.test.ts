import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const command = join(import.meta.dirname, "../../../bridle/dist/command");

test("the built command imports the parser of PostgreSQL from its package, because its WebAssembly is a file beside it", () => {
  const texts = globSync("*.js", { cwd: command }).map((file) => readFileSync(join(command, file), "utf8"));
  expect(texts.filter((text) => text.includes('import("libpg-query")'))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("libpg-query.wasm"))).toEqual([]);
});
