view: monthly_orders {
  derived_table: {
    sql: SELECT substr(placed_at, 1, 7) AS month, count(*) AS orders FROM main.orders GROUP BY 1 ;;
  }
  dimension: month { primary_key: yes type: string sql: ${TABLE}.month ;; }
  measure: orders { type: sum sql: ${TABLE}.orders ;; description: "Orders, counted by month." }
}
