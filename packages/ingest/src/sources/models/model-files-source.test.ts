import { expect, test } from "vitest";
import type { Candidate } from "../candidate.ts";
import { candidateSchema } from "../candidate.ts";
import { fetchSource, folderWith, projectItems } from "../testing/collect-fetch-for-tests.ts";

async function ingest(type: string, files: Readonly<Record<string, string>>, tables: readonly string[] = []) {
  const { source, items, problems } = await fetchSource({ type, path: folderWith(files) });
  const { candidates, findings } = await projectItems(source, items, { tables });
  return { items, problems, findings, candidates: candidates.map((each) => candidateSchema.parse(each)) };
}

/** Writes a candidate as `model.part name`, or as the statement. */
const brief = ({ body }: Candidate) =>
  body.kind === "model-part"
    ? `${body.model}.${body.part} ${body.name}`
    : body.kind === "statement"
      ? body.statement
      : body.kind;

const trips = `semantic_models:
  - name: trips
    model: ref('trips')
    entities:
      - name: trip
        type: primary
        expr: id
    dimensions:
      - name: started_at
        type: time
        type_params: { time_granularity: day }
    measures:
      - name: rides
        agg: count
        expr: id
        agg_time_dimension: started_at
metrics:
  - name: rides
    type: simple
    description: Trips of any status.
    type_params: { measure: rides }
`;

test("semantic models become parts of models, each with the lines that say it", async () => {
  const { items, candidates, findings } = await ingest(
    "metricflow",
    { "m/trips.yml": trips, "other.yml": "version: 2\n" },
    ["shop.main.trips"],
  );
  expect(items).toMatchObject([
    { id: "m/trips.yml", title: "trips", authority: "certified", isStructured: true, kind: "model" },
  ]);
  expect(findings).toEqual([]);
  expect(candidates.map(brief)).toContain("trips.measure rides");
  const measure = candidates.find((each) => brief(each) === "trips.measure rides");
  expect(measure).toMatchObject({
    origin: "projection",
    body: { table: "shop.main.trips", entry: { name: "rides", agg: "count" } },
    evidence: {
      source: "test",
      item: "m/trips.yml",
      quote: "- name: rides\n        agg: count\n        expr: id\n        agg_time_dimension: started_at",
    },
  });
});

test("a metric that cannot be imported is a finding with its line, and its description a statement", async () => {
  const text =
    "metrics:\n  - name: churn_risk\n    description: Riders without a trip for 21 days.\n    type: simple\n    type_params: {measure: idle_riders}\n";
  const { items, candidates, findings } = await ingest("metricflow", { "metrics.yml": text });
  expect(findings).toMatchObject([{ kind: "refused", subject: "metric churn_risk", item: "metrics.yml", line: 2 }]);
  expect(candidates.map(brief)).toEqual(["churn_risk: Riders without a trip for 21 days."]);
  expect(candidates[0]?.evidence.quote).toContain(
    "name: churn_risk\n    description: Riders without a trip for 21 days.",
  );
  expect(items[0]?.isStructured).toBe(true);
});

test("LookML is imported, and a file with more than the importer takes is left to a model", async () => {
  const view = `view: trips {
  sql_table_name: trips ;;
  dimension: id { primary_key: yes type: number sql: \${TABLE}.id ;; }
  measure: completed { type: count filters: [status: "completed"] description: "Trips that ended." }
  dimension: status { type: string sql: \${TABLE}.status ;; }
}
`;
  const query = "derived_table: { explore_source: trips { column: id {} } }";
  const derived = `view: daily { ${query} description: "One row for each day with a trip." }\n`;
  const opaque = `view: odd { ${query} }\n`;
  const { items, candidates, findings } = await ingest("lookml", {
    "trips.view.lkml": view,
    "daily.view.lkml": derived,
    "odd.view.lkml": opaque,
  });
  expect(items.map(({ id, isStructured }) => [id, isStructured])).toEqual([
    ["daily.view.lkml", true],
    ["odd.view.lkml", false],
    ["trips.view.lkml", true],
  ]);
  expect(candidates.map(brief)).toEqual([
    "trips.model trips",
    "trips.dimension id",
    "trips.dimension status",
    "trips.measure completed",
    "daily: One row for each day with a trip.",
  ]);
  expect(candidates[0]?.evidence.quote.startsWith("view: trips {\n  sql_table_name: trips ;;")).toBe(true);
  expect(candidates[3]?.evidence.quote).toBe(
    `measure: completed { type: count filters: [status: "completed"] description: "Trips that ended." }`,
  );
  expect(findings.map(({ subject, item, line }) => [subject, item, line])).toEqual([
    ["view daily", "daily.view.lkml", 1],
    ["view odd", "odd.view.lkml", 1],
  ]);
});

test("a view over a statement has its statement and no table, also if a table has its name", async () => {
  const view = `view: trips {
  derived_table: { sql: SELECT date(started_at) AS day, count(*) AS n FROM trips GROUP BY 1 ;; }
  dimension: day { type: string sql: \${TABLE}.day ;; }
  measure: rides { type: sum sql: \${TABLE}.n ;; }
}
`;
  const files = { "trips.view.lkml": view };
  const { source, items } = await fetchSource({ type: "lookml", path: folderWith(files), connection: "shop" });
  const { candidates } = await projectItems(source, items, { tables: ["shop.main.trips"] });
  const bodies = candidates.map(({ body }) => body);
  expect(bodies.map((body) => body.kind === "model-part" && [body.part, body.table, body.connection])).toEqual([
    ["model", undefined, "shop"],
    ["dimension", undefined, "shop"],
    ["measure", undefined, "shop"],
  ]);
  expect(bodies[0]).toMatchObject({
    entry: { name: "trips", sql: "SELECT date(started_at) AS day, count(*) AS n FROM trips GROUP BY 1" },
  });
  expect(bodies[0]).not.toHaveProperty("entry.table");
  expect(candidates[0]?.evidence.quote).toContain("SELECT date(started_at) AS day");
});

