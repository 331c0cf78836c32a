/** LookML over the rides tables. */
export const ridesLookml = `
# The rides of a shop that rents bikes
include: "/views/*.view.lkml"
connection: "warehouse"
explore: rides {
  label: "All rides"
  join: riders {
    sql_on: \${rides.rider_id} = \${riders.id} ;;
    relationship: many_to_one
  }
  join: bikes { foreign_key: bike_id }
  join: makers {
    type: left_outer
    sql_on: \${bikes.maker_id} = \${makers.id} ;;
  }
  join: owners {
    from: riders
    view_label: "Owner"
    sql_on: \${bikes.owner_id} = \${owners.id} ;;
  }
  join: visits {
    sql_on: \${visits.rider_id} = \${rides.rider_id} and \${visits.day_raw} <= \${rides.rode_raw} ;;
    relationship: one_to_many
  }
}
explore: riders {
  join: visits { relationship: one_to_many sql_on: \${riders.id} = \${visits.rider_id};; }
}
explore: visits { sql_always_where: \${rider_id} <> 3 and \${day_raw} >= '2024-01-01' ;; }
view: rides {
  sql_table_name: main.rides ;;
  drill_fields: [id]
  set: detail { fields: [id, day_date] }
  dimension: id { primary_key: yes type: number hidden: yes sql: \${TABLE}.id ;; }
  dimension: rider_id { type: number }
  dimension: bike_id { type: number value_format: "0" }
  dimension_group: rode {
    type: time
    timeframes: [raw, date, week, month, month_num, month_name, quarter_of_year, day_of_month, yesno]
    datatype: date
    convert_tz: no
    sql: \${TABLE}.day ;;
  }
  dimension: fare { type: number sql: \${TABLE}.fare ;; }
  dimension: is_paid { type: yesno sql: \${TABLE}.paid ;; label: "Paid" description: "Money came in." }
  dimension: fare_tier { type: tier tiers: [3, 6] style: integer sql: \${fare} ;; }
  dimension: size {
    case: {
      when: { sql: \${fare} >= 6 ;; label: "large" }
      when: { sql: \${fare} >= 3 ;; label: "middle" }
      else: "none"
    }
  }
  dimension: where { sql: coalesce(\${riders.city}, 'nowhere') ;; }
  measure: count { type: count drill_fields: [detail*] }
  measure: active_riders { type: count_distinct sql: \${rider_id} ;; }
  measure: fares { type: sum sql: \${fare} ;; value_format_name: usd }
  measure: fares_distinct { type: sum_distinct sql_distinct_key: \${id} ;; sql: \${fare} ;; }
  measure: mean_fare { type: average sql: \${TABLE}.fare ;; }
  measure: mean_distinct { type: average_distinct sql: \${fare} ;; }
  measure: least { type: min sql: \${fare} ;; }
  measure: most { type: max sql: \${fare} ;; }
  measure: middle { type: median sql: \${fare} ;; }
  measure: middle_too { type: percentile percentile: 50 sql: \${fare} ;; }
  measure: paid_fares { type: sum sql: \${fare} ;; filters: [is_paid: "yes", fare: ">3"] }
  measure: unpaid { type: count filters: { field: is_paid value: "no" } }
  measure: bonn_rides { type: count filters: [riders.city: "Bonn,-Kiel"] }
  measure: not_bonn { type: count filters: [riders.city: "-Bonn"] }
  measure: in_january { type: count filters: [rode_date: "2024-01-01 to 2024-02-01"] }
  measure: in_first_month { type: count filters: [rode_month_num: "1"] }
  measure: share_paid { type: number sql: 1.0 * \${paid_fares} / nullif(\${fares}, 0) ;; }
  measure: last_day { type: date sql: max(\${rode_raw}) ;; }
  measure: raw_ratio { type: number sql: 1.0 * sum(\${fare}) / count(*) ;; }
  measure: is_busy { type: yesno sql: \${count} > 5 ;; }
  measure: before { type: period_over_period based_on: count based_on_time: rode_month period: month kind: previous }
}
view: riders {
  sql_table_name: "main"."riders" ;;
  dimension: id { primary_key: yes type: number }
  dimension: city {}
  dimension: joined { type: date datatype: date }
  measure: riders { type: count }
}
view: bikes {
  dimension: id { primary_key: yes type: number }
  dimension: kind {}
  dimension: maker_id { type: number }
  dimension: owner_id { type: number sql: \${maker_id} ;; }
}
view: makers {
  dimension: id { primary_key: yes type: number }
  dimension: country {}
}
view: visits {
  dimension: id { primary_key: yes type: number }
  dimension: rider_id { type: number }
  dimension_group: day { type: time datatype: date }
  measure: visits { type: count }
}
view: +visits { measure: visitors { type: count_distinct sql: \${rider_id} ;; } }
`;
