/** Checks that every error class of `@bridle/protocol` is exported and described in the reference. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as protocol from "@bridle/protocol";
import { expect, test } from "vitest";
import * as bridle from "../src/index.ts";

const classes = Object.entries(protocol).filter(
  ([, value]) => typeof value === "function" && (value as unknown) !== Error && value.prototype instanceof Error,
);

test("the contract has the errors that the reference is about", () => {
  expect(classes.length).toBeGreaterThan(20);
});

test.each(classes.map(([name]) => name))("%s is exported, and docs/reference/errors.md describes it", (name) => {
  expect(Object.keys(bridle)).toContain(name);
  const reference = readFileSync(join(import.meta.dirname, "../../../docs/reference/errors.md"), "utf8");
  expect(reference).toContain(`\`${name}\``);
});
