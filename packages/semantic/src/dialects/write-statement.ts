/** Writes a statement from the intermediate representation as SQL for one engine. */
import type {
  AliasedRelation,
  JoinedRelation,
  NamedRelation,
  SelectRelation,
  SqlOrder,
  SqlStatement,
  UnionRelation,
} from "../ir/sql-expression.ts";
import { columnsByAlias, tablesIn, textsIn } from "./expression-forms.ts";
import { fitJoins } from "./fit-joins.ts";
import type { MetricDialect } from "./metric-dialect.ts";
import { ExpressionWriter } from "./write-expression.ts";

export function writeStatement(statement: SqlStatement, dialect: MetricDialect): string {
  return new StatementWriter(dialect, prefixFor(statement)).write(statement);
}

class StatementWriter {
  readonly #dialect: MetricDialect;
  readonly #expressions: ExpressionWriter;
  /** The prefix for the names of the statement's own relations, chosen so that no table has such a name. */
  readonly #prefix: string;

  constructor(dialect: MetricDialect, prefix: string) {
    this.#dialect = dialect;
    this.#prefix = prefix;
    this.#expressions = new ExpressionWriter(dialect, (select) => this.#writeSelect(select));
  }

  write({ relations, body }: SqlStatement): string {
    const isRecursive = relations.some((each) => each.isRecursive === true);
    const parts = relations.map((relation) => this.#writeNamed(relation));
    const { recursive = "RECURSIVE" } = this.#dialect;
    const word = isRecursive && recursive !== "" ? `${recursive} ` : "";
    const head = parts.length === 0 ? "" : `WITH ${word}${parts.join(",\n")}\n`;
    return `${head}${this.#writeSelect(body)}`;
  }

  #writeNamed({ name, relation }: NamedRelation): string {
    return `${this.#dialect.quoteName(this.#prefix + name)} AS (\n${this.#writeRelation(relation)}\n)`;
  }

  #writeRelation(relation: SelectRelation | UnionRelation): string {
    if (relation.kind === "select") return this.#writeSelect(relation);
    return relation.parts.map((part) => this.#writeSelect(part)).join("\nUNION ALL\n");
  }

  #writeSelect(whole: SelectRelation): string {
    const select = fitJoins(whole, this.#dialect);
    const { limits = "limit" } = this.#dialect;
    const columns = select.columns.map(
      ({ name, expression }) => `${this.#expressions.write(expression)} AS ${this.#dialect.quoteName(name)}`,
    );
    const lines = [
      `SELECT ${select.isDistinct ? "DISTINCT " : ""}${limits === "top" ? topOf(select) : ""}${columns.join(", ")}`,
      ...(select.from === undefined ? [] : [`FROM ${this.#writeAliased(select.from)}`]),
      ...(select.joins ?? []).map((join) => this.#writeJoin(join, select)),
      ...this.#clause(
        "WHERE",
        (select.where ?? []).map((condition) => this.#expressions.writeInnerCondition(condition)),
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
      ...(select.limit === undefined || limits === "top" ? [] : [`LIMIT ${select.limit}`]),
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
      case "sql": // the user's SQL is on separate lines, because it may end with a comment
        return `(\n${relation.text}\n) AS ${quote(alias)}`;
      case "named":
        return `${quote(this.#prefix + relation.name)} AS ${quote(alias)}`;
      default:
        return `(\n${this.#writeRelation(relation)}\n) AS ${quote(alias)}`;
    }
  }

  #writeJoin(join: JoinedRelation, select: SelectRelation): string {
    const on = join.on === undefined ? "" : ` ON ${this.#expressions.writeCondition(join.on)}`;
    const nullable = join.join === "left" ? this.#dialect.joins?.nullableColumn : undefined;
    const relation = nullable ? this.#writeNullable(join, select, nullable) : this.#writeAliased(join);
    return `${join.join.toUpperCase()} JOIN ${relation}${on}`;
  }

  /** Selects the columns of the table that the SELECT uses, as nullable columns. */
  #writeNullable({ relation, alias }: JoinedRelation, select: SelectRelation, nullable: (column: string) => string) {
    const used = columnsByAlias(select).get(alias) ?? [];
    const quote = (name: string) => this.#dialect.quoteName(name);
    const columns = [...used].map((name) => `${nullable(`${quote(alias)}.${quote(name)}`)} AS ${quote(name)}`);
    return `(\nSELECT ${columns.join(", ") || "1"} FROM ${this.#writeAliased({ relation, alias })}\n) AS ${quote(alias)}`;
  }

  /** Writes the order, in which NULL comes last on every engine and in both directions. */
  #writeOrder(order: SqlOrder): string[] {
    return this.#expressions.writeOrder(order);
  }
}

function topOf({ limit }: SelectRelation): string {
  return limit === undefined ? "" : `TOP (${limit}) `;
}

function prefixFor(statement: SqlStatement): string {
  const tables = new Set([...tablesIn(statement)].map((name) => name.toLowerCase()));
  const written = textsIn(statement).map((text) => text.toLowerCase());
  const isTaken = (name: string) => tables.has(name) || written.some((text) => text.includes(name));
  let prefix = "metric_";
  while (statement.relations.some(({ name }) => isTaken(prefix + name))) prefix += "_";
  return prefix;
}
