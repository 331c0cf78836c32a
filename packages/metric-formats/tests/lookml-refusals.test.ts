// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of LookML
import { describe, expect, test } from "vitest";
import { importLookml } from "../src/lookml/import-lookml.ts";

/** Returns a view with one additional line, which is the third line of the file. */
const withLine = (line: string) => `view: orders {
  sql_table_name: shop.orders ;;
  ${line}
  dimension: id { primary_key: yes type: number }
  dimension: amount { type: number }
  dimension: status {}
  dimension: region { sql: upper(\${TABLE}.region) ;; }
  dimension_group: placed { type: time sql: \${TABLE}.placed_at ;; }
  measure: count { type: count }
  measure: total { type: sum sql: \${amount} ;; }
}
view: customers {
  sql_table_name: shop.customers ;;
  dimension: id { primary_key: yes type: number }
  dimension: city {}
  measure: customers { type: count }
}
`;

const lineUp = (findings: ReturnType<typeof importLookml>["findings"]) =>
  findings.map(({ kind, subject, reason, position }) => `${position.line} ${kind} ${subject}: ${reason}`);
const findingsOf = (text: string) => lineUp(importLookml([{ file: "m.lkml", text }]).findings);

test("LookML without faults has no findings", () => {
  expect(findingsOf(withLine(""))).toEqual([]);
});

