import type { MetricCase } from "./case.ts";

/** Functions and conditions whose results a collation would change. */
export const textCases: readonly MetricCase[] = [
  {
    title: "nullif takes away the same characters only",
    query: { measures: ["people.count"], dimensions: ["people.not_zoe"] },
    reference: `select nullif(name, 'zoë'), count(*) from people group by 1`,
    naive: `select case when lower(trim(name)) <> 'zoë' then name end, count(*) from people group by 1`,
  },
  {
    title: "a distinct count over nullif counts other capitals",
    query: { measures: ["people.names"] },
    reference: `select count(distinct nullif(name, 'zoë')) from people`,
    naive: `select count(distinct lower(trim(nullif(name, 'zoë')))) from people`,
  },
  {
    title: "the alternatives of a CASE are compared by their characters",
    query: { measures: ["people.count"], dimensions: ["people.kind"] },
    reference: `select case name when 'ZOË' then 'upper' when 'zoë' then 'lower' else 'other' end, count(*) from people group by 1`,
    naive: `select case when upper(trim(name)) = 'ZOË' then 'upper' else 'other' end, count(*) from people group by 1`,
  },
  {
    title: "an underscore of a pattern is one character, also beyond ASCII",
    query: { measures: ["people.count"], filters: ["people.name LIKE '%o_'"] },
    reference: `select count(*) from people where name like '%o_'`,
    naive: `select count(*) from people where name like '%o__'`,
  },
  {
    title: "a pattern without capitals finds all of them",
    query: { measures: ["people.count"], filters: ["people.name ILIKE 'ZO_'"] },
    reference: `select count(*) from people where name in ('Zoë', 'zoë', 'ZOE')`,
    naive: `select count(*) from people where name like 'ZO_'`,
  },
  {
    title: "bounds of texts are those of their characters",
    query: { measures: ["people.count"], filters: ["people.name BETWEEN 'ZOE' AND 'Zoë'"] },
    reference: `select count(*) from people where name between 'ZOE' and 'Zoë'`,
    naive: `select count(*) from people where lower(trim(name)) between 'zoe' and 'zoë'`,
  },
  {
    title: "true counts as 1 in a sum and an average",
    query: { measures: ["people.active", "people.active_share"] },
    reference: `select sum(active::integer), avg(active::integer) from people`,
    naive: `select count(active), count(active) from people`,
  },
  {
    title: "0 and 1 beside a boolean are false and true",
    query: { measures: ["people.count"], filters: [{ field: "people.active", op: "=", value: 0 }] },
    reference: `select count(*) from people where not active`,
    naive: `select count(*) from people where active is not true`,
  },
];
