import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import type { Block, DocumentFile, ParseContext } from "./block.ts";
import { DocumentError } from "./document-error.ts";
import { decodeText } from "./encoding/decode.ts";
import { TextBudget } from "./parse-limits.ts";
import { fieldsOf, type RecordOptions } from "./record-options.ts";

const rowsSchema = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/** Reads a table. Each row becomes a record of cells with column names, which are in the first row. */
export async function parseCsv(file: DocumentFile, context: ParseContext): Promise<readonly Block[]> {
  const { limits, records } = context;
  const [first, ...rows] = readRows(file, await decodeText(file, context));
  if (first === undefined) return [];
  const names = first.record;
  if (rows.length === 0) return [{ kind: "record", text: names.join(" | "), lines: { from: 1, to: first.to } }];
  const budget = new TextBudget(file.name, limits);
  return rows.map(({ record, from, to }) => {
    const text = formatRecord(names, record, records);
    budget.add(text.length);
    return { kind: "record", text, lines: { from, to } };
  });
}

function readRows(
  file: DocumentFile,
  text: string,
): readonly { record: readonly string[]; from: number; to: number }[] {
  try {
    const options = {
      bom: true,
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      delimiter: delimiterOf(file, text),
    };
    const rows = rowsSchema.parse(parse(text, options));
    return rows.map(({ record, info }, index) => ({
      record,
      from: (rows[index - 1]?.info.lines ?? 0) + 1,
      to: info.lines,
    }));
  } catch (cause) {
    const problem = cause instanceof CsvError ? cause.message : "it has an invalid format";
    throw new DocumentError(file.name, `cannot be read as a table: ${problem}. Correct it, or save it again.`, {
      cause,
    });
  }
}

/** Returns the delimiter. Spreadsheets in many languages use semicolons, because their numbers contain commas. */
function delimiterOf({ name }: DocumentFile, text: string): string {
  if (/\.tsv$/i.test(name)) return "\t";
  const head = text.slice(0, text.indexOf("\n") + 1 || undefined);
  return head.split(";").length > head.split(",").length ? ";" : ",";
}

/** Writes a record. A cell without a column name is written without a name. */
function formatRecord(names: readonly string[], cells: readonly string[], options: RecordOptions): string {
  const title = (index: number) => names[index]?.trim() ?? "";
  const named = cells.flatMap((cell, index) => (title(index) === "" ? [] : [[title(index), cell] as const]));
  const unnamed = options.fields ? [] : cells.filter((_, index) => title(index) === "");
  const lines = [...fieldsOf(named, options).map(([name, cell]) => `${name}: ${cell}`), ...unnamed];
  return lines.filter((line) => line !== "").join(options.separator ?? "\n");
}
