import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectors } from "@bridle/warehouse/definitions";
import { expect, test } from "vitest";

/** The compiler checks that each table has, for every kind of bad input, a case or the reason why that input is impossible. */
test.each(connectors.map(({ type }) => type))("the connector %s has a table of bad input", (type) => {
  const file = readFileSync(join(import.meta.dirname, `${type}.test.ts`), "utf8");
  expect(file).toContain(`testBadInput("${type}", {`);
});
