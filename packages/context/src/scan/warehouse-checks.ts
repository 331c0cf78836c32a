import { sha256 } from "@bridle/core";
import { type DialectId, redactSensitive, StatementTimeoutError, type TableStructure } from "@bridle/warehouse";
import { z } from "zod";
import type { EndCounts } from "../facts/facts.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import type { ColumnSet, JoinChecks, OrphanCount, TupleCount } from "../joins/profile.ts";
import type { JoinMeasurement } from "../profiles/stored-profile.ts";
import { countOrphansSql, countTuplesSql, isComparableType, type QuestionColumns } from "./join-questions.ts";
import { QuestionLimit } from "./limits/question-limit.ts";
import { describeScanFailure, describeTimeout } from "./limits/timed-out.ts";
import type { ScanSession } from "./scan-session.ts";
import { isUncounted } from "./table-scan.ts";

/** A table with its measurement. */
export interface ScannedTable {
  readonly structure: TableStructure;
  readonly id: string;
  readonly fingerprint: string;
  readonly measurement: JoinMeasurement;
}

const orphanCount = z.object({
  filled: z.number().nonnegative(),
  orphans: z.number().nonnegative(),
  examples: z.array(z.string()),
});

/** The stored result of a question: an answer, or the time limit that it exceeded. */
const answer = z.union([orphanCount, z.object({ lateMs: z.number() })]);

const tupleCount = z.object({ filled: z.number().nonnegative(), distinct: z.number().nonnegative() });
const countedEnd = z.union([tupleCount, z.object({ lateMs: z.number() })]);

interface EngineKeys {
  /** Whether the engine enforces declared keys, and does not only record them. */
  readonly enforces: boolean;
  /** Whether the engine may treat strings as equal that differ only in case. */
  readonly foldsCase: boolean;
}

const engineKeys: Readonly<Record<DialectId, EngineKeys>> = {
  sqlite: { enforces: true, foldsCase: false },
  duckdb: { enforces: true, foldsCase: false },
  postgres: { enforces: true, foldsCase: false },
  mysql: { enforces: true, foldsCase: true },
  sqlserver: { enforces: true, foldsCase: true },
  clickhouse: { enforces: false, foldsCase: false },
  bigquery: { enforces: false, foldsCase: false },
  snowflake: { enforces: false, foldsCase: false },
};

/** A condition that selects the rows with one value in a column. */
export interface RowCondition {
  readonly column: string;
  readonly value: string;
}

/** The counts for a failed query, equal to those without any value to compare. */
const unanswered: OrphanCount = { filled: 0, orphans: 0, examples: [] };

const maxExampleChars = 100;

/**
 * Answers the questions of the join search: about one table from its measurement, and about two tables with a query, or from an answer
 * stored when both tables had their current fingerprints.
 */
export class WarehouseChecks implements JoinChecks {
  /** The questions of this scan. Stored answers to other questions can be removed. */
  readonly asked = new Set<string>();
  /** Questions that failed or that the budget did not allow. */
  readonly failed: { readonly question: string; readonly problem: string }[] = [];
  /** Ends of joins whose values could not be counted. */
  readonly uncounted: { readonly end: string; readonly problem: string }[] = [];
  /** Called with the number of questions so far. */
  onAnswer: ((answers: number) => void) | undefined;
  readonly #tables: ReadonlyMap<string, ScannedTable>;
  readonly #session: ScanSession;
  readonly #facts: FactsDatabase;
  readonly #questions = new QuestionLimit();

  constructor(tables: ReadonlyMap<string, ScannedTable>, session: ScanSession, facts: FactsDatabase) {
    this.#tables = tables;
    this.#session = session;
    this.#facts = facts;
  }

  async countTuples(table: string, sets: readonly (readonly string[])[]): Promise<readonly TupleCount[]> {
    const known = this.#tables.get(table)?.measurement.tuples ?? [];
    return sets.map((set) => {
      const found = known.find(
        ({ columns }) => columns.length === set.length && columns.every((name, at) => name === set[at]),
      );
      return found ?? { filled: 0, distinct: 0 };
    });
  }

