import type { MetricCase } from "./case.ts";

/** Selects each purchase with its user's last earlier visit within some days. */
function purchases(days: number, where = "true"): string {
  return `(select v.*, p.id as purchase, p.paid, row_number() over (partition by p.id order by v.happened desc, v.id desc) n from purchases p join visits v on v.user_id = p.user_id and v.happened <= p.happened and v.happened > p.happened - interval ${days} day where ${where}) q`;
}

const sourceOfAll = (aggregate: string, days: number, where?: string) =>
  `select source, max(c), sum(a) from (select source, count(*) c, null a from visits group by 1 union all select source, null, ${aggregate} from ${purchases(days, where)} where n = 1 group by 1) group by 1`;

export const conversionCases: readonly MetricCase[] = [
  {
    title: "a purchase is counted once, for the last visit before it",
    query: { measures: ["visits.count", "visits.conversions"], dimensions: ["visits.source"] },
    reference: `select source, "max(c)", coalesce("sum(a)", 0) from (${sourceOfAll("count(*)", 7)})`,
    naive: `select v.source, count(distinct v.id), count(p.id) from visits v left join purchases p on p.user_id = v.user_id and p.happened >= v.happened and p.happened < v.happened + interval 7 day group by 1`,
  },
  {
    title: "the rate divides by all visits, and one on the last moment of the window is late",
    query: { measures: ["visits.conversion"] },
    reference: `select (select count(*) from ${purchases(7)} where n = 1)::double / (select count(*) from visits)`,
    naive: `select (select count(*) from purchases p where exists (select 1 from visits v where v.user_id = p.user_id and v.happened <= p.happened and v.happened >= p.happened - interval 7 day))::double / (select count(*) from visits)`,
  },
  {
    title: "without a window, any earlier visit counts, and none that comes later",
    query: { measures: ["visits.conversion_ever"], dimensions: [{ field: "visits.at", grain: "month" }] },
    reference: `select m, coalesce(sum(a), 0)::double / sum(c) from (select date_trunc('month', happened)::date m, 1 c, 0 a from visits union all select date_trunc('month', happened)::date, 0, 1 from ${purchases(9999)} where n = 1) group by 1`,
    naive: `select date_trunc('month', v.happened)::date, count(p.id)::double / count(distinct v.id) from visits v left join purchases p on p.user_id = v.user_id group by 1`,
  },
  {
    title: "what is paid after a visit is added up once, at the date of the visit",
    query: {
      measures: ["visits.paid_after", "visits.count"],
      dimensions: [{ field: "visits.at", grain: "day", as: "day" }],
    },
    reference: `select d, sum(a), sum(c) from (select happened::date d, 1 c, null a from visits union all select happened::date, 0, paid from ${purchases(14)} where n = 1) group by 1`,
    naive: `select v.happened::date, sum(p.paid), count(distinct v.id) from visits v left join purchases p on p.user_id = v.user_id and p.happened >= v.happened and p.happened < v.happened + interval 14 day group by 1`,
  },
  {
    title: "filters of the metric that counts hold for purchases, and those of the query for visits",
    query: {
      measures: ["visits.large_after"],
      dimensions: ["visits.source"],
      filters: [{ field: "visits.source", op: "in", value: ["ad", "mail"] }],
    },
    reference: `select source, coalesce("sum(a)", 0) from (${sourceOfAll("count(*)", 9999, "p.paid >= 8")}) where source in ('ad', 'mail')`,
    naive: `select v.source, count(p.id) from visits v left join purchases p on p.user_id = v.user_id and p.happened >= v.happened and p.paid >= 8 where v.source in ('ad', 'mail') group by 1`,
  },
  {
    title: "with `empty: null`, no conversions at all are NULL as those of a group are",
    query: {
      measures: ["visits.known_conversions"],
      filters: [{ field: "visits.source", op: "=", value: "nowhere" }],
    },
    reference: `select cast(null as bigint)`,
    naive: `select count(p.id) from visits v join purchases p on p.user_id = v.user_id where v.source = 'nowhere'`,
  },
  {
    title: "a window of months from a moment is refused",
    query: { measures: ["visits.within_month"] },
    refused: "unsupported",
  },
  {
    title: "a conversion by a dimension of what it leads to is refused",
    query: { measures: ["visits.conversion"], dimensions: [{ field: "purchases.at", grain: "day" }] },
    refused: "unreachable",
  },
];
