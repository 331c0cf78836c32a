import { z } from "zod";
import type { TableName } from "../port/structure.ts";
import { type CommonSettings, commonKeys } from "../settings/common-keys.ts";
import type { ScopedTable } from "./scope.ts";
import { type ColumnName, SensitiveColumns } from "./sensitive-columns.ts";
import { TableRules } from "./table-rules.ts";

/** The rules about what a connection's settings allow to be shown, known without connecting. */
export interface SettingsRules {
  isInScope(table: ScopedTable): boolean;

  /** Whether the settings allow a view to be read regardless of the tables whose rows it shows. */
  isTrustedView(view: TableName): boolean;

  /** Whether the settings mark the column as sensitive (true) or not (false); undefined if they do not name the column. */
  markedSensitive(column: ColumnName): boolean | undefined;

  /** Returns the condition that the rows of the table must meet. */
  filterOf(table: TableName): string | undefined;
}

class ReadRules implements SettingsRules {
  readonly #tables: TableRules;
  readonly #sensitive: SensitiveColumns;

  constructor(settings: CommonSettings) {
    this.#tables = new TableRules(settings);
    this.#sensitive = new SensitiveColumns(settings);
  }

  isInScope(table: ScopedTable): boolean {
    return this.#tables.isInScope(table);
  }

  isTrustedView(view: TableName): boolean {
    return this.#tables.isTrustedView(view);
  }

  markedSensitive(column: ColumnName): boolean | undefined {
    return this.#sensitive.marked(column);
  }

  filterOf(table: TableName): string | undefined {
    return this.#tables.filterOf(table);
  }
}

/** Returns the rules of an entry of `context.connections`. If the entry cannot be read, nothing is in scope. */
export function readSettingsRules(entry: Readonly<Record<string, unknown>>): SettingsRules {
  const parsed = z.object(commonKeys).safeParse(entry);
  return new ReadRules(parsed.success ? parsed.data : { include: [] });
}