const fields: readonly (readonly [what: string, line: string, finding: RegExp])[] = [
  [
    "a sum_distinct by another key",
    "measure: m { type: sum_distinct sql: ${amount} ;; sql_distinct_key: ${status} ;; }",
    /refused measure m: .*sql_distinct_key/,
  ],
  [
    "an average_distinct by another key",
    "measure: m { type: average_distinct sql: ${amount} ;; sql_distinct_key: ${status} ;; }",
    /refused measure m: .*sql_distinct_key/,
  ],
  [
    "a percentile other than the median",
    "measure: m { type: percentile percentile: 90 sql: ${amount} ;; }",
    /refused measure m: .*50/,
  ],
  [
    "a distinct percentile",
    "measure: m { type: percentile_distinct percentile: 90 sql: ${amount} ;; }",
    /refused measure m: .*50/,
  ],
  ["a list", "measure: m { type: list list_field: status }", /refused measure m: .*list/],
  ["a running total", "measure: m { type: running_total sql: ${total} ;; }", /refused measure m: .*cumulative/],
  ["a percent of the total", "measure: m { type: percent_of_total sql: ${total} ;; }", /refused measure m: .*share/],
  [
    "a percent of the previous row",
    "measure: m { type: percent_of_previous sql: ${total} ;; }",
    /refused measure m: .*offset/,
  ],
  [
    "a period of a fiscal year",
    "measure: m { type: period_over_period based_on: total based_on_time: placed_month period: fiscal_year }",
    /refused measure m: .*fiscal_year/,
  ],
  [
    "a period to date",
    "measure: m { type: period_over_period based_on: total based_on_time: placed_month period: year value_to_date: yes }",
    /refused measure m: .*value_to_date/,
  ],
  [
    "a period without its measure",
    "measure: m { type: period_over_period based_on_time: placed_month period: year }",
    /refused measure m: .*based_on/,
  ],
  ["an unknown type of measures", "measure: m { type: mode sql: ${amount} ;; }", /refused measure m: .*mode/],
  ["a sum without sql", "measure: m { type: sum }", /refused measure m: .*no sql/],
  ["a count with sql", "measure: m { type: count sql: ${id} ;; }", /refused measure m: .*count_distinct/],
  [
    "an aggregation of a measure",
    "measure: m { type: sum sql: ${total} ;; }",
    /refused measure m: .*measure orders.total/,
  ],
  [
    "an aggregation within an aggregation",
    "measure: m { type: number sql: sum(sum(${amount})) ;; }",
    /refused measure m: .*within/,
  ],
  [
    "a dimension outside of an aggregation",
    "measure: m { type: number sql: ${total} / ${amount} ;; }",
    /refused measure m: .*amount outside/,
  ],
  [
    "a column outside of an aggregation",
    "measure: m { type: number sql: ${TABLE}.amount + 1 ;; }",
    /refused measure m: .*outside/,
  ],
  ["a number over no measure", "measure: m { type: number sql: 1 + 1 ;; }", /refused measure m: .*no measure/],
  [
    "filters of a number",
    'measure: m { type: number sql: ${total} ;; filters: [status: "x"] }',
    /refused measure m: .*filters/,
  ],
  ["an unknown measure in a number", "measure: m { type: number sql: ${nothing} ;; }", /refused measure m: .*nothing/],
  [
    "a measure that is defined by itself",
    "measure: m { type: number sql: ${m} + 1 ;; }",
    /refused measure m: .*refers to itself/,
  ],
  [
    "a function that no model has",
    "measure: m { type: sum sql: json_value(${amount}) ;; }",
    /refused measure m: .*json_value/,
  ],
  ["a function in a number", "measure: m { type: number sql: soundex(${total}) ;; }", /refused measure m: .*soundex/],
  ["fanout_on", "measure: m { type: sum sql: ${amount} ;; fanout_on: items }", /refused measure m: .*fanout_on/],
  [
    "access grants",
    "measure: m { type: sum sql: ${amount} ;; required_access_grants: [pay] }",
    /refused measure m: .*access grants/,
  ],
  [
    "an expression of Looker",
    "measure: m { type: number expression: sum(${orders.amount}) ;; }",
    /refused measure m: .*own language/,
  ],
  [
    "an unknown parameter",
    "measure: m { type: sum sql: ${amount} ;; magic: yes }",
    /refused measure m: .*"magic" is unknown/,
  ],
  [
    "Liquid in a measure",
    "measure: m { type: sum sql: {% if x %} ${amount} {% endif %} ;; }",
    /refused measure m: .*template/,
  ],
  ["a Liquid value", "measure: m { type: sum sql: ${amount} * {{ rate }} ;; }", /refused measure m: .*template/],
  [
    "a constant without a value",
    "measure: m { type: sum sql: ${amount} * @{rate} ;; }",
    /refused measure m: .*template/,
  ],
  ["a second field of one name", "measure: total { type: count }", /^9? ?.*refused measure total: .*same name/],
  ["a relative filter", 'measure: m { type: count filters: [placed_date: "7 days"] }', /refused measure m: .*7 days/],
  ["a filter for today", 'measure: m { type: count filters: [placed_date: "today"] }', /refused measure m: .*today/],
  [
    "a filter by a day of the week",
    'measure: m { type: count filters: [placed_day_of_week: "Monday"] }',
    /refused measure m: .*day_of_week/,
  ],
  [
    "a filter that leaves out a range",
    'measure: m { type: count filters: [amount: "NOT (3, 12)"] }',
    /refused measure m: .*range/,
  ],
  [
    "a filter with an unclear NOT",
    'measure: m { type: count filters: [amount: "NOT 3, >12"] }',
    /refused measure m: .*ambiguous/,
  ],
  ["a filter that is no number", 'measure: m { type: count filters: [amount: "much"] }', /refused measure m: .*much/],
  ["a filter by a measure", 'measure: m { type: count filters: [total: ">3"] }', /refused measure m: .*measure total/],
  [
    "a filter on an unknown field",
    'measure: m { type: count filters: [nothing: "x"] }',
    /refused measure m: .*nothing/,
  ],
  [
    "a filter on a view without a join",
    'measure: m { type: count filters: [customers.city: "x"] }',
    /refused measure m: .*customers/,
  ],
  [
    "a filter with Liquid",
    `measure: m { type: count filters: [status: "{{ _user_attributes['x'] }}"] }`,
    /refused measure m: .*template/,
  ],
  [
    "a wildcard with an escaped one",
    'measure: m { type: count filters: [status: "a^%b%"] }',
    /refused measure m: .*wildcard/,
  ],
  [
    "a yesno that is neither",
    'measure: m { type: count filters: [open: "maybe"] } dimension: open { type: yesno sql: ${status} = 1 ;; }',
    /refused measure m: .*maybe/,
  ],
  ["a subquery", "dimension: d { sql: (select max(x) from secret) ;; }", /refused dimension d: .*select/i],
  ["a comment in SQL", "dimension: d { sql: ${status} -- more ;; }", /refused dimension d: .*comment/],
  [
    "a dimension over a measure",
    "dimension: d { type: number sql: ${total} ;; }",
    /refused dimension d: .*measure orders.total/,
  ],
  [
    "a dimension of another view without a join",
    "dimension: d { sql: ${customers.city} ;; }",
    /refused dimension d: .*customers/,
  ],
  ["a table by its name", "dimension: d { sql: customers.city ;; }", /refused dimension d: .*customers.city/],
  ["a nested column", "dimension: d { sql: ${TABLE}.a.b ;; }", /refused dimension d: .*TABLE/],
  ["a window", "dimension: d { sql: rank() over (order by ${amount}) ;; }", /refused dimension d: /],
  [
    "a location",
    "dimension: d { type: location sql_latitude: ${TABLE}.a ;; sql_longitude: ${TABLE}.b ;; }",
    /refused dimension d: .*location/,
  ],
  [
    "a distance",
    "dimension: d { type: distance start_location_field: a end_location_field: b }",
    /refused dimension d: .*distance/,
  ],
  [
    "a type of a single period",
    "dimension: d { type: date_month sql: ${TABLE}.x ;; }",
    /refused dimension d: .*date_month/,
  ],
  [
    "a duration",
    "dimension_group: d { type: duration sql_start: ${TABLE}.a ;; sql_end: ${TABLE}.b ;; intervals: [day] }",
    /refused dimension group d: .*duration/,
  ],
  [
    "a time in seconds since 1970",
    "dimension_group: d { type: time datatype: epoch }",
    /refused dimension group d: .*epoch/,
  ],
  ["a time as digits", "dimension_group: d { type: time datatype: yyyymmdd }", /refused dimension group d: .*yyyymmdd/],
  [
    "a week of the year",
    "dimension_group: d { type: time timeframes: [raw, week_of_year] }",
    /refused dimension d_week_of_year: .*week_of_year/,
  ],
  [
    "a fiscal quarter",
    "dimension_group: d { type: time timeframes: [fiscal_quarter] }",
    /refused dimension d_fiscal_quarter: /,
  ],
  [
    "a day of the week",
    "dimension_group: d { type: time timeframes: [day_of_week] }",
    /refused dimension d_day_of_week: /,
  ],
  ["a month as text in SQL", "dimension: d { sql: ${placed_month} ;; }", /refused dimension d: .*timeframe month/],
  [
    "tiers that are not in order",
    "dimension: d { type: tier tiers: [5, 3] sql: ${amount} ;; }",
    /refused dimension d: .*ascending/,
  ],
  ["a tier without tiers", "dimension: d { type: tier sql: ${amount} ;; }", /refused dimension d: .*tiers/],
  ["a case without conditions", 'dimension: d { case: { else: "x" } }', /refused dimension d: .*no condition/],
  ["an old case", "dimension: d { sql_case: { a: ${status} = 1 ;; } }", /refused dimension d: .*sql_case/],
  ["a reference within quotes", "dimension: d { sql: 'a ${status}' ;; }", /refused dimension d: .*quotes/],
  [
    "a dimension that is defined by itself",
    "dimension: d { sql: ${e} ;; } dimension: e { sql: ${d} ;; }",
    /refused dimension d: .*refers to itself/,
  ],
  ["a filter that users enter", "filter: d { type: date }", /refused filter d: .*enter/],
  ["a parameter that users enter", "parameter: d { type: unquoted }", /refused parameter d: .*enter/],
  [
    "a dimension over a parameter",
    "dimension: d { sql: ${p} ;; } parameter: p { type: string }",
    /refused dimension d: .*enter/,
  ],
];

