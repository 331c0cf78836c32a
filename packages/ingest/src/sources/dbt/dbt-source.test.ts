import { expect, test } from "vitest";
import { type Candidate, candidateSchema } from "../candidate.ts";
import { fetchSource, folderWith, projectItems } from "../testing/collect-fetch-for-tests.ts";

async function ingest(
  files: Readonly<Record<string, string>>,
  tables: readonly string[] = ["shop.main.trips", "shop.main.riders"],
) {
  const fetched = await fetchSource({ type: "dbt", path: folderWith(files) });
  const { candidates, findings } = await projectItems(fetched.source, fetched.items, { tables });
  for (const candidate of candidates) {
    candidateSchema.parse(candidate);
    const { item, quote, start = 0 } = candidate.evidence;
    expect(fetched.items.find(({ id }) => id === item)?.text.slice(start, start + quote.length)).toBe(quote);
  }
  return { ...fetched, candidates, findings };
}

const brief = ({ body }: Candidate): string => {
  if (body.kind === "statement") return body.statement;
  if (body.kind === "description") return `${body.subject}: ${body.text}`;
  if (body.kind === "join")
    return `${body.from} → ${body.to}${body.condition === undefined ? "" : ` if ${body.condition}`}`;
  return `${body.part} ${body.table} ${JSON.stringify(body.entry)}`;
};

const schemaYaml = `version: 2
models:
  - name: trips
    description: One row for each trip, cancelled ones too.
    columns:
      - name: id
        tests: [unique, not_null]
      - name: rider_id
        description: Who rode.
        tests:
          - relationships: {to: ref('riders'), field: id}
      - name: status
        data_tests:
          - accepted_values:
              arguments: { values: [done, cancelled] }
  - name: riders
    description: "{{ doc('riders') }}"
    meta: { owner: Rider team }
`;
const docs = "{% docs riders %}\nOne row for each rider.\n{% enddocs %}\n{% docs unended %}\n";

test("properties become descriptions, a primary key, joins, accepted values and owners, with their lines", async () => {
  const { items, candidates, findings } = await ingest({
    "dbt_project.yml": "name: shop",
    "models/schema.yml": schemaYaml,
    "models/docs.md": docs,
  });
  expect(items.map(({ id, kind, authority, isStructured }) => [id, kind, authority, isStructured])).toEqual([
    ["models/docs.md", "document", "certified", undefined],
    ["models/schema.yml", "properties", "certified", true],
  ]);
  expect(findings).toEqual([]);
  expect(candidates.map(brief)).toEqual([
    "shop.main.trips: One row for each trip, cancelled ones too.",
    "shop.main.trips.rider_id: Who rode.",
    "shop.main.trips.rider_id → shop.main.riders.id",
    "The accepted values of status in trips are: done, cancelled.",
    `model shop.main.trips {"name":"trips","table":"shop.main.trips","primary_key":["id"]}`,
    "shop.main.riders: One row for each rider.",
    "The owner of riders is Rider team.",
  ]);
  expect(candidates.map(({ evidence }) => evidence.quote)).toEqual([
    "name: trips\n    description: One row for each trip, cancelled ones too.",
    "name: rider_id\n        description: Who rode.",
    "name: rider_id\n        description: Who rode.\n        tests:\n          - relationships: {to: ref('riders'), field: id}",
    "name: status\n        data_tests:\n          - accepted_values:\n              arguments: { values: [done, cancelled] }",
    "name: id\n        tests: [unique, not_null]",
    "One row for each rider.",
    `name: riders\n    description: "{{ doc('riders') }}"\n    meta: { owner: Rider team`,
  ]);
});

