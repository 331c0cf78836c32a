import type { SelectRelation, SqlColumn, SqlExpression, SqlOrder } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { freshSelect, isCondition, isOperation, namesOuterText, textForm } from "./expression-forms.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { smallLetters } from "./single-capitals.ts";
import { withoutCorrelation } from "./without-correlation.ts";
import { AggregateWriter } from "./write-aggregate.ts";
import { writeLiteral } from "./write-literal.ts";

type Node<Kind extends SqlExpression["kind"]> = Extract<SqlExpression, { kind: Kind }>;

/** Functions that some engines do not need. For these engines, only the operand is written. */
const passedOn = new Set(["text_order", "text_identity", "text_shown", "decimal_result"]);

export class ExpressionWriter {
  readonly #dialect: MetricDialect;
  readonly #writeSelect: (select: SelectRelation) => string;
  readonly #aggregates: AggregateWriter;

  constructor(dialect: MetricDialect, writeSelect: (select: SelectRelation) => string) {
    this.#dialect = dialect;
    this.#writeSelect = writeSelect;
    this.#aggregates = new AggregateWriter(dialect, this);
  }

  /** Writes an expression, in parentheses if it has an operator at its top level. */
  writeInner(node: SqlExpression): string {
    return isOperation(node) ? `(${this.write(node)})` : this.write(node);
  }

  /** Writes a condition. For engines without booleans, compares a bit. */
  writeCondition(node: SqlExpression): string {
    if (this.#dialect.hasBooleans !== false) return this.write(node);
    if (isCondition(node)) return this.#write(node);
    if (node.kind === "literal" && node.value !== null) return node.value === "true" ? "1 = 1" : "1 = 0";
    return `${this.#write(node)} = 1`;
  }

  /** Writes a condition like `writeCondition`, in parentheses if it has an operator at its top level. */
  writeInnerCondition(node: SqlExpression): string {
    const isOpen = this.#dialect.hasBooleans === false || isOperation(node);
    return isOpen ? `(${this.writeCondition(node)})` : this.writeCondition(node);
  }

  /** Writes a value. For engines without booleans, a condition becomes a bit. */
  write(node: SqlExpression): string {
    if (this.#dialect.hasBooleans !== false || node.type !== "boolean" || !isCondition(node)) return this.#write(node);
    const condition = this.#write(node);
    return `CASE WHEN ${condition} THEN CAST(1 AS BIT) WHEN NOT (${condition}) THEN CAST(0 AS BIT) END`;
  }

  #write(node: SqlExpression): string {
    const dialect = this.#dialect;
    switch (node.kind) {
      case "column":
        return this.#writeColumn(node);
      case "literal":
        return writeLiteral(node, dialect);
      case "binary":
        return this.#writeBinary(node);
      case "not":
        return `NOT ${this.writeInnerCondition(node.operand)}`;
      case "negate":
        return `(- ${this.writeInner(node.operand)})`;
      case "is_null":
        return `${this.writeInner(node.operand)} IS ${node.isNegated ? "NOT " : ""}NULL`;
      case "in":
        return this.#writeIn(node);
      case "like":
        return `${node.isNegated ? "NOT " : ""}(${this.#writeLike(node)})`;
      case "case":
        return this.#writeCase(node);
      case "cast":
        return this.#writeCast(node);
      case "call":
        return this.#writeCall(node);
      case "aggregate":
        return this.#aggregates.write(node);
      case "window":
        return this.#aggregates.writeWindow(node);
      case "truncate":
        return dialect.truncate(this.writeInner(node.operand), node.grain, node.weekStart);
      case "shift":
        return dialect.shift(this.writeInner(node.operand), node.count, node.grain, node.type);
      case "local_time":
        return dialect.localTime(this.writeInner(node.operand), node.zone, node.operand.type);
      case "exists":
        return this.#writeExists(node);
      case "scalar":
        return `(${this.#writeSelect(node.select)})`;
    }
  }

  writeOrder({ by, descending }: SqlOrder): string[] {
    const value = this.write(by);
    return [`CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END`, `${value} ${descending ? "DESC" : "ASC"}`];
  }

  /** Writes a binary operation. On engines without exact decimals, rounds each arithmetic result to the digits of its decimal type. */
  #writeBinary(node: Node<"binary">): string {
    const written = this.#writeOperator(node);
    const { type, scale } = node;
    if (this.#dialect.scalesDecimals !== true || type !== "decimal" || scale === undefined) return written;
    return this.#function("decimal_result", [written, String(scale)]);
  }

  #writeOperator(node: Node<"binary">): string {
    const { operator, left, right, type, scale = 0 } = node;
    if (operator === "and" || operator === "or")
      return [left, right].map((side) => this.writeInnerCondition(side)).join(` ${operator.toUpperCase()} `);
    const [first = "", second = ""] = this.#sides(left, right);
    switch (operator) {
      case "*":
        if (type === "decimal") this.#checkScale(scale);
        return this.#ofIntegers(`${first} * ${second}`, node);
      case "+":
      case "-":
        return this.#ofIntegers(`${first} ${operator} ${second}`, node);
      case "/":
        return `${this.#double(left)} / NULLIF(${this.#double(right)}, 0)`;
      case "%":
        return this.#dialect.functions.mod?.([first, `NULLIF(${second}, 0)`]) ?? `${first} % NULLIF(${second}, 0)`;
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

  #writeColumn(node: Node<"column">): string {
    const name = `${this.#dialect.quoteName(node.source)}.${this.#dialect.quoteName(node.name)}`;
    return node.isStored ? (this.#dialect.stored?.(name, node.type) ?? name) : name;
  }

  #writeLike({ operand, pattern, isCaseless }: Node<"like">): string {
    const dialect = this.#dialect;
    const sql = this.writeInner(operand);
    if (!isCaseless) return dialect.like(sql, pattern);
    if (dialect.caselessLike) return dialect.caselessLike(sql, pattern);
    return dialect.like(this.#function("lower", [sql]), smallLetters(pattern));
  }

  /** Guards integer arithmetic that an engine might compute with other digits. */
  #ofIntegers(sql: string, { operator, type, left, right }: Node<"binary">): string {
    const literals = [left, right].filter((side) => side.kind === "literal");
    const isSmall = operator !== "*" || literals.some(({ value }) => value === "0" || value === "1");
    if (type !== "integer" || (literals.length > 0 && isSmall)) return sql;
    return this.#dialect.integerResult?.(sql, this.writeInner(left)) ?? sql;
  }

  /** Writes the sides of a comparison. Strings have the same form on all sides, except on a side that can use an index. */
  #sides(...sides: readonly SqlExpression[]): readonly string[] {
    const [form] = sides.flatMap((side) => textForm(side) ?? []);
    if (form === undefined || this.#dialect.comparesWrapped !== true) return sides.map((side) => this.writeInner(side));
    const columns = sides.map((side) => this.#columnComparedPlain(side));
    const plain = columns.findLastIndex((column) => column !== undefined);
    return sides.map((side, index) => {
      const column = columns[index];
      if (column && index === plain) return this.write(column);
      return textForm(side) ? this.write(side) : this.#function(form, [this.write(side)]);
    });
  }

  #columnComparedPlain(side: SqlExpression): SqlColumn | undefined {
    const [inner = side] = side.kind === "call" && textForm(side) ? side.args : [];
    const isPlain = inner.kind === "column" && inner.isStored && this.#dialect.comparedPlain?.(inner) === true;
    return isPlain ? inner : undefined;
  }

  #checkScale(scale: number): void {
    const { greatestScale, id } = this.#dialect;
    if (greatestScale === undefined || scale <= greatestScale) return;
    const why = `A product has ${scale} digits after the point, and ${id} would round it to ${greatestScale}.`;
    refuseMetric("unsupported", `${why} Cast its operands to double, or store the product in a column.`);
  }

