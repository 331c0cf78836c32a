import { openFacts } from "../../packages/context/src/facts/open-facts.ts";
import type { Fixture } from "./fixture.ts";
import { placeOf } from "./statements.ts";

export interface LinkScore {
  readonly right: number;
  /** Accepted links that the generator did not create, and created links that were not accepted. */
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
  /** Missed links that the scan lists for review, with the right target. */
  readonly review: number;
}

export function compareLinks(factsFile: string, { links }: Fixture, hasSchemas: boolean): LinkScore {
  const facts = openFacts({ file: factsFile });
  const joins = facts.reader.joins().map(({ from, to, status, score }) => ({
    name: `${from.table}.${from.columns.join("+")} → ${to.table}.${to.columns.join("+")}`,
    status,
    score,
  }));
  facts.close();
  const expected = new Set(
    links.map(({ child, column, parent }) => {
      const [from, to] = [child, parent].map((table) => placeOf(table, hasSchemas));
      return `w.${from?.schema}.${from?.table}.${column} → w.${to?.schema}.${to?.table}.${parent.name}_id`;
    }),
  );
  const found = new Set(joins.filter(({ status }) => status === "accepted").map(({ name }) => name));
  const wrong = joins.filter(({ name, status }) => status === "accepted" && !expected.has(name));
  const missed = [...expected].filter((name) => !found.has(name));
  const review = new Set(joins.filter(({ status }) => status === "review").map(({ name }) => name));
  return {
    right: expected.size - missed.length,
    wrong: wrong.map(({ name, score }) => `wrong: ${name} (${score})`),
    missed: missed.map((name) => `missed: ${name}`),
    review: missed.filter((name) => review.has(name)).length,
  };
}