test.each(fields)("%s in LookML is refused with its line", (_, line, finding) => {
  const findings = findingsOf(withLine(line));
  expect(findings.filter((each) => each.includes(" refused ")).join("\n")).toMatch(finding);
  expect(findings[0]).toMatch(/^(3|10) /);
});

const views: readonly (readonly [what: string, text: string, finding: RegExp])[] = [
  ["a derived table in SQL", "view: v { derived_table: { sql: select 1 ;; } }", /^1 changed view v: .*query/],
  [
    "a derived table over another view",
    "view: v { derived_table: { sql: select * from ${w.SQL_TABLE_NAME} ;; } }",
    /^1 refused view v: .*template/,
  ],
  [
    "a native derived table",
    "view: v { derived_table: { explore_source: orders { column: id {} } } }",
    /^1 refused view v: .*derived table/,
  ],
  ["a table that is a query", "view: v { sql_table_name: (select 1) ;; }", /^1 refused view v: .*not a table name/],
  ["a table with Liquid", "view: v { sql_table_name: {{ schema }}.v ;; }", /^1 refused view v: .*not a table name/],
  ["an unknown parameter of a view", "view: v { magic: yes }", /^1 refused view v: .*magic/],
  ["access grants of a view", "view: v { required_access_grants: [a] }", /^1 refused view v: .*access grants/],
  [
    "a second view of one name",
    "view: v { dimension: a {} }\nview: v { dimension: b {} }",
    /^2 refused view v: .*same name/,
  ],
  ["a refinement of nothing", "view: +v { dimension: a {} }", /^1 refused view \+v: .*not among the files/],
  ["an extension of nothing", "view: v { extends: [w] }", /^1 refused view v: .*"w"/],
  [
    "extensions in a circle",
    "view: v { extends: [w] }\nview: w { extends: [v] }",
    /^1 refused view v: It extends itself: v, w, v/,
  ],
  ["a week that starts on Sunday", "week_start_day: sunday", /^1 changed week_start_day: .*Monday/],
  ["an unknown parameter of a file", "magic: yes", /^1 refused magic: /],
  ["an include of a missing file", 'include: "other.view.lkml"', /^1 refused include other.view.lkml: .*Add it/],
  ["a project in the name of a table", "view: v { sql_table_name: p.d.v ;; }", /^1 changed view v: .*Connect to p/],
];

