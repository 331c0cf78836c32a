// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are templates of JavaScript
import { describe, expect, test } from "vitest";
import { importCube } from "../src/cube/import-cube.ts";

const start = `cubes:
  - name: orders
    sql_table: shop.orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: amount, sql: amount, type: number }
      - { name: region, sql: "upper({CUBE}.region)", type: string }
      - { name: placed, sql: placed_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
`;
const customers = `  - name: customers
    sql_table: shop.customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: customers, type: count }
`;

const lineUp = ({ findings }: Pick<ReturnType<typeof importCube>, "findings">) =>
  findings.map(({ kind, subject, reason, position }) => `${position.line} ${kind} ${subject}: ${reason}`);
const findingsOf = (text: string, file = "m.yml") => lineUp(importCube([{ file, text }]));

test("cubes without faults have no findings", () => {
  expect(findingsOf(start + customers)).toEqual([]);
});

const measures: readonly (readonly [what: string, yaml: string, finding: RegExp])[] = [
  ["a running total", "{ name: m, sql: amount, type: running_total }", /refused measure m: .*unbounded/],
  ["a rank", "{ name: m, type: rank, multi_stage: true }", /refused measure m: .*rank/],
  ["an unknown type", "{ name: m, sql: amount, type: mode }", /refused measure m: .*mode/],
  ["no type", "{ name: m, sql: amount }", /refused measure m: .*no type/],
  ["a sum without sql", "{ name: m, type: sum }", /refused measure m: .*no sql/],
  [
    "a percentile",
    '{ name: m, type: number_agg, sql: "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY price)" }',
    /refused measure m: /,
  ],
  [
    "an aggregation that engines spell differently",
    "{ name: m, type: string, sql: \"STRING_AGG(region, ',')\" }",
    /refused measure m: /,
  ],
  ["BOOL_AND", '{ name: m, type: boolean, sql: "BOOL_AND(amount > 1)" }', /refused measure m: /],
  [
    "a column outside of an aggregation",
    '{ name: m, type: number, sql: "{count} + amount" }',
    /refused measure m: .*amount is a column/,
  ],
  [
    "a dimension outside of an aggregation",
    '{ name: m, type: string, sql: "CASE WHEN {CUBE.amount} > 1 THEN 1 END" }',
    /refused measure m: .*not a measure/,
  ],
  ["an unknown measure", '{ name: m, type: number, sql: "{nothing} / 2" }', /refused measure m: .*nothing/],
  [
    "a measure that is defined by itself",
    '{ name: m, type: number, sql: "{m} + 1" }',
    /refused measure m: .*refers to itself/,
  ],
  [
    "filters of a number",
    '{ name: m, type: number, sql: "{count}", filters: [{ sql: "amount > 1" }] }',
    /refused measure m: .*filters/,
  ],
  [
    "a filter that is a subquery",
    '{ name: m, type: count, filters: [{ sql: "id in (select 1)" }] }',
    /refused measure m: .*select/i,
  ],
  [
    "a filter with Jinja",
    '{ name: m, type: count, filters: [{ sql: "{{ x }} = 1" }] }',
    /refused measure m: .*template/,
  ],
  [
    "a filter by the caller",
    '{ name: m, type: count, filters: [{ sql: "{SECURITY_CONTEXT.user.id} = 1" }] }',
    /refused measure m: .*SECURITY_CONTEXT/,
  ],
  [
    "a filter with FILTER_PARAMS",
    `{ name: m, type: count, filters: [{ sql: "{FILTER_PARAMS.orders.placed.filter('placed')}" }] }`,
    /refused measure m: .*FILTER_PARAMS/,
  ],
  [
    "a filter on a cube without a join",
    '{ name: m, type: count, filters: [{ sql: "{customers.id} = 1" }] }',
    /refused measure m: .*customers/,
  ],
  [
    "a window that looks ahead",
    "{ name: m, type: count, rolling_window: { leading: 1 day } }",
    /refused measure m: .*ahead/,
  ],
  [
    "a window before its period",
    "{ name: m, type: count, rolling_window: { trailing: 1 day, offset: start } }",
    /refused measure m: .*offset: start/,
  ],
  [
    "a window in minutes",
    "{ name: m, type: count, rolling_window: { trailing: 5 minutes } }",
    /refused measure m: .*5 minutes/,
  ],
  [
    "a window without a size",
    "{ name: m, type: count, rolling_window: { offset: end } }",
    /refused measure m: .*trailing/,
  ],
  [
    "a window of a number",
    '{ name: m, type: number, sql: "{count}", rolling_window: { trailing: 1 day } }',
    /refused measure m: .*rolling window/,
  ],
  [
    "an unknown key of a window",
    "{ name: m, type: count, rolling_window: { trailing: 1 day, magic: 1 } }",
    /refused measure m: .*magic/,
  ],
  [
    "a shift that looks ahead",
    '{ name: m, multi_stage: true, type: number, sql: "{count}", time_shift: [{ interval: 1 day, type: next }] }',
    /refused measure m: .*ahead/,
  ],
  [
    "a named shift",
    '{ name: m, multi_stage: true, type: number, sql: "{count}", time_shift: [{ name: year_before }] }',
    /refused measure m: .*calendar/,
  ],
  [
    "two shifts",
    '{ name: m, multi_stage: true, type: number, sql: "{count}", time_shift: [{ interval: 1 day }, { interval: 1 year }] }',
    /refused measure m: .*Several/,
  ],
  [
    "a shift of another time",
    '{ name: m, multi_stage: true, type: number, sql: "{count}", time_shift: [{ interval: 1 day, time_dimension: shipped }] }',
    /refused measure m: .*shipped/,
  ],
  [
    "a shift of an aggregation",
    "{ name: m, type: sum, sql: amount, time_shift: [{ interval: 1 day }] }",
    /refused measure m: .*time_shift/,
  ],
  [
    "a multi-stage aggregation",
    '{ name: m, type: avg, sql: "{total}", multi_stage: true, add_group_by: [id] }',
    /refused measure m: .*add_group_by/,
  ],
  [
    "a multi-stage aggregation of a measure",
    '{ name: m, type: avg, sql: "{total}", multi_stage: true }',
    /refused measure m: .*aggregated rows/,
  ],
  [
    "a fixed grouping",
    '{ name: m, type: number, sql: "{total}", multi_stage: true, group_by: [region] }',
    /refused measure m: .*share/,
  ],
  [
    "a case of a switch",
    "{ name: m, type: number, multi_stage: true, case: { switch: a } }",
    /refused measure m: .*switches/,
  ],
  ["an unknown key", "{ name: m, type: count, magic: 1 }", /refused measure m: .*"magic" is unknown/],
  ["a name that is SQL", '{ name: "m; drop table x", type: count }', /refused measure: .*not a valid name/],
  ["a second measure of one name", "{ name: total, type: count }", /refused measure total: .*same name/],
  ["a measure with the name of a dimension", "{ name: amount, type: count }", /refused measure amount: .*same name/],
];