test.each([
  [
    "cube",
    {
      "orders.yml":
        "cubes:\n  - name: orders\n    sql_table: public.orders\n    measures:\n      - name: count\n        type: count\n",
    },
    "orders.measure count",
    "name: count\n        type: count",
  ],
  [
    "cube",
    {
      "orders.js":
        "cube(`orders`, {\n  sql_table: `public.orders`,\n  measures: {\n    total: { sql: `amount`, type: `sum` },\n  },\n});\n",
    },
    "orders.measure total",
    "total: { sql: `amount`, type: `sum` },",
  ],
  [
    "osi",
    {
      "m.yaml":
        "version: 0.2.0\nsemantic_model:\n  - name: shop\n    datasets:\n      - name: orders\n        source: db.public.orders\n        primary_key: [id]\n        fields:\n          - name: id\n            expression: { dialects: [{ dialect: ANSI_SQL, expression: id }] }\n",
    },
    "orders.model orders",
    "name: orders\n        source: db.public.orders",
  ],
])("%s files are imported with their lines", async (type, files, part, quote) => {
  const { candidates } = await ingest(type, files);
  const found = candidates.find((each) => brief(each) === part);
  expect(found?.evidence.quote).toContain(quote);
});

test("a model whose table the scan does not have is a finding, and its columns are those of the scan", async () => {
  const { source, items } = await fetchSource({ type: "metricflow", path: folderWith({ "trips.yml": trips }) });
  const missing = await projectItems(source, items, { placeModel: () => "The scan found no table trips. Scan again." });
  expect(missing.candidates).toEqual([]);
  expect(missing.findings).toContainEqual({
    kind: "refused",
    subject: "model trips",
    reason: "The scan found no table trips. Scan again.",
    item: "trips.yml",
    line: 2,
  });
  const known = await projectItems(source, items, {
    tables: ["shop.main.trips"],
    placeModel: (model) => ({
      model: { ...model, connection: "shop", table: "main.trips" },
      columns: { id: { type: "integer" } },
    }),
  });
  expect(known.candidates[0]?.body).toMatchObject({
    table: "shop.main.trips",
    entry: { name: "trips", table: "shop.main.trips" },
  });
  expect(known.findings.map(({ subject }) => subject)).toContain("dimension started_at");
});

test("a measure that filters by a column which no view declares is taken over if the table has the column", async () => {
  const view = `view: trips {
  sql_table_name: trips ;;
  dimension: id { primary_key: yes type: number sql: \${TABLE}.id ;; }
  measure: completed { type: count filters: [status: "done"] }
  measure: ghosts { type: count filters: [ghost: "x"] }
}
`;
  const { source, items } = await fetchSource({ type: "lookml", path: folderWith({ "trips.view.lkml": view }) });
  const findColumn = (table: string, column: string) => (column === "status" ? `${table}.${column}` : undefined);
  const { candidates, findings } = await projectItems(source, items, { tables: ["shop.main.trips"], findColumn });
  expect(candidates.map(brief)).toEqual([
    "trips.model trips",
    "trips.dimension status",
    "trips.dimension id",
    "trips.measure completed",
  ]);
  expect(candidates[1]?.evidence.quote).toBe('measure: completed { type: count filters: [status: "done"] }');
  expect(findings.map(({ kind, reason, line }) => [kind, reason, line])).toEqual([
    ["refused", 'There is no field "ghost". Correct the filter.', 5],
    ["changed", 'No view declares the field "status". It is taken for the column of that name.', 4],
  ]);
  expect((await projectItems(source, items)).candidates.map(brief)).not.toContain("trips.measure completed");
});

test("quotes are in the text at the place that the evidence says", async () => {
  const { items, candidates } = await ingest("metricflow", { "trips.yml": trips });
  expect(candidates.length).toBeGreaterThan(3);
  for (const { evidence } of candidates)
    expect(items[0]?.text.slice(evidence.start, (evidence.start ?? 0) + evidence.quote.length)).toBe(evidence.quote);
});

test.each([
  ["aliases that expand without end", `metrics: &a [${"*a,".repeat(3)}]\n`],
  ["deep nesting", `metrics: ${"[".repeat(20_000)}\n`],
  ["no YAML", "metrics:\n  - name: [\n"],
  ["a list of anything", "metrics: [1, null, {name: x, type_params: {}}, {name: {a: 1}}]\nsemantic_models: [3]\n"],
])("a file with %s does not end the others", async (_, text) => {
  const { candidates } = await ingest("metricflow", { "a.yml": text, "b.yml": trips });
  expect(candidates.map(brief)).toContain("trips.measure rides");
});

test("files that are no text are problems, and files that include each other are read once", async () => {
  const { problems, candidates } = await ingest("lookml", {
    "bad.view.lkml": Buffer.from([0xff, 0xfe, 0x41]) as unknown as string,
    "a.model.lkml": 'include: "b.model.lkml"\n',
    "b.model.lkml": 'include: "a.model.lkml"\nview: v { sql_table_name: s.v ;; dimension: x {} }\n',
  });
  expect(problems).toEqual([
    { id: "bad.view.lkml", message: "bad.view.lkml is not text in UTF-8. Convert it, or move it away." },
  ]);
  expect(candidates.map(brief)).toEqual(["v.model v", "v.dimension x"]);
});
