import type { MetricCase } from "./case.ts";

export const valueCases: readonly MetricCase[] = [
  {
    title: "a status in other capitals is another group",
    query: { measures: ["orders.count"], dimensions: ["orders.status"] },
    reference: `select status, count(*) from orders group by 1`,
    naive: `select lower(status), count(*) from orders group by 1`,
  },
  {
    title: "the median of an even number of values is between the two in the middle",
    query: { measures: ["orders.middle"], dimensions: ["orders.size"] },
    reference: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, median(amount::double) from orders group by 1`,
    naive: `select case when amount >= 50 then 'large' when amount is not null then 'small' end, quantile_disc(amount::double, 0.5) from orders group by 1`,
  },
  {
    title: "a filter with a subquery is refused",
    query: { measures: ["orders.count"], filters: ["status in (select name from secrets.users)"] },
    refused: "invalid_expression",
  },
  {
    title: "a filter with a comment is refused",
    query: { measures: ["orders.count"], filters: ["orders.status = 'x' -- y"] },
    refused: "invalid_expression",
  },
];
