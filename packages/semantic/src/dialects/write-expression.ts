import type { SelectRelation, SqlExpression, SqlLiteral, SqlOrder, SqlWindow } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { MetricDialect } from "./metric-dialect.ts";

type Node<Kind extends SqlExpression["kind"]> = Extract<SqlExpression, { kind: Kind }>;

/** What only some engines need. */
const passedOn = new Set(["text_order", "text_identity", "text_shown", "decimal_result"]);

export class ExpressionWriter {
  readonly #dialect: MetricDialect;
  readonly #writeSelect: (select: SelectRelation) => string;

  constructor(dialect: MetricDialect, writeSelect: (select: SelectRelation) => string) {
    this.#dialect = dialect;
    this.#writeSelect = writeSelect;
  }

  /** In parentheses if it has an operator outside. */
  writeInner(node: SqlExpression): string {
    const isOpen = ["binary", "not", "is_null", "in", "like"].includes(node.kind);
    return isOpen ? `(${this.write(node)})` : this.write(node);
  }

  write(node: SqlExpression): string {
    const dialect = this.#dialect;
    switch (node.kind) {
      case "column":
        return `${dialect.quoteName(node.source)}.${dialect.quoteName(node.name)}`;
      case "literal":
        return this.#writeLiteral(node);
      case "binary":
        return this.#writeBinary(node);
      case "not":
        return `NOT ${this.writeInner(node.operand)}`;
      case "negate":
        return `(- ${this.writeInner(node.operand)})`;
      case "is_null":
        return `${this.writeInner(node.operand)} IS ${node.isNegated ? "NOT " : ""}NULL`;
      case "in":
        return this.#writeIn(node);
      case "like":
        return `${node.isNegated ? "NOT " : ""}(${dialect.like(this.writeInner(node.operand), node.pattern)})`;
      case "case":
        return this.#writeCase(node);
      case "cast":
        return `CAST(${this.write(node.operand)} AS ${this.#castType(node)})`;
      case "call":
        return this.#writeCall(node);
      case "aggregate":
        return this.#writeAggregate(node);
      case "window":
        return this.#writeWindow(node);
      case "truncate":
        return dialect.truncate(this.writeInner(node.operand), node.grain, node.weekStart);
      case "shift":
        return dialect.shift(this.writeInner(node.operand), node.count, node.grain);
      case "local_time":
        return dialect.localTime(this.writeInner(node.operand), node.zone, node.operand.type);
      case "exists":
        return `EXISTS (${this.#writeSelect(node.select)})`;
      case "scalar":
        return `(${this.#writeSelect(node.select)})`;
    }
  }

  writeOrder({ by, descending }: SqlOrder): string[] {
    const value = this.write(by);
    return [`CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END`, `${value} ${descending ? "DESC" : "ASC"}`];
  }

  #writeLiteral({ type, value }: SqlLiteral): string {
    if (value === null) return this.#dialect.nullOf?.(type) ?? "NULL";
    switch (type) {
      case "text":
        return this.#dialect.quoteText(value);
      case "date":
        return this.#dialect.date(value);
      case "timestamp":
        return this.#dialect.timestamp(value);
      case "boolean":
        return value === "true" ? "TRUE" : "FALSE";
      default:
        return value;
    }
  }

  #writeBinary({ operator, left, right }: Node<"binary">): string {
    const [first, second] = [this.writeInner(left), this.writeInner(right)];
    switch (operator) {
      case "/":
        return `${this.#double(left)} / NULLIF(${this.#double(right)}, 0)`;
      case "%":
        return `${first} % NULLIF(${second}, 0)`;
      case "||":
        return this.#function("concat", [first, second]);
      case "is not distinct from":
        return this.#dialect.same(first, second);
      case "is distinct from":
        return `NOT (${this.#dialect.same(first, second)})`;
      default:
        return `${first} ${operator.toUpperCase()} ${second}`;
    }
  }

  #double(node: SqlExpression): string {
    return `CAST(${this.write(node)} AS ${this.#dialect.castTypes.double})`;
  }

  #writeIn({ operand, values, isNegated }: Node<"in">): string {
    const list = values.map((value) => this.write(value)).join(", ");
    return `${this.writeInner(operand)} ${isNegated ? "NOT " : ""}IN (${list})`;
  }

  #writeCase({ branches, otherwise }: Node<"case">): string {
    const parts = branches.map(({ when, then }) => `WHEN ${this.write(when)} THEN ${this.write(then)}`);
    const rest = otherwise === undefined ? "" : ` ELSE ${this.write(otherwise)}`;
    return `CASE ${parts.join(" ")}${rest} END`;
  }

  #castType({ type }: Node<"cast">): string {
    const { castTypes } = this.#dialect;
    if (type === "integer" || type === "double" || type === "text" || type === "date" || type === "timestamp") {
      return castTypes[type];
    }
    return refuseMetric("unsupported", `An expression is cast to ${type}, which no engine can. Remove the cast.`);
  }

  #writeCall({ name, args }: Node<"call">): string {
    const written = args.map((arg) => this.write(arg));
    return this.#function(name, written);
  }

  #function(name: string, args: readonly string[]): string {
    const [operand = ""] = args;
    const spelling = this.#dialect.functions[name];
    if (spelling === null) {
      const why = `The function ${name} computes something else on ${this.#dialect.id} than on other engines.`;
      return refuseMetric("unsupported", `${why} Store the value in a column, or use another function.`);
    }
    if (spelling !== undefined) return spelling(args);
    return passedOn.has(name) ? operand : `${name.toUpperCase()}(${args.join(", ")})`;
  }

  #writeAggregate({ name, operand }: Node<"aggregate">): string {
    const inner = operand === undefined ? "*" : this.write(operand);
    if (name === "sum") return `(${this.#writeSum(inner, operand, "")})`;
    if (name === "median")
      return this.#dialect.median(inner) ?? refuseMetric("unsupported", "This engine has no median.");
    return name === "count_distinct" ? `COUNT(DISTINCT ${inner})` : `${name.toUpperCase()}(${inner})`;
  }

  /** Without exact decimals, the engine adds integers of the last digit. */
  #writeSum(inner: string, operand: SqlExpression | undefined, over: string): string {
    const { type, scale = 0 } = operand ?? { type: "unknown" };
    if (this.#dialect.scalesDecimals !== true || type !== "decimal" || scale === 0) return `SUM(${inner})${over}`;
    const factor = `1${"0".repeat(scale)}`;
    return `SUM(CAST(ROUND((${inner}) * ${factor}) AS INTEGER))${over} / ${factor}.0`;
  }

  #writeWindow({ name, operand, partition, order }: SqlWindow): string {
    const by = partition.map((key) => this.write(key)).join(", ");
    const sorted = order.flatMap((each) => this.writeOrder(each)).join(", ");
    const clauses = [by && `PARTITION BY ${by}`, sorted && `ORDER BY ${sorted}`].filter((clause) => clause !== "");
    if (name === "sum" && operand)
      return `(${this.#writeSum(this.write(operand), operand, ` OVER (${clauses.join(" ")})`)})`;
    return `${name.toUpperCase()}(${operand === undefined ? (name === "count" ? "*" : "") : this.write(operand)}) OVER (${clauses.join(" ")})`;
  }
}
