/** Tables about rented bikes, and models of these tables in MetricFlow's YAML. */
import type { TestTable } from "../../semantic/tests/table-data.ts";

export const rideTables: readonly TestTable[] = [
  {
    name: "rides",
    columns: { id: "integer", rider_id: "integer", bike_id: "integer", day: "date", fare: "decimal", paid: "boolean" },
    key: ["id"],
    rows: [
      [1, 1, 1, "2024-01-01", 4.5, true],
      [2, 1, 2, "2024-01-03", 6.25, true],
      [3, 2, 1, "2024-01-03", 3, false],
      [4, 2, 3, "2024-02-02", null, true],
      [5, null, 2, "2024-02-10", 8.75, false],
      [6, 3, 9, "2024-03-05", 2.5, true],
    ],
  },
  {
    name: "riders",
    columns: { id: "integer", city: "text", joined: "date" },
    key: ["id"],
    rows: [
      [1, "Bonn", "2023-12-30"],
      [2, "Kiel", "2024-01-02"],
      [3, null, "2024-02-01"],
      [4, "Kiel", "2024-02-15"],
    ],
  },
  {
    name: "bikes",
    columns: { id: "integer", kind: "text", maker_id: "integer" },
    key: ["id"],
    rows: [
      [1, "cargo", 1],
      [2, "city", 1],
      [3, "city", 2],
    ],
  },
  {
    name: "makers",
    columns: { id: "integer", country: "text" },
    key: ["id"],
    rows: [
      [1, "NL"],
      [2, "DE"],
    ],
  },
  {
    name: "prices",
    columns: { bike_id: "integer", tier: "text", valid_from: "date", valid_to: "date" },
    key: ["bike_id", "valid_from"],
    rows: [
      [1, "low", "2023-01-01", "2024-01-02"],
      [1, "high", "2024-01-02", null],
      [2, "low", "2023-01-01", null],
    ],
  },
  {
    name: "balances",
    columns: { rider_id: "integer", day: "date", amount: "integer" },
    key: ["rider_id", "day"],
    rows: [
      [1, "2024-01-01", 10],
      [1, "2024-01-20", 15],
      [2, "2024-01-20", 7],
      [2, "2024-02-05", 3],
    ],
  },
  {
    name: "visits",
    columns: { id: "integer", rider_id: "integer", day: "date" },
    key: ["id"],
    rows: [
      [1, 1, "2024-01-01"],
      [2, 1, "2024-01-02"],
      [3, 2, "2024-01-20"],
      [4, 3, "2024-03-01"],
    ],
  },
];

