/** Tests that `bridle ask` names the pages that an answer is based on, with their documents. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const script = `rehearsal: 1
turns:
  - when: { user: /told/, system: '/Cite each page that you used by its name[^]*- I mean net revenue if I say revenue/' }
    steps: [{ say: "I was told so." }]
  - when: { user: /churn/ }
    steps:
      - { call: search_context, with: { query: churn } }
      - { call: read_page, with: { page: riders } }
      - { say: "A rider has churned after 21 days without a ride (page riders, Rider handbook). This is disputed: the minutes say 28 days." }
  - when: { user: /rides/ }
    steps:
      - { call: read_page, with: { page: riders } }
      - { call: read_page, with: { page: absent } }
      - { call: run_sql, with: { statement: SELECT count(*) AS n FROM rides } }
      - { say: "There are 2 rides." }
`;

const page = `---
title: Riders
tables: [db.main.rides]
sources:
  - { source: notion, item: hr/handbook.md, title: Rider handbook, updated: 2026-02-01 }
  - { source: notion, item: minutes.md }
  - { source: notion, item: unused.md }
---

## Disputed

- Churn is counted after 21 days without a ride. [1]
- Churn is counted after 28 days without a ride. [2]
`;

let place: Place;
beforeAll(async () => {
  place = await createPlace();
  await mkdir(join(place.project, "context/wiki"), { recursive: true });
  new DatabaseSync(join(place.project, "db.sqlite")).exec(
    "CREATE TABLE rides (id INTEGER); INSERT INTO rides VALUES (1), (2)",
  );
  await writeFile(join(place.project, "script.yaml"), script);
  await writeFile(join(place.project, "context/wiki/riders.md"), page);
  await writeFile(
    join(place.project, "bridle.yaml"),
    "context: { connections: { db: { type: sqlite, file: db.sqlite } } }\n",
  );
  await bridle("context", "scan");
  await bridle("context", "remember", "--scope", "user", "I mean net revenue if I say revenue.");
});
afterAll(() => place.remove());

async function bridle(...words: string[]) {
  const command = startCommand(words, place);
  expect(await command.ended, command.stderr()).toBe(0);
  return command.stdout();
}
const ask = (question: string, ...words: string[]) =>
  bridle("ask", "--backend", "openai-compatible", "--model", "any", "--rehearse", "script.yaml", ...words, question);

const sources = [
  { source: "notion", item: "hr/handbook.md", title: "Rider handbook", updated: "2026-02-01" },
  { source: "notion", item: "minutes.md" },
];

test("an answer from a page names the page and the documents whose marks were read", async () => {
  expect(JSON.parse(await ask("When has a rider churned, by churn days?", "--json"))).toMatchObject({
    isBasedOnData: false,
    queries: [],
    pages: [{ page: "riders", title: "Riders", sources }],
  });
  expect(await ask("When has a rider churned, by churn days?")).toMatch(
    /but on pages\.\n\nPages that were read:\n {2}riders \(Riders\)\n {4}← Rider handbook, hr\/handbook\.md \(notion, changed 2026-02-01\)\n {4}← minutes\.md \(notion\)\n$/,
  );
});

test("an answer from data and pages names both, and a page that does not exist is no source", async () => {
  const { isBasedOnData, queries, pages } = JSON.parse(await ask("How many rides?", "--json"));
  expect({ isBasedOnData, pages }).toEqual({
    isBasedOnData: true,
    pages: [{ page: "riders", title: "Riders", sources }],
  });
  expect(queries).toHaveLength(1);
});

test("the instructions want pages to be cited, and have what the user wants remembered", async () => {
  expect(await ask("What were you told?")).toContain("I was told so.");
});
