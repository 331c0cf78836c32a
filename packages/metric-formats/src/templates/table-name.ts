import { refuseImport } from "../import-report.ts";

const part = String.raw`(?:[\p{L}\p{N}_$-]+|"[^"]+"|\x60[^\x60]+\x60|\[[^\]]+\])`;
const form = new RegExp(String.raw`^${part}(?:\s*\.\s*${part}){0,2}$`, "u");

export interface SourceTable {
  readonly table: string;
  /** A note about a database or project in the name. */
  readonly note: string | undefined;
}

/** Reads the name of a table in the form that models use. Throws an ImportRefusalError for queries and templates. */
export function readTableName(text: string, schema: string | undefined): SourceTable {
  const name = text.trim().replace(/;$/, "");
  if (!form.test(name)) refuseImport(`"${name.slice(0, 60)}" is not a table name. Write schema.table.`);
  const parts = (name.match(new RegExp(part, "gu")) ?? []).flatMap(unquoted);
  if (parts.length > 3 || parts.some((each) => each.trim() === ""))
    refuseImport(`"${name}" is not a table name. Write schema.table.`);
  if (parts.length === 1 && schema !== undefined) return { table: `${schema}.${parts[0]}`, note: undefined };
  const note = `The connection decides the database. Connect to ${parts[0]}.`;
  return { table: parts.join("."), note: parts.length === 3 ? note : undefined };
}

/** Splits a name. Backquotes may enclose the whole name. */
function unquoted(text: string): readonly string[] {
  if (/^["[]/.test(text)) {
    const inner = text.slice(1, -1);
    return inner.includes(".")
      ? refuseImport(`The name ${text} of a table has a dot. Create a view with another name.`)
      : [inner];
  }
  return text.startsWith("`") ? text.slice(1, -1).split(".") : [text];
}