test.each<[string, string, readonly string[]]>([
  [
    "a source with another identifier",
    "sources:\n  - name: raw\n    schema: main\n    tables:\n      - name: rides\n        identifier: trips\n        description: Raw trips of the app.\n",
    ["shop.main.trips: Raw trips of the app."],
  ],
  [
    "a model with an alias",
    "models:\n  - name: stg_trips\n    config: { alias: trips }\n    description: Trips after cleaning.\n",
    ["shop.main.trips: Trips after cleaning."],
  ],
  [
    "a combination of columns",
    "models:\n  - name: trips\n    data_tests:\n      - dbt_utils.unique_combination_of_columns:\n          combination_of_columns: [a, b]\n    columns:\n      - { name: a, tests: [not_null] }\n      - { name: b, constraints: [{ type: not_null }] }\n",
    [`model shop.main.trips {"name":"trips","table":"shop.main.trips","primary_key":["a","b"]}`],
  ],
  [
    "a constraint",
    "models:\n  - name: trips\n    columns:\n      - { name: a, constraints: [{ type: primary_key }] }\n",
    [`model shop.main.trips {"name":"trips","table":"shop.main.trips","primary_key":["a"]}`],
  ],
  [
    "two unique columns, of which neither is certain to be the key",
    "models:\n  - name: trips\n    columns:\n      - { name: a, tests: [unique, not_null] }\n      - { name: b, tests: [unique, not_null] }\n",
    [],
  ],
  [
    "a unique column that may be null",
    "models:\n  - name: trips\n    columns:\n      - { name: a, tests: [unique] }\n",
    [],
  ],
  [
    "uniqueness of some rows",
    "models:\n  - name: trips\n    columns:\n      - name: a\n        tests: [not_null, {unique: {config: {where: active}}}]\n",
    [],
  ],
  [
    "a relationship of some rows",
    "models:\n  - name: trips\n    columns:\n      - name: a\n        tests:\n          - relationships: {to: \"ref('shop', 'riders')\", field: id, config: {where: kind = 'r'}}\n  - name: riders\n",
    ["shop.main.trips.a → shop.main.riders.id if kind = 'r'"],
  ],
  [
    "a disabled test",
    "models:\n  - name: trips\n    columns:\n      - name: a\n        tests: [{relationships: {to: ref('riders'), field: id, config: {enabled: false}}}]\n  - name: riders\n",
    [],
  ],
  [
    "a disabled model",
    "models:\n  - name: trips\n    config: {enabled: false}\n    description: Not there any more.\n",
    [],
  ],
  [
    "a column that must be quoted",
    'models:\n  - name: trips\n    columns:\n      - { name: "trip id", description: Number of the trip. }\n',
    ['shop.main.trips."trip id": Number of the trip.'],
  ],
  [
    "an exposure",
    "exposures:\n  - name: weekly\n    label: Weekly report\n    type: dashboard\n    description: Numbers for the board.\n    owner: {name: Finance, email: f@example.org}\n    depends_on:\n      - ref('trips')\n      - source('raw', 'zones')\n",
    [
      "Weekly report: Numbers for the board.",
      "The dashboard Weekly report depends on trips, zones.",
      "The owner of the dashboard Weekly report is Finance.",
    ],
  ],
  [
    "a group",
    "groups:\n  - name: finance\n    owner: {name: Finance team}\n",
    ["The owner of the group finance is Finance team."],
  ],
  ["an owner that is an address", "groups:\n  - name: finance\n    owner: {email: a@example.org}\n", []],
])("%s is projected", async (_, text, expected) => {
  const { candidates } = await ingest({ "models/a.yml": text });
  expect(candidates.map(brief)).toEqual(expected);
});

test.each<[string, string, string, number]>([
  [
    "a relationship to a missing model",
    "models:\n  - name: trips\n    columns:\n      - name: a\n        tests: [{relationships: {to: ref('gone'), field: id}}]\n",
    "relationships of trips: It names gone, which the project does not have. Correct the test.",
    5,
  ],
  [
    "Jinja in a description",
    "models:\n  - name: trips\n    description: \"{{ var('x') }} of today\"\n",
    "description of trips: It contains Jinja, which only dbt can render. Run dbt compile, so that manifest.json has the text.",
    3,
  ],
  [
    "a missing doc block",
    "models:\n  - name: trips\n    description: \"{{ doc('gone') }}\"\n",
    "description of trips: There is no doc block gone. Correct the name, or add the block.",
    3,
  ],
  [
    "a second entry of a model",
    "models:\n  - name: trips\n  - name: trips\n",
    "properties of trips: Another entry before it has the same name. Keep one.",
    3,
  ],
  [
    "a metric without its measure",
    "metrics:\n  - name: m\n    type: simple\n    type_params: { measure: gone }\n",
    "metric m: ",
    2,
  ],
])("%s is a finding with its line", async (_, text, finding, line) => {
  const { findings } = await ingest({ "models/a.yml": text });
  expect(findings.map(({ subject, reason, line: at }) => [`${subject}: ${reason}`, at])).toEqual([
    [expect.stringContaining(finding), line],
  ]);
});

const column = (name: string, description = "") => ({ name, description });
const manifest = {
  metadata: { project_name: "shop" },
  nodes: {
    "model.shop.trips": {
      resource_type: "model",
      name: "trips",
      package_name: "shop",
      schema: "main",
      alias: "trips",
      description: "One row for each trip.",
      original_file_path: "models/schema.yml",
      columns: { id: column("id"), rider_id: column("rider_id", "Who rode.") },
      config: { enabled: true },
    },
    "model.shop.riders": {
      resource_type: "model",
      name: "riders",
      package_name: "shop",
      schema: "main",
      alias: "riders",
      description: "",
      columns: {},
    },
    "model.other.x": {
      resource_type: "model",
      name: "x",
      package_name: "other",
      schema: "main",
      description: "Of a package.",
    },
    "test.shop.u": {
      resource_type: "test",
      name: "u",
      column_name: "id",
      attached_node: "model.shop.trips",
      test_metadata: { name: "unique", kwargs: { column_name: "id", model: "{{ get_where_subquery(ref('trips')) }}" } },
    },
    "test.shop.n": {
      resource_type: "test",
      name: "n",
      column_name: "id",
      attached_node: "model.shop.trips",
      test_metadata: { name: "not_null", kwargs: { column_name: "id" } },
    },
    "test.shop.r": {
      resource_type: "test",
      name: "r",
      column_name: "rider_id",
      attached_node: "model.shop.trips",
      test_metadata: { name: "relationships", kwargs: { column_name: "rider_id", to: "ref('riders')", field: "id" } },
    },
    odd: { resource_type: 7 },
  },
  sources: {},
  exposures: {
    "exposure.shop.w": {
      resource_type: "exposure",
      name: "weekly",
      type: "dashboard",
      owner: { name: "Finance" },
      depends_on: { nodes: ["model.shop.trips"] },
    },
  },
};
const catalog = {
  nodes: {
    "model.shop.riders": {
      metadata: { schema: "main", name: "riders", comment: "One row for each rider, from the database." },
      columns: {},
    },
  },
};

