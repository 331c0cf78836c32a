import { InvalidRequestError } from "@bridle/protocol";
import type { FieldPacket, PrepareStatementInfo } from "mysql2";

export type PreparedStatement = PrepareStatementInfo & { readonly columns: readonly unknown[] };

/** The columns of ANALYZE TABLE and similar statements. These statements return rows, but a read-only transaction does not prevent them. */
const maintenanceColumns = "Table Op Msg_type Msg_text";

/** Returns the prepared statement if the server reports that it returns rows. If it does not, closes and refuses the statement. */
export function refuseUnlessReading(statement: PrepareStatementInfo): PreparedStatement {
  const problem = problemOf(statement);
  if (problem === undefined && hasColumns(statement)) return statement;
  statement.close();
  throw new InvalidRequestError(problem ?? "The driver does not report the columns of the statement.");
}

/** Returns the driver's descriptions of a result's columns. */
export function fieldPackets(fields: unknown): readonly FieldPacket[] {
  return Array.isArray(fields) ? fields : [];
}

function problemOf(statement: PrepareStatementInfo): string | undefined {
  if ("parameters" in statement && Array.isArray(statement.parameters) && statement.parameters.length > 0)
    return "The statement contains a placeholder (?). Write the value itself.";
  if (hasColumns(statement) && statement.columns.length === 0)
    return "The statement returns no rows, so it was not executed. Only statements that read can be sent.";
  if (hasColumns(statement) && statement.columns.map(nameOf).join(" ") === maintenanceColumns)
    return "The statement maintains tables, so it was not executed. Only statements that read can be sent.";
  return undefined;
}

function hasColumns(statement: PrepareStatementInfo): statement is PreparedStatement {
  return "columns" in statement && Array.isArray(statement.columns);
}

function nameOf(column: unknown): string {
  return typeof column === "object" && column !== null && "name" in column ? String(column.name) : "";
}