  async countOrphans(child: ColumnSet, parent: ColumnSet): Promise<OrphanCount> {
    return await this.#answer(child, parent);
  }

  /** Counts orphans among the rows with one value in a column. */
  async countOrphansWhere(child: ColumnSet, parent: ColumnSet, condition: RowCondition): Promise<OrphanCount> {
    return await this.#answer(child, parent, condition);
  }

  /**
   * Counts how often the values of columns occur. Counts are exact if they come from the measurement of all rows, from a declared key that
   * the engine enforces, or from a query. If `isParent` is false, repeated values in a sample are enough. Returns undefined if the values
   * cannot be counted.
   */
  async countEnd(end: ColumnSet, isParent: boolean): Promise<EndCounts | undefined> {
    const table = this.#tables.get(end.table);
    if (table === undefined) return undefined;
    const { profile } = table.measurement;
    const known = this.#countMeasured(end, table);
    if (known !== undefined && (known.isExact || (!isParent && known.distinct < known.filled))) return known;
    const counted = await this.#countTuples(end, table);
    return counted && { rows: Math.max(profile.rows, counted.filled), ...counted, isExact: true };
  }

  /** Returns the counts in the rows that were read. */
  #countMeasured({ columns }: ColumnSet, { structure, measurement, fingerprint }: ScannedTable): EndCounts | undefined {
    const { profile, tuples } = measurement;
    const { dialect } = this.#session;
    const profiles = columns.flatMap((name) => profile.columns.find((column) => column.name === name) ?? []);
    const [only, ...others] = profiles;
    if (only === undefined || profiles.length < columns.length) return undefined;
    const declared = [structure.primaryKey, ...structure.uniqueKeys];
    const isKey = declared.some((key) => key.length > 0 && key.every((name) => columns.includes(name)));
    const filled = Math.min(...profiles.map((column) => column.filled));
    if (isKey && engineKeys[dialect.id].enforces)
      return { rows: profile.rows, filled, distinct: filled, isExact: true };
    const isFolded = structure.columns.some(({ name, type }) => columns.includes(name) && type === "text");
    if (profiles.some(({ hidden }) => hidden === true) || (isFolded && engineKeys[dialect.id].foldsCase))
      return undefined;
    const sameColumns = (set: readonly string[]) => [...set].sort().join("\0") === [...columns].sort().join("\0");
    const counts = others.length === 0 ? only : tuples.find((each) => sameColumns(each.columns));
    // A set of several columns is counted only up to the first repeats.
    const isUnique = counts !== undefined && counts.distinct === counts.filled;
    // Columns that are unique in a sample were counted in all rows.
    const isExact = profile.sampled === true ? isUnique && !isUncounted(fingerprint) : isUnique || others.length === 0;
    return counts && { rows: profile.rows, filled: counts.filled, distinct: counts.distinct, isExact };
  }

  /** Counts in all rows, with a query, and stores the answer. */
  async #countTuples({ table: id, columns }: ColumnSet, table: ScannedTable): Promise<TupleCount | undefined> {
    const question = sha256(JSON.stringify(["unique", id, columns])).slice(0, 32);
    const connection = this.#session.warehouse.name;
    const { statementTimeoutMs } = this.#session;
    this.asked.add(question);
    const stored = this.#facts.stored.answer(connection, question, table.fingerprint);
    const known = stored === undefined ? undefined : countedEnd.parse(JSON.parse(stored));
    if (known !== undefined && !("lateMs" in known)) return known;
    const end = `${id} (${columns.join(", ")})`;
    if (known !== undefined && known.lateMs >= statementTimeoutMs && !this.#session.isRefresh) {
      this.uncounted.push({ end, problem: describeTimeout(statementTimeoutMs) });
      return undefined;
    }
    const asked = this.#columns({ table: id, columns }, table);
    if (!asked.columns.every(({ type }) => isComparableType(this.#session.dialect.id, type))) return undefined;
    try {
      const [, filled, distinct] = await this.#session.readRow(countTuplesSql(this.#session.dialect, asked, [columns]));
      const counted = { filled: Number(filled ?? 0), distinct: Number(distinct ?? 0) };
      this.#facts.writer.saveAnswer(connection, question, table.fingerprint, JSON.stringify(counted));
      return counted;
    } catch (error) {
      if (this.#session.signal?.aborted === true) throw error;
      this.uncounted.push({ end, problem: describeScanFailure(error, statementTimeoutMs) });
      const late = JSON.stringify({ lateMs: statementTimeoutMs });
      if (error instanceof StatementTimeoutError)
        this.#facts.writer.saveAnswer(connection, question, table.fingerprint, late);
      return undefined;
    }
  }

  /** Writes the condition as SQL. The value may contain any characters. */
  writeCondition({ column, value }: RowCondition): string {
    const { dialect } = this.#session;
    return `${dialect.quoteIdentifier(column)} = ${dialect.quoteText(value)}`;
  }

  async #answer(child: ColumnSet, parent: ColumnSet, condition?: RowCondition): Promise<OrphanCount> {
    const [from, to] = [this.#tables.get(child.table), this.#tables.get(parent.table)];
    if (from === undefined || to === undefined) return unanswered;
    const question = sha256(JSON.stringify([child, parent, condition])).slice(0, 32);
    const fingerprints = `${from.fingerprint} ${to.fingerprint}`;
    const connection = this.#session.warehouse.name;
    this.asked.add(question);
    this.onAnswer?.(this.asked.size);
    const stored = this.#facts.stored.answer(connection, question, fingerprints);
    const known = stored === undefined ? undefined : answer.parse(JSON.parse(stored));
    if (known !== undefined && !("lateMs" in known)) return known;
    if (known !== undefined && known.lateMs >= this.#session.statementTimeoutMs && !this.#session.isRefresh)
      return this.#fail(child, parent, describeTimeout(this.#session.statementTimeoutMs));
    if (!this.#questions.mayAsk(child, parent)) return unanswered;
    const counted = await this.#count(child, parent, from, to, condition);
    if (counted === undefined) return unanswered;
    this.#facts.writer.saveAnswer(connection, question, fingerprints, JSON.stringify(counted));
    return "lateMs" in counted ? unanswered : counted;
  }

  async #count(
    child: ColumnSet,
    parent: ColumnSet,
    from: ScannedTable,
    to: ScannedTable,
    condition: RowCondition | undefined,
  ): Promise<z.output<typeof answer> | undefined> {
    const hidden = isHidden(from, child.columns) || isHidden(to, parent.columns);
    const sql = countOrphansSql(
      this.#session.dialect,
      this.#columns(child, from, condition),
      this.#columns(parent, to),
      !hidden,
    );
    try {
      const [filled, orphans, ...examples] = await this.#session.readRow(sql);
      const texts = examples
        .filter((value) => value !== null)
        .map((value) => redactSensitive(String(value).slice(0, maxExampleChars)));
      return { filled: Number(filled ?? 0), orphans: Number(orphans ?? 0), examples: [...new Set(texts)] };
    } catch (error) {
      if (this.#session.signal?.aborted === true) throw error;
      const { statementTimeoutMs } = this.#session;
      this.#fail(child, parent, describeScanFailure(error, statementTimeoutMs));
      return error instanceof StatementTimeoutError ? { lateMs: statementTimeoutMs } : undefined;
    }
  }

  #fail(child: ColumnSet, parent: ColumnSet, problem: string): OrphanCount {
    const question = `${child.table} (${child.columns.join(", ")}) → ${parent.table} (${parent.columns.join(", ")})`;
    this.failed.push({ question, problem });
    return unanswered;
  }

  #columns({ columns }: ColumnSet, { structure }: ScannedTable, condition?: RowCondition): QuestionColumns {
    const whole = this.#session.warehouse.relationOf(structure);
    const some = condition && `(SELECT * FROM ${whole} AS c WHERE ${this.writeCondition(condition)})`;
    return {
      relation: some ?? whole,
      columns: columns.map((name) => {
        const column = structure.columns.find((each) => each.name === name);
        return { name, type: column?.type ?? "other", nativeType: column?.nativeType ?? "" };
      }),
    };
  }
}

function isHidden({ measurement }: ScannedTable, names: readonly string[]): boolean {
  return measurement.profile.columns.some(({ name, hidden }) => hidden === true && names.includes(name));
}
