import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

const names = ["claude-code", "anthropic", "openai", "openai-compatible", "gateway", "vertex", "bedrock"];
const name = `"(?:${names.join("|")}|azure_openai|ollama)"`;

/** Ways in which a source decides something by the name of a host. */
const comparison = new RegExp(
  [`[!=]==? ${name}`, `${name} [!=]==?`, `case ${name}`, `literal\\(${name}`, `^\\s*${name}: `].join("|"),
  "gm",
);

/** Sources that still decide by the name of a host. Remove an entry with its last comparison; add none. */
const exceptions: string[] = [];

test("only the packages of the hosts compare the name of a host", () => {
  const sources = globSync("packages/**/src/**/*.ts", { cwd: root }).filter(
    (path) =>
      !/node_modules|\/dist\/|\.test\.ts$|-for-tests\.ts$|^packages\/(hosts|rehearsal|conformance)\//.test(path),
  );
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.filter((path) => readFileSync(join(root, path), "utf8").match(comparison));
  expect(found.toSorted()).toEqual(exceptions);
});