export const ridesYaml = `version: 2
semantic_models:
  - name: rides
    description: One row for each ride.
    model: ref('rides')
    defaults:
      agg_time_dimension: ride_day
    entities:
      - { name: ride, type: primary, expr: id }
      - { name: rider, type: foreign, expr: rider_id }
      - { name: bike, type: foreign, expr: bike_id }
    dimensions:
      - name: ride_day
        type: time
        expr: day
        type_params: { time_granularity: day }
      - { name: is_paid, type: categorical, expr: paid }
      - { name: is_dear, type: categorical, expr: case when fare > 5 then 'yes' else 'no' end }
    measures:
      - { name: rides, agg: count, expr: 1, create_metric: true }
      - { name: paid_rides, agg: sum_boolean, expr: paid }
      - { name: fares, agg: SUM, expr: fare }
      - { name: fare_counted, agg: count, expr: fare }
      - { name: active_riders, agg: count_distinct, expr: rider_id }
      - { name: mean_fare, agg: average, expr: fare }
      - { name: least_fare, agg: min, expr: fare }
      - { name: most_fare, agg: max, expr: fare }
      - name: middle_fare
        agg: percentile
        expr: fare
        agg_params: { percentile: 0.5, use_discrete_percentile: false }
  - name: riders
    model: ref('riders')
    defaults:
      agg_time_dimension: joined
    entities:
      - { name: rider, type: primary, expr: id }
    dimensions:
      - { name: city, type: categorical }
      - { name: joined, type: time, type_params: { time_granularity: day } }
    measures:
      - { name: riders, agg: count, expr: id }
  - name: bikes
    model: "{{ ref('bikes') }}"
    entities:
      - { name: bike, type: primary, expr: id }
      - { name: maker, type: foreign, expr: maker_id }
    dimensions:
      - { name: kind, type: categorical }
  - name: makers
    model: ref('makers')
    entities:
      - { name: maker, type: primary, expr: id }
    dimensions:
      - { name: country, type: categorical }
  - name: prices
    model: ref('prices')
    entities:
      - { name: bike, type: natural, expr: bike_id }
    dimensions:
      - { name: tier, type: categorical }
      - name: valid_from
        type: time
        type_params: { time_granularity: day, validity_params: { is_start: true } }
      - name: valid_to
        type: time
        type_params: { time_granularity: day, validity_params: { is_end: true } }
  - name: balances
    model: ref('balances')
    primary_entity: balance
    defaults:
      agg_time_dimension: balance_day
    entities:
      - { name: rider, type: foreign, expr: rider_id }
    dimensions:
      - { name: balance_day, expr: day, type: time, type_params: { time_granularity: day } }
    measures:
      - name: last_balance
        agg: sum
        expr: amount
        non_additive_dimension: { name: balance_day, window_choice: max, window_groupings: [rider] }
  - name: visits
    model: ref('visits')
    defaults:
      agg_time_dimension: visit_day
    entities:
      - { name: visit, type: primary, expr: id }
      - { name: rider, type: foreign, expr: rider_id }
    dimensions:
      - { name: visit_day, expr: day, type: time, type_params: { time_granularity: day } }
    measures:
      - { name: visits, agg: count, expr: id }
metrics:
  - { name: fares, type: simple, type_params: { measure: fares } }
  - { name: paid_rides, type: simple, type_params: { measure: { name: paid_rides } } }
  - { name: fare_counted, type: simple, type_params: { measure: fare_counted } }
  - { name: active_riders, type: simple, type_params: { measure: active_riders } }
  - { name: mean_fare, type: simple, type_params: { measure: mean_fare } }
  - { name: least_fare, type: simple, type_params: { measure: least_fare } }
  - { name: most_fare, type: simple, type_params: { measure: most_fare } }
  - { name: middle_fare, type: simple, type_params: { measure: middle_fare } }
  - { name: riders, type: simple, type_params: { measure: riders } }
  - { name: last_balance, type: simple, type_params: { measure: last_balance } }
  - { name: visits, type: simple, type_params: { measure: { name: visits, fill_nulls_with: 0 } } }
  - name: rides_each_month
    type: simple
    type_params: { measure: { name: rides, join_to_timespine: true, fill_nulls_with: 0 } }
  - name: cargo_fares
    type: simple
    type_params: { measure: fares }
    filter: "{{ Dimension('bike__kind') }} = 'cargo'"
  - name: new_fares
    type: simple
    type_params:
      measure:
        name: fares
        filter: "{{ TimeDimension('metric_time', 'month') }} >= '2024-02-01'"
  - name: paid_share
    type: ratio
    type_params: { numerator: paid_rides, denominator: rides }
  - name: fares_for_each_rider
    type: ratio
    type_params:
      numerator: { name: fares, filter: "{{ Dimension('rider__city') }} is not null" }
      denominator: riders
  - name: balance_less_fares
    type: derived
    type_params:
      expr: balance - 2 * fares
      metrics: [{ name: last_balance, alias: balance }, fares]
  - name: fares_growth
    type: derived
    type_params:
      expr: fares - earlier
      metrics:
        - fares
        - { name: fares, offset_window: 1 month, alias: earlier }
  - name: fares_so_far
    type: cumulative
    type_params: { measure: fares }
  - name: fares_of_week
    type: cumulative
    type_params: { measure: fares, cumulative_type_params: { window: 7 days } }
  - name: fares_of_month_so_far
    type: cumulative
    type_params: { measure: fares, grain_to_date: month }
  - name: visits_that_become_rides
    type: conversion
    type_params:
      conversion_type_params:
        base_measure: visits
        conversion_measure: rides
        entity: rider
        window: 3 days
        calculation: conversions
`;