test.each(measures)("%s in a measure of Cube is refused with its line", (_, yaml, finding) => {
  const findings = findingsOf(`${start}      - ${yaml}\n${customers}`);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^12 /);
  expect(findings[0]).toMatch(finding);
});

const dimensions: readonly (readonly [what: string, yaml: string, finding: RegExp])[] = [
  [
    "a geo dimension",
    "{ name: d, type: geo, latitude: { sql: a }, longitude: { sql: b } }",
    /refused dimension d: .*geo/,
  ],
  ["a switch", "{ name: d, type: switch, values: [a] }", /refused dimension d: .*switch/],
  [
    "a dimension over a measure",
    '{ name: d, type: number, sub_query: true, propagate_filters_to_sub_query: true, sql: "{customers.customers}" }',
    /refused dimension d: .*over a measure/,
  ],
  [
    "a measure in a dimension",
    '{ name: d, type: number, sql: "{total}" }',
    /refused dimension d: .*measure orders.total/,
  ],
  [
    "a granularity of its own",
    "{ name: d, type: time, sql: d, granularities: [{ name: half, interval: 6 months }] }",
    /refused granularity half of d: /,
  ],
  [
    "a calendar",
    "{ name: d, type: time, sql: d, time_shift: [{ name: a, sql: b }] }",
    /refused dimension d: .*calendar/,
  ],
  [
    "a case without conditions",
    "{ name: d, type: string, case: { else: { label: a } } }",
    /refused dimension d: .*condition/,
  ],
  ["a subquery", '{ name: d, type: string, sql: "(select password from users)" }', /refused dimension d: .*select/i],
  [
    "a function that one engine has",
    "{ name: d, type: string, sql: \"split_part(region, ',', 1)\" }",
    /refused dimension d: .*split_part/,
  ],
  [
    "a reference with a granularity",
    '{ name: d, type: time, sql: "{CUBE.placed.month}" }',
    /refused dimension d: .*granularity/,
  ],
  ["a cube without a column", '{ name: d, type: string, sql: "{CUBE}" }', /refused dimension d: .*not a member/],
  ["a table by its name", '{ name: d, type: string, sql: "customers.city" }', /refused dimension d: .*customers.city/],
  ["dimensions in a circle", '{ name: d, type: string, sql: "{d}" }', /refused dimension d: .*refers to itself/],
  ["a mask", "{ name: d, type: string, sql: d, mask: { sql: x } }", /refused dimension d: .*Masks/],
];

