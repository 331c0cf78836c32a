import type { SqlExpression, SqlOrder, SqlWindow } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricDialect } from "./metric-dialect.ts";

type SqlAggregate = Extract<SqlExpression, { kind: "aggregate" }>;

/** Writes the operands of an aggregate. */
interface Expressions {
  write(node: SqlExpression): string;
  writeOrder(order: SqlOrder): readonly string[];
}

export class AggregateWriter {
  readonly #dialect: MetricDialect;
  readonly #expressions: Expressions;

  constructor(dialect: MetricDialect, expressions: Expressions) {
    this.#dialect = dialect;
    this.#expressions = expressions;
  }

  write({ name, operand }: SqlAggregate): string {
    const inner = operand === undefined ? "*" : this.#expressions.write(operand);
    const spelling = name === "sum" ? undefined : this.#dialect.aggregates?.[name];
    if (spelling) return spelling(inner, operand?.type ?? "unknown");
    if (name === "sum") return `(${this.#writeSum(inner, operand, "")})`;
    if (name === "median")
      return this.#dialect.median(inner) ?? refuseMetric("unsupported", "This engine has no median.");
    return name === "count_distinct" ? `COUNT(DISTINCT ${inner})` : `${name.toUpperCase()}(${inner})`;
  }

  /** Writes a sum. An engine without exact decimals adds integers that count the last digit. */
  #writeSum(inner: string, operand: SqlExpression | undefined, over: string): string {
    const { type, scale = 0 } = operand ?? { type: "unknown" };
    const sum = this.#dialect.aggregates?.sum;
    if (sum) return `${sum(inner, type)}${over}`;
    if (this.#dialect.scalesDecimals !== true || type !== "decimal" || scale === 0) return `SUM(${inner})${over}`;
    const factor = `1${"0".repeat(scale)}`;
    return `SUM(CAST(ROUND((${inner}) * ${factor}) AS INTEGER))${over} / ${factor}.0`;
  }

  writeWindow({ name, operand, partition, order }: SqlWindow): string {
    const by = partition.map((key) => this.#expressions.write(key)).join(", ");
    const sorted = order.flatMap((each) => this.#expressions.writeOrder(each)).join(", ");
    const clauses = [by && `PARTITION BY ${by}`, sorted && `ORDER BY ${sorted}`].filter((clause) => clause !== "");
    if (name === "sum" && operand)
      return `(${this.#writeSum(this.#expressions.write(operand), operand, ` OVER (${clauses.join(" ")})`)})`;
    return `${name.toUpperCase()}(${operand === undefined ? (name === "count" ? "*" : "") : this.#expressions.write(operand)}) OVER (${clauses.join(" ")})`;
  }
}
