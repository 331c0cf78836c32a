import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { configurationReference } from "../scripts/reference/configuration.ts";

test("the generated references are those of the commands and the configuration as they are", () => {
  execFileSync(process.execPath, [join(root, "scripts/generate.ts"), "--check"], { stdio: "pipe" });
}, 120_000); // it starts the command once for each of its commands

test("the reference of the configuration has a row for each key of a value that may also be a mapping", () => {
  const pool = {
    description: "What waits.",
    anyOf: [{ const: false }, { properties: { maxCalls: { type: "integer", description: "Calls. Default: 100." } } }],
  };
  const host = { properties: { backend: { const: "one" }, pool } };
  const reference = configurationReference({ properties: { provider: { anyOf: [host] } } });
  expect(reference).toContain("| `provider.pool` | `false`, or the keys below |  | `one`: What waits. |");
  expect(reference).toContain("| `provider.pool.maxCalls` | a whole number | `100` | `one`: Calls. |");
});
