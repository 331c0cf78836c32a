/** Cubes over the rides tables, in YAML and in JavaScript. */
export const ridesCubes = `cubes:
  - name: rides
    sql_table: main.rides
    title: All rides
    data_source: default
    refresh_key: { every: 1 hour }
    pre_aggregations:
      - { name: main, measures: [CUBE.count] }
    hierarchies:
      - { name: h, levels: [id] }
    joins:
      - { name: riders, relationship: many_to_one, sql: "{CUBE}.rider_id = {riders.id}" }
      - { name: bikes, relationship: belongsTo, sql: "{rides}.bike_id = {bikes}.id" }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: day, sql: "{CUBE}.day", type: time }
      - { name: is_paid, sql: paid, type: boolean, title: Paid, description: Money came in. }
      - { name: paid, sql: "case when paid then 'yes' else 'no' end", type: string }
      - { name: fare, sql: fare, type: number, format: currency, meta: { a: 1 } }
      - name: size
        type: string
        case:
          when:
            - { sql: "{fare} >= 6", label: large }
            - { sql: "{CUBE.fare} >= 3", label: middle }
          else: { label: none }
      - { name: place, sql: "coalesce({riders.city}, 'nowhere')", type: string }
    segments:
      - { name: dear, sql: "{CUBE}.fare > 4 or {bikes.kind} = 'cargo'" }
    measures:
      - { name: count, type: count, drill_members: [id, fare] }
      - { name: fares_counted, type: count, sql: fare }
      - { name: active_riders, type: count_distinct, sql: "{CUBE}.rider_id" }
      - { name: fares, type: sum, sql: "{fare}", format: currency }
      - { name: mean_fare, type: avg, sql: fare }
      - { name: least, type: min, sql: fare }
      - { name: most, type: max, sql: fare }
      - { name: paid_fares, type: sum, sql: fare, filters: [{ sql: "{CUBE}.paid" }, { sql: "{fare} > 3" }] }
      - { name: bonn_rides, type: count, filters: [{ sql: "{riders.city} = 'Bonn'" }] }
      - { name: low_bikes, type: count, filters: [{ sql: "{bikes.twice} > 3" }] }
      - { name: share_paid, type: number, sql: "{paid_fares} * 1.0 / nullif({CUBE.fares}, 0)" }
      - { name: ratio, type: number, sql: "1.0 * SUM({CUBE}.fare) / count(*)" }
      - { name: last_day, type: time, sql: MAX(day) }
      - { name: is_busy, type: boolean, sql: "{count} > 5" }
      - { name: busy, type: string, sql: "case when {count} > 5 then 'busy' else 'calm' end" }
      - { name: middle, type: number_agg, sql: median(fare) }
      - { name: so_far, type: sum, sql: fare, rolling_window: { trailing: unbounded } }
      - { name: of_week, type: count, rolling_window: { trailing: 7 days, offset: end } }
      - { name: month_to_date, type: count, rolling_window: { type: to_date, granularity: month } }
      - name: before
        multi_stage: true
        type: number
        sql: "{count}"
        time_shift: [{ time_dimension: day, interval: 1 month, type: prior }]
  - name: riders
    sql: SELECT * FROM main.riders
    joins:
      - { name: visits, relationship: one_to_many, sql: "{CUBE.id} = {visits}.rider_id" }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
    measures:
      - { name: riders, type: count }
  - name: bikes
    sql_table: bikes
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: kind, sql: kind, type: string }
      - { name: maker_id, sql: "{CUBE}.maker_id * 2", type: number }
      - { name: twice, sql: "{maker_id}", type: number }
  - name: all_visits
    sql_table: main.visits
    public: false
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: visits, type: count }
  - name: visits
    extends: all_visits
    measures:
      - { name: visits, type: count, filters: [{ sql: "rider_id <> 3" }] }
      - { name: visitors, type: count_distinct, sql: rider_id }
`;

const dollar = "$";
export const ridesScript = `import { other } from './other';
cube(\`rides\`, {
  sqlTable: \`main.rides\`,
  joins: {
    riders: { relationship: \`many_to_one\`, sql: \`${dollar}{CUBE}.rider_id = ${dollar}{riders.id}\` },
  },
  dimensions: {
    id: { sql: \`id\`, type: 'number', primaryKey: true, shown: true },
    fare: { sql: "fare", type: \`number\` },
    paid: { sql: \`${dollar}{CUBE}.paid\`, type: \`boolean\` },
  },
  segments: { dear: { sql: \`${dollar}{CUBE}.fare > 4\` } },
  measures: {
    count: { type: \`count\`, drillMembers: [id, CUBE.fare] },
    fares: { sql: \`${dollar}{fare}\`, type: \`sum\` },
    paidFares: { sql: \`${dollar}{CUBE.fare}\`, type: \`sum\`, filters: [{ sql: \`${dollar}{CUBE}.paid\` }] },
    share: { sql: \`1.0 * ${dollar}{paidFares} / ${dollar}{fares}\`, type: \`number\` },
    soFar: { sql: \`fare\`, type: \`sum\`, rollingWindow: { trailing: \`unbounded\` } },
  },
});

cube("riders", {
  sql: \`SELECT * FROM main.riders;\`,
  dimensions: { id: { sql: \`id\`, type: \`number\`, primary_key: true }, city: { sql: \`city\`, type: \`string\` } },
});

cube(\`old_riders\`, { extends: riders, measures: { riders: { type: \`count\` } } });
`;
