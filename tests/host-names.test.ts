import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { backendNames } from "@bridle/project";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

/** The hosts, and the accounts and providers that only a host may know. */
const names = [...backendNames.filter((each) => each !== "none"), "bedrock", "azure_openai", "ollama"];
const name = `"(?:${names.join("|")})"`;

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
