/** Reads query logs: CSV with a header, or one JSON object per line. Reads logs in parts because they may be large. */
import { openRegularFile } from "@bridle/core";
import { isPlainObject } from "@bridle/protocol";
import type { LoggedQuery } from "./query-templates.ts";

const maxBytes = 4_000_000_000;
const partBytes = 1_000_000;
/** The maximum length of a line or cell. Longer ones were not written by a person. */
const maxRecordLength = 1_000_000;

/** Reads a log. Rejects with an Error whose message completes "cannot be read (…)". */
export async function* readQueryLog(path: string, signal: AbortSignal): AsyncIterable<LoggedQuery> {
  const isJson = /\.(?:jsonl|ndjson|json)$/i.test(path);
  const parser = isJson ? new JsonLines() : new CsvRecords();
  for await (const part of readParts(path, signal)) yield* parser.add(part);
  yield* parser.end();
}

async function* readParts(path: string, signal: AbortSignal): AsyncIterable<string> {
  const file = await openRegularFile(path, maxBytes);
  const decoder = new TextDecoder("utf-8");
  try {
    const buffer = new Uint8Array(partBytes);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, partBytes);
      if (bytesRead === 0) break;
      yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
    }
    yield decoder.decode();
  } finally {
    await file.close();
  }
}

class JsonLines {
  #rest = "";

  *add(part: string): Iterable<LoggedQuery> {
    const lines = `${this.#rest}${part}`.split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#rest.length > maxRecordLength) this.#rest = "";
    for (const line of lines) yield* toQuery(parseLine(line));
  }

  *end(): Iterable<LoggedQuery> {
    yield* toQuery(parseLine(this.#rest));
  }
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Parses CSV (RFC 4180): cells in double quotes may contain line feeds. The first record has the column names. */
class CsvRecords {
  #cell = "";
  #record: string[] = [];
  #isQuoted = false;
  /** Whether a quote within quotes was read: either the end of the cell, or the first of two. */
  #sawQuote = false;
  #header: readonly string[] | undefined;
  #separator: string | undefined;

  *add(part: string): Iterable<LoggedQuery> {
    this.#separator ??= separatorIn(part);
    for (const character of part) {
      const record = this.#take(character);
      if (record !== undefined) yield* this.#toQueries(record);
    }
  }

  *end(): Iterable<LoggedQuery> {
    if (this.#cell !== "" || this.#record.length > 0) yield* this.#toQueries([...this.#record, this.#cell]);
  }

  /** Takes a character. Returns the record that it completes. */
  #take(character: string): readonly string[] | undefined {
    if (this.#isQuoted && !this.#sawQuote) {
      if (character === '"') this.#sawQuote = true;
      else this.#append(character);
      return undefined;
    }
    if (this.#sawQuote && character === '"') {
      this.#append('"');
      this.#sawQuote = false;
      return undefined;
    }
    this.#isQuoted = false;
    this.#sawQuote = false;
    if (character === '"' && this.#cell === "") this.#isQuoted = true;
    else if (character === this.#separator) this.#endCell();
    else if (character === "\n") return this.#endRecord();
    else if (character !== "\r") this.#append(character);
    return undefined;
  }

  #append(character: string): void {
    if (this.#cell.length < maxRecordLength) this.#cell += character;
  }

  #endCell(): void {
    if (this.#record.length < 200) this.#record.push(this.#cell);
    this.#cell = "";
  }

  #endRecord(): readonly string[] {
    this.#endCell();
    const record = this.#record;
    this.#record = [];
    return record;
  }

  *#toQueries(record: readonly string[]): Iterable<LoggedQuery> {
    if (this.#header === undefined) this.#header = record.map((name) => name.replace(/^\uFEFF/, ""));
    else yield* toQuery(Object.fromEntries(this.#header.map((name, index) => [name, record[index] ?? ""])));
  }
}

function separatorIn(text: string): string {
  const head = text.slice(0, text.indexOf("\n") + 1 || undefined);
  return ["\t", ";", ","].toSorted((a, b) => head.split(b).length - head.split(a).length)[0] ?? ",";
}

/** The column names that engines and tools use, in lower case. */
const columns = {
  sql: ["query", "query_text", "sql", "sql_text", "statement", "text", "message"],
  runs: ["calls", "runs", "count", "executions", "execution_count", "exec_count"],
  user: ["user", "user_name", "username", "usename", "user_email", "email", "login", "rolname"],
  role: ["role", "role_name", "roles", "group"],
};

/** Returns the SQL statement in a log record. */
function statementIn(record: Readonly<Record<string, unknown>>): string | undefined {
  const text = readKey(record, columns.sql);
  return typeof text === "string" && /^[\s(]*(?:\/\*|--|with\b|select\b|statement:|duration:|execute\b)/i.test(text)
    ? text
    : undefined;
}

function* toQuery(record: Readonly<Record<string, unknown>>): Iterable<LoggedQuery> {
  const sql = statementIn(record);
  if (sql === undefined) return;
  const runs = Number(readKey(record, columns.runs) ?? 1);
  const user = readKey(record, columns.user);
  const role = readKey(record, columns.role);
  yield {
    sql: sql.replace(/^\s*(?:duration: [\d.]+ ms\s+)?(?:statement|execute [^:]{0,100}): */i, ""),
    runs: Number.isFinite(runs) && runs > 0 ? runs : 1,
    users: typeof user === "string" && user !== "" ? [user] : [],
    roles: typeof role === "string" && role !== "" ? role.split(",").map((each) => each.trim()) : [],
  };
}

function readKey(record: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  const keys = Object.keys(record);
  const key = names.map((name) => keys.find((each) => each.toLowerCase() === name)).find((each) => each !== undefined);
  return key === undefined ? undefined : record[key];
}

/** Whether a file begins like a query log. */
export function isQueryLog(head: string, ending: string): boolean {
  const parser = /jsonl|ndjson/.test(ending) ? new JsonLines() : new CsvRecords();
  const [first] = [...parser.add(head)];
  return first !== undefined;
}