test.each(views)("%s in LookML is a finding with its line", (_, text, finding) => {
  expect(findingsOf(text)[0]).toMatch(finding);
});

const joins: readonly (readonly [what: string, explore: string, finding: RegExp])[] = [
  [
    "an inner join",
    "join: customers { type: inner sql_on: ${orders.status} = ${customers.id} ;; }",
    /refused join customers: .*inner/,
  ],
  [
    "a full outer join",
    "join: customers { type: full_outer sql_on: ${orders.status} = ${customers.id} ;; }",
    /refused join customers: .*full_outer/,
  ],
  ["a cross join", "join: customers { type: cross }", /refused join customers: .*cross/],
  [
    "a join from many to many",
    "join: customers { relationship: many_to_many sql_on: ${orders.status} = ${customers.id} ;; }",
    /refused join customers: .*many_to_many/,
  ],
  ["a join without a condition", "join: customers {}", /refused join customers: .*neither/],
  [
    "a join with sql_where",
    "join: customers { sql_on: ${orders.status} = ${customers.id} ;; sql_where: ${customers.id} > 1 ;; }",
    /refused join customers: .*sql_where/,
  ],
  ["a join in SQL", "join: customers { sql: left join customers on true ;; }", /refused join customers: .*sql_on/],
  [
    "a join with its own table",
    "join: customers { sql_table_name: x.y ;; sql_on: ${orders.status} = ${customers.id} ;; }",
    /refused join customers: .*its own table/,
  ],
  [
    "a join of an unknown view",
    "join: nothing { sql_on: ${orders.status} = ${nothing.id} ;; }",
    /refused join nothing: .*no view nothing/,
  ],
  [
    "a join with Liquid",
    "join: customers { sql_on: {% condition x %} ${customers.id} {% endcondition %} ;; }",
    /refused join customers: .*template/,
  ],
  [
    "a join with a condition on one view",
    "join: customers { sql_on: ${customers.id} = 1 ;; }",
    /refused join customers: .*two views/,
  ],
  [
    "a join with a function that no model has",
    "join: customers { sql_on: soundex(${orders.status}) = ${customers.city} ;; }",
    /refused join customers of orders: .*soundex/,
  ],
  [
    "a join by a measure",
    "join: customers { sql_on: ${orders.count} = ${customers.id} ;; }",
    /refused join customers: .*measure/,
  ],
  [
    "a foreign key without a primary key",
    "join: plain { foreign_key: status } } view: plain { dimension: a {}",
    /refused join plain: .*primary_key/,
  ],
  ["symmetric aggregates that are off", "symmetric_aggregates: no", /refused explore orders: .*symmetric/],
  ["sql_always_having", "sql_always_having: ${count} > 1 ;;", /refused explore orders: .*sql_always_having/],
  ["an explore with its own table", "sql_table_name: x.y ;;", /refused explore orders: .*its own table/],
  ["an unknown base view", "from: nothing", /refused explore orders: .*nothing/],
  [
    "an access filter",
    "access_filter: { field: region user_attribute: region }",
    /refused access_filter of explore orders: .*row_filters/,
  ],
  [
    "a filter that is always asked for",
    'always_filter: { filters: [status: "x"] }',
    /refused always_filter of explore orders: /,
  ],
  [
    "a conditional filter",
    'conditionally_filter: { filters: [status: "x"] }',
    /refused conditionally_filter of explore orders: /,
  ],
  [
    "sql_always_where with Liquid",
    "sql_always_where: {% condition x %} ${status} {% endcondition %} ;;",
    /refused sql_always_where of explore orders: .*template/,
  ],
  [
    "sql_always_where over a column with the name of another dimension",
    "sql_always_where: ${TABLE}.region = 'x' ;;",
    /refused sql_always_where of explore orders: .*TABLE|region/,
  ],
];

