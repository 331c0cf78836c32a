/** Counts queries by template, without keeping values and user names. */

import { isOwnStatement, normaliseQuery, readQueryShape, type StatementShape } from "@bridle/context";
import { sha256 } from "@bridle/core";
import type { LogSyntax } from "@bridle/sql";

/** One entry of a query history. */
export interface LoggedQuery {
  readonly sql: string;
  /** The number of runs. Default: one. */
  readonly runs?: number | undefined;
  /** The users who ran the query. They are only counted. */
  readonly users?: readonly string[] | undefined;
  /** The number of users, if their names are unknown. */
  readonly userCount?: number | undefined;
  /** The roles of these users. */
  readonly roles?: readonly string[] | undefined;
}

export interface QueryTemplate {
  /** A hash of the template. */
  readonly id: string;
  readonly sql: string;
  readonly shape: StatementShape;
  readonly runs: number;
  readonly users: number;
  /** The roles in alphabetical order. */
  readonly roles: readonly string[];
}

interface Counted {
  readonly sql: string;
  readonly shape: StatementShape;
  runs: number;
  userCount: number;
  readonly users: Set<string>;
  readonly roles: Set<string>;
}

/** The maximum number of templates. A log with more of them comes from programs that write a separate statement for each value. */
const maxTemplates = 20_000;
const maxChars = 20_000;
const systemNames =
  /^(?:pg_\w+|information_schema|sys|mysql|performance_schema|snowflake|account_usage|duckdb_\w+|sqlite_\w+)$/i;

export class QueryTemplates {
  /** The number of statements that were left out because the maximum number of templates was reached. */
  leftOut = 0;
  readonly #templates = new Map<string, Counted>();
  readonly #options: LogSyntax | undefined;

  /** @param options the engine's options; if undefined, a statement's backticks show how it quotes. */
  constructor(options: LogSyntax | undefined) {
    this.#options = options;
  }

  add({ sql, runs = 1, users = [], userCount = 0, roles = [] }: LoggedQuery): void {
    if (sql.length > maxChars || !Number.isFinite(runs) || runs < 1 || isOwnStatement(sql)) return;
    // Engines disagree on whether this quote ends a string, so a value that looks like a name could follow.
    if (this.#options === undefined && sql.includes("\\'")) return;
    const template = normaliseQuery(sql, this.#options ?? { doubleQuotedTexts: sql.includes("`") });
    const counted = this.#templates.get(template) ?? this.#create(template);
    if (counted === undefined) return;
    counted.runs += runs;
    counted.userCount = Math.max(counted.userCount, userCount);
    for (const user of users) counted.users.add(sha256(user));
    for (const role of roles) if (isRole(role)) counted.roles.add(role);
  }

  /** Lists templates that ran often enough, the most frequent first. */
  list(minRuns: number): readonly QueryTemplate[] {
    return [...this.#templates.entries()]
      .filter(([, { runs }]) => runs >= minRuns)
      .map(([template, { sql, shape, runs, users, userCount, roles }]) => ({
        id: sha256(template).slice(0, 16),
        sql,
        shape,
        runs,
        users: Math.max(users.size, userCount),
        roles: [...roles].toSorted(),
      }))
      .toSorted((a, b) => b.runs - a.runs || (a.id < b.id ? -1 : 1));
  }

  /** Creates the counter of a template; undefined if it does not query tables. Templates no longer have double quotes around values. */
  #create(template: string): Counted | undefined {
    const shape = readQueryShape(template);
    if (shape === undefined || shape.tables.length === 0) return undefined;
    if (shape.tables.some((name) => name.some((part) => systemNames.test(part)))) return undefined;
    if (this.#templates.size >= maxTemplates) {
      this.leftOut += 1;
      return undefined;
    }
    const created = { sql: template, shape, runs: 0, userCount: 0, users: new Set<string>(), roles: new Set<string>() };
    this.#templates.set(template, created);
    return created;
  }
}

/** Whether a value can be a role. Values that look like e-mail addresses are not roles. */
function isRole(role: string): boolean {
  return /^[\p{L}\p{N}_ .-]{1,100}$/u.test(role);
}