test.each(dimensions)("%s in Cube is refused with its line", (_, yaml, finding) => {
  const text = start.replace("    measures:", `      - ${yaml}\n    measures:`);
  const findings = findingsOf(text + customers);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^9 /);
  expect(findings[0]).toMatch(finding);
});

const cubes: readonly (readonly [what: string, yaml: string, finding: RegExp])[] = [
  ["a cube that is a query", "sql: select * from orders where x = 1", /^2 changed cube c: .*query/],
  ["a cube over another cube", "sql: 'select a from {other.sql()}'", /^2 refused cube c: .*template/],
  ["a cube without a table", "title: C", /^2 refused cube c: .*sql_table/],
  ["a table of Jinja", 'sql_table: "{{ schema }}.c"', /^2 refused cube c: .*not a table name/],
  ["a table of a compile context", 'sql_table: "{COMPILE_CONTEXT.x}.c"', /^2 refused cube c: .*not a table name/],
  ["a calendar cube", "sql_table: c, calendar: true", /^2 refused cube c: .*calendar/],
  ["an unknown key of a cube", "sql_table: c, magic: 1", /^2 refused cube c: .*magic/],
  ["an access policy", "sql_table: c, access_policy: [{ role: a }]", /^2 refused access_policy of c: .*row_filters/],
  ["another data source", "sql_table: c, data_source: lake", /^2 changed data_source of c: .*--connection/],
  ["an extension of nothing", "extends: other", /^2 refused cube c: .*"other"/],
  ["an extension of itself", "extends: c", /^2 refused cube c: .*itself/],
  [
    "a join to a missing cube",
    'sql_table: c, joins: [{ name: x, relationship: many_to_one, sql: "{CUBE}.a = {x}.a" }]',
    /^2 refused join x: .*no imported cube/,
  ],
  [
    "a join to itself",
    'sql_table: c, joins: [{ name: c, relationship: many_to_one, sql: "{CUBE}.a = {c}.b" }]',
    /^2 refused join c: .*itself/,
  ],
];

test.each(cubes)("%s of Cube is a finding with its line", (_, yaml, finding) => {
  const findings = findingsOf(`cubes:\n  - { name: c, ${yaml} }\n`);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(finding);
});

const joins: readonly (readonly [what: string, yaml: string, finding: RegExp])[] = [
  [
    "an unknown relationship",
    'relationship: many_to_many, sql: "{CUBE}.a = {customers}.a"',
    /refused join customers: .*relationship/,
  ],
  ["a condition without cubes", 'relationship: many_to_one, sql: "a = b"', /refused join customers: .*no cube/],
  [
    "a condition on a measure",
    'relationship: many_to_one, sql: "{count} = {customers.id}"',
    /refused join customers: .*measure/,
  ],
  [
    "a function that no model has",
    'relationship: many_to_one, sql: "soundex({CUBE}.a) = {customers}.a"',
    /refused join customers of orders: .*soundex/,
  ],
  [
    "a condition without the other cube",
    'relationship: many_to_one, sql: "{CUBE}.a = 1"',
    /refused join customers of orders: .*no column/,
  ],
];