test.each(joins)("%s in a LookML explore is refused with its line", (_, inner, finding) => {
  const findings = findingsOf(`${withLine("")}explore: orders { ${inner} }\n`);
  expect(findings.join("\n")).toMatch(finding);
});

describe("LookML explores that leave out rows", () => {
  const where = (text: string) => importLookml([{ file: "m.lkml", text: withLine("") + text }]);

  test("refuse the measures of their base view if the rows cannot be kept", () => {
    const { models, findings } = where("explore: orders { sql_always_where: {{ x }} ;; }");
    expect(models[0]?.measures).toEqual([]);
    expect(lineUp(findings).join("\n")).toMatch(/refused measure count: .*cannot be kept/);
  });

  test("refuse the measures of their base view if they leave out different ones", () => {
    const { models } = where(
      "explore: orders { sql_always_where: ${id} > 1 ;; } explore: o { from: orders sql_always_where: ${id} > 2 ;; }",
    );
    expect(models[0]?.measures).toEqual([]);
  });

  test("are refused if another explore has all rows", () => {
    const { models, findings } = where(
      "explore: orders {} explore: o { from: orders sql_always_where: ${o.id} > 2 ;; }",
    );
    expect(models[0]?.measures?.every(({ filters }) => filters === undefined)).toBe(true);
    expect(lineUp(findings)).toEqual([expect.stringMatching(/refused sql_always_where of explore o: .*two meanings/)]);
  });

  test("give each measure of the base view their condition", () => {
    const { models } = where("explore: o { from: orders sql_always_where: ${o.status} = 'x' ;; }");
    expect(models[0]?.measures?.map(({ filters }) => filters)).toEqual([
      ["(\"status\" = 'x')"],
      ["(\"status\" = 'x')"],
    ]);
  });
});

