/** DuckDB's own parser, in an instance that has no data and no access to anything else. */
import { StatementRefusedError } from "@bridle/sql";
import { closedOptions, loadDuckDb } from "../driver.ts";
import { isObject, type SyntaxObject } from "./syntax-tree.ts";

/** The maximum length of a statement, so that a check takes milliseconds. */
const maxStatementLength = 100_000;

type Connection = import("@duckdb/node-api").DuckDBConnection;

let opened: Promise<Connection> | undefined;

/** Parses a text that must be exactly one SELECT. */
export async function parseSelect(text: string): Promise<SyntaxObject> {
  if (text.length > maxStatementLength)
    throw refuseSyntax(`The statement has ${text.length} characters, more than ${maxStatementLength}. Shorten it.`);
  const connection = await openParser();
  const result = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [text]);
  const parsed: unknown = JSON.parse(repairNumbers(String(result.getRows()[0]?.[0])));
  if (!isObject(parsed)) throw refuseSyntax("The statement cannot be parsed.");
  if (parsed.error === true) throw refuseParsed(parsed);
  const statements = Array.isArray(parsed.statements) ? parsed.statements : [];
  const [first] = statements;
  if (statements.length !== 1 || !isObject(first) || !isObject(first.node))
    throw notARead(`The text has ${statements.length} statements. Send exactly one SELECT.`);
  if (isObject(first.named_param_map) || hasEntries(first.named_param_map))
    throw refuseSyntax("The statement has parameters. Write their values.");
  return first.node;
}

/** Returns the names of the tables that a statement reads, as DuckDB finds them, without common table expressions. */
export async function findTableNames(text: string): Promise<readonly string[]> {
  return (await openParser()).getTableNames(text, true);
}

function openParser(): Promise<Connection> {
  opened ??= createParser().catch((cause) => {
    opened = undefined;
    throw cause;
  });
  return opened;
}

async function createParser(): Promise<Connection> {
  const { DuckDBInstance } = await loadDuckDb();
  const options = { ...closedOptions, threads: "1", memory_limit: "256MB" };
  const instance = await DuckDBInstance.create(":memory:", options);
  const connection = await instance.connect();
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  return connection;
}

/** Quotes infinite numbers and NaN, which DuckDB 1.5.6 writes although they are not valid JSON. */
function repairNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:Infinity|NaN)\b/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function refuseParsed(parsed: SyntaxObject): StatementRefusedError {
  const message = String(parsed.error_message).replace(/[.!]$/, "");
  if (/^Only SELECT/i.test(message))
    return notARead("The statement is not a SELECT, and the connection is read-only. Send one SELECT.");
  return refuseSyntax(`The statement cannot be parsed: ${message}.`);
}

function refuseSyntax(message: string): StatementRefusedError {
  return new StatementRefusedError(message, { reason: "syntax" });
}

function notARead(message: string): StatementRefusedError {
  return new StatementRefusedError(message, { reason: "not_a_read" });
}