test("a manifest is preferred, with one item for each node, and the comments of the catalog fill gaps", async () => {
  const { items, candidates, problems, isComplete } = await ingest({
    "models/schema.yml": schemaYaml,
    "models/sem.yml":
      "semantic_models:\n  - name: rides\n    model: ref('trips')\n    measures: [{ name: n, agg: count, expr: id }]\n",
    "target/manifest.json": JSON.stringify(manifest),
    "target/catalog.json": JSON.stringify(catalog),
  });
  expect(items.map(({ id, title, location }) => [id, title, location?.split("/").slice(-2).join("/")])).toEqual([
    ["models/sem.yml", "sem", "models/sem.yml"],
    ["exposure.shop.w", "weekly", undefined],
    ["model.shop.riders", "riders", undefined],
    ["model.shop.trips", "trips", "models/schema.yml"],
  ]);
  expect(candidates.map(brief)).toEqual(
    [
      "shop.main.riders: One row for each rider, from the database.",
      "shop.main.trips: One row for each trip.",
      "shop.main.trips.rider_id: Who rode.",
      "shop.main.trips.rider_id → shop.main.riders.id",
      `model shop.main.trips {"name":"trips","table":"shop.main.trips","primary_key":["id"]}`,
      "The dashboard weekly depends on trips.",
      "The owner of the dashboard weekly is Finance.",
      `model trips {"name":"rides","table":"trips"}`,
      `measure trips {"name":"n","agg":"count"}`,
    ].map((each) =>
      each.startsWith("model trips")
        ? expect.stringMatching(/^model shop\.main\.trips/)
        : each.startsWith("measure")
          ? expect.stringMatching(/^measure shop/)
          : each,
    ),
  );
  expect(problems).toEqual([{ message: "The node odd of manifest.json has an unexpected form. It is left out." }]);
  expect(isComplete).toBe(true);
});

test("a damaged manifest is a problem, and nothing counts as deleted", async () => {
  const { problems, isComplete } = await ingest({ "target/manifest.json": "{", "models/schema.yml": schemaYaml });
  expect(problems.map(({ message }) => message)).toEqual([
    "manifest.json is not a valid file of dbt. Run dbt compile again, or remove the file.",
  ]);
  expect(isComplete).toBe(false);
});

test("profiles, which contain credentials, and packages are not read", async () => {
  const { items } = await ingest({
    "profiles.yml": "models: []\n",
    "dbt_packages/x/models/a.yml": schemaYaml,
    "target/run/x.yml": schemaYaml,
    "README.md": "# Shop\n\nHow to run it.\n",
  });
  expect(items.map(({ id, authority }) => [id, authority])).toEqual([["README.md", "document"]]);
});

test.each([
  ["a broken file", "models: ["],
  [
    "aliases that expand without end",
    `a: &a [x,x]\n${"bcdefghij".replaceAll(/./g, (k) => `${k}: &${k} [*${String.fromCharCode(k.charCodeAt(0) - 1)},*${String.fromCharCode(k.charCodeAt(0) - 1)}]\n`)}models: *j\n`,
  ],
  ["deep nesting", `models: ${"[".repeat(20_000)}`],
])("%s is a finding, and the others are projected", async (_, text) => {
  const { findings, candidates } = await ingest({ "a.yml": text, "b.yml": schemaYaml });
  expect(findings.length).toBeGreaterThan(0);
  expect(findings[0]?.item).toBe("a.yml");
  expect(candidates.length).toBeGreaterThan(4);
});

test("odd values in all places are left out without an error", async () => {
  const odd =
    "models: [1, null, {name: {a: 1}}, {name: trips, columns: [3, {name: x, tests: [null, 4, {relationships: 5}, {accepted_values: {values: [{a: 1}]}}]}], description: [1]}]\nsources: [{name: 3, tables: 4}]\nexposures: [{name: x, depends_on: 3, owner: 4}]\ngroups: 7\n";
  const { candidates } = await ingest({ "a.yml": odd });
  expect(candidates.map(brief)).toEqual([]);
});