test("sql_always_where over a column behind a join with the name of another dimension is refused", () => {
  const text = `${withLine("")}view: shops { dimension: id { primary_key: yes type: number } dimension: size { type: number sql: \${TABLE}.size / 2.0 ;; } }
explore: orders { join: shops { sql_on: \${orders.region} = \${shops.id} ;; } sql_always_where: \${shops.size} > 3 ;; }`;
  expect(findingsOf(text).join("\n")).toMatch(/refused sql_always_where of explore orders: .*shops.size/);
});

test("a join with the name of the view that it joins from is refused", () => {
  const text = `${withLine("")}explore: o { from: orders join: orders { from: customers sql_on: \${o.status} = \${orders.id} ;; } }`;
  expect(findingsOf(text).join("\n")).toMatch(/refused join orders: .*another name/);
});

test("measures of a view that is joined alone are a change, as Looker has only the rows that are reached", () => {
  const text = `${withLine("")}explore: orders { join: customers { sql_on: \${orders.status} = \${customers.id} ;; } }\n`;
  expect(findingsOf(text)).toEqual([expect.stringMatching(/changed measures of view customers: .*all of its rows/)]);
});

test("an integer division in LookML is a change, and one with a decimal is not", () => {
  expect(findingsOf(withLine("measure: m { type: number sql: ${total} / ${count} ;; }"))).toEqual([
    expect.stringMatching(/^3 changed measure m: .*fraction/),
  ]);
  expect(findingsOf(withLine("measure: m { type: number sql: 1.0 * ${total} / ${count} ;; }"))).toEqual([]);
});

test("a day within SQL is that of the query's timezone, which is a change if Looker does not convert it", () => {
  const line = "measure: m { type: count_distinct sql: ${placed_date} ;; }";
  expect(findingsOf(withLine(line))).toEqual([]);
  const kept = withLine(line).replace("placed { type: time", "placed { type: time convert_tz: no");
  expect(findingsOf(kept)).toEqual([
    expect.stringMatching(/^3 changed measure m: .*timezone converts it/),
    expect.stringMatching(/^8 changed dimension group placed: .*timezone converts it/),
  ]);
});

test("a text filter is refused if the model compares without case", () => {
  const line = 'measure: m { type: count filters: [status: "x"] }';
  expect(findingsOf(`${withLine(line)}case_sensitive: no\n`).join("\n")).toMatch(/refused measure m: .*case_sensitive/);
});

test("an approximate count in LookML is exact, which is a change", () => {
  const findings = findingsOf(withLine("measure: m { type: count_distinct approximate: yes sql: ${status} ;; }"));
  expect(findings).toEqual([expect.stringMatching(/^3 changed measure m: .*exactly/)]);
});

test("extensions, refinements and constants of LookML are laid over each other", () => {
  const text = `constant: rate { value: "1.5" }
view: base { extension: required dimension: id { primary_key: yes type: number } measure: m { type: sum sql: \${TABLE}.a ;; label: "A" } }
view: v { extends: [base] sql_table_name: s.v ;; measure: m { sql: \${TABLE}.b * @{rate} ;; } }
view: +v { measure: m { description: "B" } measure: n { type: count } }`;
  const { models, findings } = importLookml([{ file: "m.lkml", text }]);
  expect(findings).toEqual([]);
  expect(models).toEqual([
    {
      name: "v",
      table: "s.v",
      primary_key: ["id"],
      dimensions: [{ name: "id", type: "number" }],
      measures: [
        { name: "m", agg: "sum", expr: '("b" * 1.5)', label: "A", description: "B" },
        { name: "n", agg: "count" },
      ],
    },
  ]);
});

