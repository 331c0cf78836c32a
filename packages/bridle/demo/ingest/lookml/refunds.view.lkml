view: refunds {
  sql_table_name: main.refunds ;;
  dimension: refund_id { primary_key: yes type: number sql: ${TABLE}.refund_id ;; }
  dimension: reason { type: string sql: ${TABLE}.reason ;; }
  measure: amount { type: sum sql: ${TABLE}.amount ;; description: "Refunds in EUR." }
}