  #writeExists({ select }: Node<"exists" | "scalar">): string {
    const isFresh = this.#dialect.functions.fresh_subquery && namesOuterText(select);
    if (isFresh) return `EXISTS (${this.#writeSelect(freshSelect(select))})`;
    if (this.#dialect.correlates !== false) return `EXISTS (${this.#writeSelect(select)})`;
    const { operands, select: inner } = withoutCorrelation(select);
    const written = operands.map((operand) => this.write(operand)).join(", ");
    return `${operands.length === 1 ? written : `(${written})`} IN (${this.#writeSelect(inner)})`;
  }

  #double(node: SqlExpression): string {
    return `CAST(${this.write(node)} AS ${this.#dialect.castTypes.double})`;
  }

  #writeIn({ operand, values, isNegated }: Node<"in">): string {
    const [first, ...list] = this.#sides(operand, ...values);
    return `${first} ${isNegated ? "NOT " : ""}IN (${list.join(", ")})`;
  }

  #writeCase({ branches, otherwise }: Node<"case">): string {
    const parts = branches.map(({ when, then }) => `WHEN ${this.writeCondition(when)} THEN ${this.write(then)}`);
    const rest = otherwise === undefined ? "" : ` ELSE ${this.write(otherwise)}`;
    return `CASE ${parts.join(" ")}${rest} END`;
  }

  #writeCast(node: Node<"cast">): string {
    const sql = this.write(node.operand);
    const { midnight } = this.#dialect.functions;
    if (node.type === "timestamp" && node.operand.type === "date" && midnight) return midnight([sql]);
    return `CAST(${sql} AS ${this.#castType(node)})`;
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
    if (name === "uuid_text") return `CAST(${operand} AS ${this.#dialect.castTypes.text})`;
    return passedOn.has(name) ? operand : `${name.toUpperCase()}(${args.join(", ")})`;
  }
}