test.each(joins)("%s in a join of Cube is refused with its line", (_, yaml, finding) => {
  const text = start.replace("    dimensions:", `    joins:\n      - { name: customers, ${yaml} }\n    dimensions:`);
  const findings = findingsOf(text + customers);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(/^5 /);
  expect(findings[0]).toMatch(finding);
});

test("views of Cube are refused with their lines", () => {
  const text = `${start}views:\n  - name: v\n    cubes: [{ join_path: orders, includes: "*" }]\n`;
  expect(findingsOf(text)).toEqual([expect.stringMatching(/^13 refused view v: .*members of the cubes/)]);
});

test("a segment over a column with the name of another dimension is refused, as it would be read as the dimension", () => {
  const text = start.replace("    measures:", `    segments: [{ name: s, sql: "{CUBE}.region = 'x'" }]\n    measures:`);
  expect(findingsOf(text)).toEqual([expect.stringMatching(/^9 refused segment s: .*column region/)]);
});

test("an approximate count of Cube is exact, and a window of months is whole months, which are changes", () => {
  expect(findingsOf(`${start}      - { name: m, sql: id, type: count_distinct_approx }\n`)).toEqual([
    expect.stringMatching(/^12 changed measure m: .*exactly/),
  ]);
  expect(findingsOf(`${start}      - { name: m, type: count, rolling_window: { trailing: 1 month } }\n`)).toEqual([
    expect.stringMatching(/^12 changed measure m: .*whole periods/),
  ]);
});

test("an integer division in Cube is a change, and so is a measure of another cube", () => {
  const text = `${start}      - { name: m, type: number, sql: "{total} / {count} * 100.0" }\n      - { name: n, type: number, sql: "{count} - {customers.customers}" }\n${customers}`;
  expect(findingsOf(text)).toEqual([
    expect.stringMatching(/^12 changed measure m: .*fraction/),
    expect.stringMatching(/^13 changed measure n: .*all rows of customers/),
  ]);
});

test("a composite primary key of Cube is all of its columns", () => {
  const text = `cubes: [{ name: c, sql_table: c, dimensions: [{ name: a, sql: x, type: number, primary_key: true }, { name: b, sql: "{CUBE}.y || '-' || {CUBE}.z", type: string, primary_key: true }] }]`;
  expect(importCube([{ file: "m.yml", text }]).models[0]?.primary_key).toEqual(["x", "y", "z"]);
});

describe("Cube's JavaScript is never run, and refuses", () => {
  const wrap = (measure: string, before = "") =>
    `${before}\ncube(\`c\`, {\n  sql_table: \`c\`,\n  measures: {\n    m: ${measure},\n  },\n});\n`;
  const inMeasure: readonly (readonly [what: string, text: string, finding: RegExp])[] = [
    ["a variable as text", wrap("{ type: TYPE, sql: `a` }"), /^5 refused measure m: .*TYPE/],
    ["a function as text", wrap("{ type: `sum`, sql: () => `a` }"), /^5 refused measure m: .*function/],
    ["a call as text", wrap("{ type: `sum`, sql: build(`a`) }"), /^5 refused measure m: .*not run/],
    ["a concatenation", wrap("{ type: `sum`, sql: `a` + `b` }"), /^5 refused measure m: .*not run/],
    ["a call in a template", wrap("{ type: `sum`, sql: `${build()} + 1` }"), /^5 refused measure m: .*computed parts/],
    ["a measure that is computed", wrap("build()"), /^5 refused measure m: .*plain object/],
    ["a computed key", wrap("{ type: `sum`, [key]: `a` }"), /^5 refused measure m: .*computed keys/],
    ["a spread", wrap("{ type: `sum`, ...base }"), /^5 refused measure m: .*computed keys/],
    ["a key twice", wrap("{ type: `sum`, sql: `a`, sql: `b` }"), /^5 refused measure m: .*twice/],
    ["braces in a template", wrap("{ type: `sum`, sql: `{a}` }"), /^5 refused measure m: .*braces/],
  ];

  test.each(inMeasure)("%s", (_, text, finding) => {
    const findings = findingsOf(text, "m.js");
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(finding);
  });

  const others: readonly (readonly [what: string, text: string, finding: RegExp])[] = [
    [
      "measures with a spread",
      "cube(`c`, { sql_table: `c`, measures: { ...base } })",
      /^1 refused cube c: .*computed keys/,
    ],
    ["a computed name", "cube(name, {})", /^1 refused cube: .*name/],
    ["a computed object", "cube(`c`, build())", /^1 refused cube: .*plain object/],
    ["a cube without a name", "cube({ sql: `a` })", /^1 refused cube: .*name and an object/],
    ["a loop", "for (const x of []) cube(x, {});", /^1 refused statement: .*nothing is run/],
    ["asynchronous modules", "asyncModule(async () => { cube(`c`, {}) });", /^1 refused statement: .*nothing is run/],
    ["a view", "view(`v`, { cubes: [] });", /^1 refused view v: /],
    ["what is no JavaScript", "cube(`c`, {\n  sql_table: `c`,,\n})", /^2 refused m.js: This is not JavaScript/],
    ["code that is too deep", `cube(\`c\`, ${"[".repeat(100_000)}`, /refused m.js: This is not JavaScript/],
  ];

  test.each(others)("%s", (_, text, finding) => {
    const findings = findingsOf(text, "m.js");
    expect(findings[0]).toMatch(finding);
  });

  test("a template with a name that the file declares", () => {
    const findings = findingsOf(wrap("{ type: `sum`, sql: `${rate}` }", "const rate = `amount`;"), "m.js");
    expect(findings).toEqual([
      expect.stringMatching(/^1 refused statement: /),
      expect.stringMatching(/^5 refused measure m: .*computed parts/),
    ]);
  });

  test("code with an effect, which does not happen", () => {
    const text = "globalThis.wasRun = true;\ncube(`c`, { sql_table: `c`, title: (globalThis.wasRun = true, `a`) });";
    expect(findingsOf(text, "m.js")).toEqual([expect.stringMatching(/^1 refused statement/)]);
    expect("wasRun" in globalThis).toBe(false);
  });
});

