import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createSource } from "../kinds/create-source.ts";
import { nativeCard } from "../metabase/metabase-server-for-tests.ts";
import { collectFetch, folderWith } from "../testing/collect-fetch-for-tests.ts";
import { recogniseSources } from "./recognise-sources.ts";

const page = "# A\n\nSome words.\n";
const properties = "version: 2\nmodels:\n  - name: trips\n    description: One row for each trip.\n";
const metrics = "metrics:\n  - name: m\n    type: simple\n    type_params: {measure: x}\n";
const view = "view: trips { sql_table_name: trips ;; dimension: id {} }\n";
const osi = "version: 0.2.0\nsemantic_model:\n  - name: shop\n    datasets: []\n";
const cube = "cubes:\n  - name: orders\n    sql_table: orders\n";
const card = JSON.stringify(nativeCard(42, "Gross", "select 1"));
const log = 'query,calls\n"select * from trips",3\n';
const hex = "0123456789abcdef".repeat(2);

/** Returns `path type` for each source, with the paths relative to the folder. */
async function recognise(files: Readonly<Record<string, string>>, path = ".") {
  const folder = folderWith(files);
  const found = await recogniseSources(path, folder);
  return found.map(({ settings }) => `${"path" in settings ? settings.path : ""} ${settings.type}`);
}

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ["a folder of pages", { "a.md": page, "b/c.html": "<p>x", "b/logo.png": "x", "b/data.json": "{}" }, [". documents"]],
  ["an export of Notion", { [`Wiki ${hex}/A ${hex}.md`]: page, "notes.md": page }, [". notion"]],
  [
    "a project of dbt",
    {
      "dbt_project.yml": "name: a",
      "models/a.yml": properties,
      "models/sem.yml": metrics,
      "README.md": page,
      "models/a.sql": "select 1",
    },
    [". dbt"],
  ],
  ["properties without a project", { "models/schema.yml": properties }, [". dbt"]],
  ["metrics", { "metrics.yml": metrics }, [". metricflow"]],
  ["LookML", { "views/trips.view.lkml": view }, [". lookml"]],
  ["an OSI document", { "m.yaml": osi }, [". osi"]],
  [
    "an OSI document as JSON",
    { "m.json": '{"version":"0.2.0","semantic_model":[{"name":"a","datasets":[]}]}' },
    [". osi"],
  ],
  ["cubes", { "a.yml": cube, "b.js": "cube(`b`, { sql_table: `b` });" }, [". cube"]],
  ["cards", { "cards/42.json": card }, [". metabase"]],
  [
    "explores of Looker",
    { "e.json": JSON.stringify({ name: "a", fields: { dimensions: [], measures: [] } }) },
    [". looker"],
  ],
  ["logs", { "a.csv": log, "b.jsonl": '{"sql":"select * from t"}\n' }, [". query_history"]],
  [
    "folders of several kinds",
    {
      "metricflow/m.yml": metrics,
      "lookml/t.view.lkml": view,
      "metabase/cards/42.json": card,
      "notion/ops/a.md": page,
      "dbt/models/schema.yml": properties,
    },
    ["dbt dbt", "lookml lookml", "metabase metabase", "metricflow metricflow", "notion notion"],
  ],
  [
    "several kinds in one folder",
    { "README.md": page, "m/t.view.lkml": view, "log.csv": log },
    [". documents", ". lookml", ". query_history"],
  ],
  [
    "a project of dbt beside pages",
    {
      "dbt/dbt_project.yml": "name: a",
      "dbt/README.md": page,
      "dbt/a.yml": properties,
      "docs/a.md": page,
      "docs/deep/b.md": page,
    },
    ["dbt dbt", "docs documents"],
  ],
])("without settings, %s is recognised", async (_, files, expected) => {
  expect((await recognise(files)).toSorted()).toEqual(expected.toSorted());
});

test("a file alone is recognised, and a glob names documents", async () => {
  const files = { "a/schema.yml": properties, "a/b.md": page };
  expect(await recognise(files, "a/schema.yml")).toEqual(["a/schema.yml dbt"]);
  expect(await recognise(files, "a/b.md")).toEqual(["a/b.md documents"]);
  expect(await recognise(files, "**/*.md")).toEqual(["**/*.md documents"]);
  expect(await recognise(files, "-")).toEqual([" text"]);
});

test("sources of one folder have different names, and do not read the same files", async () => {
  const folder = folderWith({
    "README.md": page,
    "t.view.lkml": view,
    "log.csv": log,
    "prices.csv": "zone,price\nA,2\n",
  });
  const found = await recogniseSources(folder, tmpdir());
  expect(found.map(({ name }) => name.slice(name.lastIndexOf(" "))).toSorted()).toEqual([
    " (documents)",
    " (lookml)",
    " (query_history)",
  ]);
  const items = await Promise.all(
    found.map(async ({ name, settings }) =>
      (await collectFetch(await createSource(name, settings, { projectDir: tmpdir() }))).items.map(({ id }) => id),
    ),
  );
  expect(
    items
      .flat()
      .filter((id) => !id.startsWith("query/"))
      .toSorted(),
  ).toEqual(["README.md", "prices.csv", "t.view.lkml"]);
});

test.each([
  ["nowhere", "nowhere does not exist. Correct the path of the source."],
  [".", ". has nothing that can be ingested. Name a folder with documents, a dbt project, models or exported cards."],
  [
    "https://www.notion.so/x",
    "https://www.notion.so/x is an address. Write a source with its type and url under context.sources in bridle.yaml.",
  ],
])("%s is an error with a remedy", async (path, message) => {
  await expect(recognise({ "logo.png": "x" }, path)).rejects.toThrow(
    new RegExp(`${message.replaceAll(/[.()?]/g, "\\$&")}$`),
  );
});
