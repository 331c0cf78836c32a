import type { MetricCase } from "./case.ts";

/** Cases in which strings that differ in case are two keys, even if a collation treats them as equal. */
export const textKeyCases: readonly MetricCase[] = [
  {
    title: "entries are not counted twice for keys that differ in capitals",
    query: { measures: ["entries.count"], dimensions: ["badges.code"] },
    reference: `select b.code, count(*) from entries e left join badges b on b.code = e.code group by 1`,
    naive: `select b.code, count(*) from entries e left join badges b on lower(b.code) = lower(e.code) group by 1`,
  },
  {
    title: "rows whose keys differ in capitals count each, by a dimension behind a to-many join",
    query: { measures: ["badges.count"], dimensions: ["entries.door"] },
    reference: `select e.door, count(distinct b.code) from badges b left join entries e on e.code = b.code group by 1`,
    naive: `select door, count(*) from (select distinct e.door, lower(b.code) c from badges b left join entries e on lower(e.code) = lower(b.code)) group by 1`,
  },
  {
    title: "a filter behind a to-many join of texts keeps the rows of the same key",
    query: { measures: ["badges.score"], filters: ["entries.door = 'back'"] },
    reference: `select sum(score) from badges b where exists (select 1 from entries e where e.code = b.code and door = 'back')`,
    naive: `select sum(score) from badges b join entries e on lower(e.code) = lower(b.code) where door = 'back'`,
  },
  {
    title: "an alternative behind a to-many join of texts keeps the rows of the same key",
    query: {
      measures: ["badges.count"],
      filters: [
        {
          or: [
            { field: "entries.code", op: "=", value: "a" },
            { field: "badges.score", op: ">", value: 100 },
          ],
        },
      ],
    },
    reference: `select count(*) from badges b where exists (select 1 from entries e where e.code = b.code and e.code = 'a') or score > 100`,
    naive: `select count(*) from badges b where exists (select 1 from entries e where lower(e.code) = lower(b.code) and e.code = 'a') or score > 100`,
  },
  {
    title: "the last score of each holder keeps holders that differ in capitals apart",
    query: { measures: ["badges.last_score"] },
    reference: `select sum(score) from badges b where day = (select max(day) from badges o where o.holder = b.holder)`,
    naive: `select sum(score) from badges b where day = (select max(day) from badges o where lower(o.holder) = lower(b.holder))`,
  },
  {
    title: "an entry is counted for the badge of the same code",
    query: { measures: ["badges.entered"] },
    reference: `select count(*) from entries e where exists (select 1 from badges b where b.code = e.code and b.day <= e.day)`,
    naive: `select count(*) from entries e where exists (select 1 from badges b where lower(b.code) = lower(e.code) and b.day <= e.day)`,
  },
];