test("a primary key that is computed from columns is these columns", () => {
  const text = "view: v { dimension: key { primary_key: yes sql: ${TABLE}.a || '-' || ${TABLE}.b ;; } }";
  expect(importLookml([{ file: "m.lkml", text }]).models[0]?.primary_key).toEqual(["a", "b"]);
});

test("parameters of LookML that change no number are counted", () => {
  const text =
    'view: v { label: "V" dimension: a { value_format: "0" link: { label: "x" url: "y" } } dimension: b { value_format: "0" } }';
  expect(importLookml([{ file: "m.lkml", text }]).notNeeded).toEqual({ label: 1, link: 1, value_format: 2 });
});

const bad: readonly (readonly [what: string, text: string, finding: RegExp])[] = [
  ["a block that is not closed", "view: v {\n dimension: a {\n", /refused m.lkml: .*line 2 is not closed/],
  ["a brace too many", "view: v { } }", /refused m.lkml: .*closes no block/],
  ["a text that does not end", 'view: v { label: "x }', /refused m.lkml: .*does not end/],
  ["SQL that does not end", "view: v { dimension: a { sql: x } }", /refused m.lkml: .*;;/],
  ["a list that is not closed", "view: v { set: s { fields: [a, b", /refused m.lkml: .*not closed/],
  ["a parameter without a colon", "view v {}", /refused m.lkml: .*colon/],
  ["blocks that are too deep", "a: {".repeat(200), /refused m.lkml: .*deep/],
  ["a file that is no text", 'view: v { label: "\uFFFD" }', /refused m.lkml: .*UTF-8/],
  ["the old form of LookML", "- view: v\n  fields:\n", /refused m.lkml: .*old form/],
];

test.each(bad)("%s in LookML is a finding of the file, and the other files are imported", (_, text, finding) => {
  const files = [
    { file: "m.lkml", text },
    { file: "good.view.lkml", text: withLine("") },
  ];
  const { models, findings } = importLookml(files);
  expect(lineUp(findings)[0]).toMatch(finding);
  expect(models.map(({ name }) => name)).toEqual(["orders", "customers"]);
});

test("empty LookML and LookML without views import nothing", () => {
  expect(importLookml([])).toMatchObject({ models: [], findings: [] });
  expect(importLookml([{ file: "m.lkml", text: "" }])).toMatchObject({ models: [], findings: [] });
  expect(importLookml([{ file: "m.lkml", text: "\uFEFF# nothing\r\n" }])).toMatchObject({ models: [], findings: [] });
});

test("LookML with line ends of Windows has the same lines", () => {
  const line = "measure: m { type: running_total sql: ${total} ;; }";
  expect(findingsOf(withLine(line).replaceAll("\n", "\r\n"))).toEqual(findingsOf(withLine(line)));
});

test("LookML fields that multiply each other are refused before they are too long", () => {
  const doubled = Array.from(
    { length: 60 },
    (_, index) => `dimension: d${index + 1} { sql: \${d${index}} || \${d${index}} ;; }`,
  );
  const { findings } = importLookml([{ file: "m.lkml", text: `view: v { dimension: d0 {} ${doubled.join("\n")} }` }]);
  expect(findings.length).toBeGreaterThan(40);
  expect(findings.at(-1)?.reason).toMatch(/10,000 characters/);
});

test("a LookML file with a million comments and parameters is read", () => {
  const text = `view: v { ${"# comment\n".repeat(200_000)} ${'tags: ["a"]\n'.repeat(200_000)} dimension: a {} }`;
  expect(importLookml([{ file: "m.lkml", text }]).models).toHaveLength(1);
});