const bad: readonly (readonly [what: string, text: string, finding: RegExp])[] = [
  ["YAML with a fault", "cubes: [", /refused m.yml: This is not YAML/],
  ["statements of Jinja", "cubes:\n{% for x in y %}\n  - name: a\n{% endfor %}\n", /refused m.yml: .*Jinja/],
  ["an alias that contains itself", "cubes: &a [*a]", /^1 refused/],
  [
    "aliases that grow without end",
    `a: &a [x, x]\n${"bcdefghij"
      .split("")
      .map((each, index) => `${each}: &${each} [${`*${"abcdefghi"[index]}, `.repeat(9)}x]`)
      .join("\n")}\n`,
    /refused/,
  ],
  ["text that is not UTF-8", "cubes: [{ name: a\uFFFD }]", /refused m.yml: .*UTF-8/],
  ["cubes that are no list", "cubes: 3", /refused m.yml: .*list/],
  ["cubes that are texts", "cubes: [a, b]", /refused cube: /],
  ["a name that is SQL", 'cubes: [{ name: "a; drop table b", sql_table: a }]', /refused cube .*: .*not a valid name/],
  [
    "a second cube of one name",
    "cubes:\n  - { name: orders, sql_table: a }\n  - { name: orders, sql_table: b }\n",
    /^3 refused cube orders: .*same name/,
  ],
  [
    "extensions in a circle",
    "cubes:\n  - { name: a, extends: b }\n  - { name: b, extends: a }\n",
    /^2 refused cube a: It extends itself: a, b, a/,
  ],
];

test.each(bad)("%s in Cube is a finding, and the other files are imported", (_, text, finding) => {
  const imported = importCube([
    { file: "m.yml", text },
    { file: "good.yml", text: customers.replace(/^/, "cubes:\n") },
  ]);
  expect(lineUp(imported)[0]).toMatch(finding);
  expect(imported.models.map(({ name }) => name)).toContain("customers");
});

test("empty files of Cube import nothing", () => {
  expect(importCube([])).toMatchObject({ models: [], findings: [] });
  expect(
    importCube([
      { file: "m.yml", text: "" },
      { file: "m.js", text: "" },
    ]),
  ).toMatchObject({ models: [], findings: [] });
});

test("Cube's YAML with line ends of Windows has the same lines", () => {
  const text = `${start}      - { name: m, type: rank }\n`;
  expect(findingsOf(text.replaceAll("\n", "\r\n"))).toEqual(findingsOf(text));
});
