import { constants } from "node:sqlite";
import { digestFunction, functionsThatRead, tableFunctionsThatRead } from "../functions.ts";

/** The names of SQLite's catalog tables. Other tables whose names begin with `sqlite_`, and eponymous virtual tables, are internal. */
const catalog = new Set(["sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema"]);

/** Pragmas that full-text tables use when they are opened. Both only return a number. */
const harmlessPragmas = new Set(["data_version", "page_size"]);

/** The names of actions, for messages about refusals. */
const actionNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants)
    .filter(([name]) => /^SQLITE_(?!CHANGESET|OK|DENY|IGNORE)/.test(name))
    .map(([name, code]) => [code, name.replace("SQLITE_", "").toLowerCase().replaceAll("_", " ")]),
);

/** Limits a statement, while it is prepared, to reading tables and calling functions that only compute. Every unknown action is denied. */
export class Authorizer {
  /** The first denied action, in words; undefined if nothing was denied. */
  denied: string | undefined;

  readonly authorize = (action: number, first: string | null, second: string | null): number => {
    const problem = this.#problemOf(action, first, second);
    if (problem === undefined) return constants.SQLITE_OK;
    this.denied ??= problem;
    return constants.SQLITE_DENY;
  };

  #problemOf(action: number, first: string | null, second: string | null): string | undefined {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return undefined;
      case constants.SQLITE_READ:
        return isReadable(first ?? "") ? undefined : `reads the internal table ${first}`;
      case constants.SQLITE_FUNCTION:
        return isCallable(second ?? "") ? undefined : `calls the function ${second}`;
      case constants.SQLITE_PRAGMA:
        return harmlessPragmas.has(first ?? "") && second === null ? undefined : `uses the pragma ${first}`;
      default:
        return `needs the right "${actionNames.get(action) ?? action}"${first ? ` on ${first}` : ""}`;
    }
  }
}

function isReadable(table: string): boolean {
  const name = table.toLowerCase();
  if (tableFunctionsThatRead.has(name) || catalog.has(name)) return true;
  return !/^(sqlite_|pragma_|dbstat$|bytecode$|tables_used$)/.test(name);
}

function isCallable(name: string): boolean {
  const lower = name.toLowerCase();
  return functionsThatRead.has(lower) || lower === digestFunction;
}
