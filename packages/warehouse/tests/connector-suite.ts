/**
 * Tests the laws of a connector. An engine's test file calls `testConnector` once with its harness (`laws/harness.ts`). The harness lists
 * the titles of the laws that the engine cannot keep, each with the reason; the suite skips these laws.
 *
 * `create` creates an empty database. The suite fills it through `write` with the tables of `laws/standard-tables.ts`, in the schema
 * `fixture.schema` and with types of `harness.types`.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { behaviourLaws } from "./laws/behaviour-laws.ts";
import { ConnectorBench } from "./laws/bench.ts";
import { changeLaws } from "./laws/change-laws.ts";
import { dialectLaws } from "./laws/dialect-laws.ts";
import { exactLaws } from "./laws/exact-laws.ts";
import type { ConnectorHarness } from "./laws/harness.ts";
import type { Law } from "./laws/law.ts";
import { limitLaws } from "./laws/limit-laws.ts";
import { structureLaws } from "./laws/structure-laws.ts";

export function testConnector<Schema extends z.ZodObject>(harness: ConnectorHarness<Schema>): void {
  const bench = new ConnectorBench(harness);
  const laws: readonly Law[] = [structureLaws, exactLaws, limitLaws, behaviourLaws, dialectLaws, changeLaws].flatMap(
    (make) => make(bench),
  );
  describe(`connector ${harness.connector.type}`, () => {
    beforeAll(() => bench.open());
    afterAll(() => bench.close());
    test("only laws that exist are skipped", () => {
      const titles = laws.map(({ title }) => title);
      expect(Object.keys(harness.skip ?? {}).filter((title) => !titles.includes(title))).toEqual([]);
    });
    for (const { title, skip, hold } of laws) {
      const reason = skip ?? harness.skip?.[title];
      test(title, (context) => (reason === undefined ? hold() : context.skip(reason)));
    }
  });
}
