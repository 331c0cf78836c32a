/** Writes a statement of the IR as SQL of one engine. */
import type {
  AliasedRelation,
  JoinedRelation,
  NamedRelation,
  SelectRelation,
  SqlOrder,
  SqlStatement,
  UnionRelation,
} from "../ir/sql-expression.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { ExpressionWriter } from "./write-expression.ts";

export function writeStatement(statement: SqlStatement, dialect: MetricDialect): string {
  return new StatementWriter(dialect).write(statement);
}

class StatementWriter {
  readonly #dialect: MetricDialect;
  readonly #expressions: ExpressionWriter;

  constructor(dialect: MetricDialect) {
    this.#dialect = dialect;
    this.#expressions = new ExpressionWriter(dialect, (select) => this.#writeSelect(select));
  }

  write({ relations, body }: SqlStatement): string {
    const isRecursive = relations.some((each) => each.isRecursive === true);
    const parts = relations.map((relation) => this.#writeNamed(relation));
    const head = parts.length === 0 ? "" : `WITH ${isRecursive ? "RECURSIVE " : ""}${parts.join(",\n")}\n`;
    return `${head}${this.#writeSelect(body)}`;
  }

  #writeNamed({ name, relation }: NamedRelation): string {
    return `${this.#dialect.quoteName(name)} AS (\n${this.#writeRelation(relation)}\n)`;
  }

  #writeRelation(relation: SelectRelation | UnionRelation): string {
    if (relation.kind === "select") return this.#writeSelect(relation);
    return relation.parts.map((part) => this.#writeSelect(part)).join("\nUNION ALL\n");
  }

  #writeSelect(select: SelectRelation): string {
    const columns = select.columns.map(
      ({ name, expression }) => `${this.#expressions.write(expression)} AS ${this.#dialect.quoteName(name)}`,
    );
    const lines = [
      `SELECT ${select.isDistinct ? "DISTINCT " : ""}${columns.join(", ")}`,
      ...(select.from === undefined ? [] : [`FROM ${this.#writeAliased(select.from)}`]),
      ...(select.joins ?? []).map((join) => this.#writeJoin(join)),
      ...this.#clause(
        "WHERE",
        (select.where ?? []).map((condition) => this.#expressions.writeInner(condition)),
        " AND ",
      ),
      ...this.#clause(
        "GROUP BY",
        (select.groupBy ?? []).map((key) => this.#expressions.write(key)),
        ", ",
      ),
      ...this.#clause(
        "ORDER BY",
        (select.orderBy ?? []).flatMap((order) => this.#writeOrder(order)),
        ", ",
      ),
      ...(select.limit === undefined ? [] : [`LIMIT ${select.limit}`]),
    ];
    return lines.join("\n");
  }

  #clause(word: string, parts: readonly string[], separator: string): string[] {
    return parts.length === 0 ? [] : [`${word} ${parts.join(separator)}`];
  }

  #writeAliased({ relation, alias }: AliasedRelation): string {
    const quote = (name: string) => this.#dialect.quoteName(name);
    switch (relation.kind) {
      case "table":
        return `${relation.path.map(quote).join(".")} AS ${quote(alias)}`;
      case "named":
        return `${quote(relation.name)} AS ${quote(alias)}`;
      default:
        return `(\n${this.#writeRelation(relation)}\n) AS ${quote(alias)}`;
    }
  }

  #writeJoin(join: JoinedRelation): string {
    const on = join.on === undefined ? "" : ` ON ${this.#expressions.write(join.on)}`;
    return `${join.join.toUpperCase()} JOIN ${this.#writeAliased(join)}${on}`;
  }

  /** NULL comes last in every engine and direction. */
  #writeOrder(order: SqlOrder): string[] {
    return this.#expressions.writeOrder(order);
  }
}
