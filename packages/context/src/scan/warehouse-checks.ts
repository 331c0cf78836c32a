import { sha256 } from "@bridle/core";
import { redactSensitive, StatementTimeoutError, type TableStructure } from "@bridle/warehouse";
import { z } from "zod";
import type { FactsDatabase } from "../facts/open-facts.ts";
import type { ColumnSet, JoinChecks, OrphanCount, TupleCount } from "../joins/profile.ts";
import type { JoinMeasurement } from "../profiles/stored-profile.ts";
import { countOrphansSql, type QuestionColumns } from "./join-questions.ts";
import { QuestionLimit } from "./limits/question-limit.ts";
import { describeScanFailure, describeTimeout } from "./limits/timed-out.ts";
import type { ScanSession } from "./scan-session.ts";

/** A table with what was measured about it. */
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

/** What is stored of a question: an answer, or the limit of time within which there was none. */
const answer = z.union([orphanCount, z.object({ lateMs: z.number() })]);

/** Rows in which a column has a value. */
export interface RowCondition {
  readonly column: string;
  readonly value: string;
}

/** Answers to exact questions that could not be asked have this count: as if nothing could be compared. */
const unanswered: OrphanCount = { filled: 0, orphans: 0, examples: [] };

const mostExampleChars = 100;

/**
 * Answers the questions of the search for joins: about one table from its measurement, about two tables from an answer that was
 * stored while both had the same fingerprints, or with a query.
 */
export class WarehouseChecks implements JoinChecks {
  /** The questions of this scan, so that the stored answers to others can be removed. */
  readonly asked = new Set<string>();
  /** Questions that failed or that the budget did not allow. */
  readonly failed: { readonly question: string; readonly problem: string }[] = [];
  /** Told the number of questions so far. */
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

  /** The same for the rows in which a column has a value. */
  async countOrphansWhere(child: ColumnSet, parent: ColumnSet, condition: RowCondition): Promise<OrphanCount> {
    return await this.#answer(child, parent, condition);
  }

  /** The condition as SQL. The value may contain anything. */
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
        .map((value) => redactSensitive(String(value).slice(0, mostExampleChars)));
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
