import type { StatementSync } from "node:sqlite";
import type { ResultColumn } from "../../../port/values.ts";
import { valueTypeOf } from "../native-types.ts";

/** Returns a result's columns. An expression has no declared type; its type depends on its values. */
export function resultColumnsOf(statement: StatementSync): ResultColumn[] {
  return statement.columns().map(({ name, type }) => ({ name, type: valueTypeOf(type ?? ""), nativeType: type ?? "" }));
}
