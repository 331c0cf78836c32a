view: orders {
  sql_table_name: main.orders ;;
  dimension: order_no { primary_key: yes type: number sql: ${TABLE}.order_no ;; }
  dimension: channel { type: string sql: ${TABLE}.channel ;; description: "Where the order was placed." }
  dimension: status { type: string sql: ${TABLE}.status ;; }
  measure: count { type: count description: "All orders, also cancelled ones." }
  measure: sold {
    type: count
    filters: [status: "done", channel: "-test"]
    description: "Orders that count as sales."
  }
}
