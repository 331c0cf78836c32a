/** Test cases in a table or in lines of JSON, as a list in YAML with one case on each line. */
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";

export interface CaseRows {
  /** The cases as a list in YAML. */
  readonly yaml: string;
  /** For each line of `yaml`, its line in the file, from 1. */
  readonly lines: readonly number[];
}

/** Reads JSON Lines. JSON is YAML, so each line becomes an entry of a list. */
export function readJsonLines(text: string): CaseRows {
  const rows = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((row, index) => ({ row: row.trim(), line: index + 1 }))
    .filter(({ row }) => row !== "");
  return toRows(rows.map(({ row, line }) => ({ json: row, line })));
}

const recordsSchema = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/**
 * Reads a table whose first row contains the keys of a case. An empty cell omits its key. `expected_tools` contains names separated by
 * commas or semicolons, or JSON. Other cells may contain JSON if they begin with a bracket. Throws an Error with the reason.
 */
export function readCsvCases(text: string): CaseRows {
  const [head, ...records] = readRecords(text);
  const keys = head?.record.map((key) => key.trim()) ?? [];
  const ends = [head?.info.lines ?? 0, ...records.map(({ info }) => info.lines)];
  return toRows(
    records.map(({ record }, index) => {
      const cells = record.flatMap((cell, column) => {
        const key = keys[column] ?? "";
        return cell.trim() === "" || key === "" ? [] : [[key, readCell(key, cell)] as const];
      });
      return { json: JSON.stringify(Object.fromEntries(cells)), line: (ends[index] ?? 0) + 1 };
    }),
  );
}

function readRecords(text: string): z.output<typeof recordsSchema> {
  try {
    return recordsSchema.parse(parse(text, { bom: true, info: true, skipEmptyLines: true, relaxColumnCount: true }));
  } catch (cause) {
    throw new Error(cause instanceof CsvError ? cause.message : "it has an invalid format", { cause });
  }
}

const lists: readonly string[] = ["expected_tools"];
const texts: readonly string[] = ["name", "input", "ground_truth"];

function readCell(key: string, cell: string): unknown {
  if (texts.includes(key)) return cell;
  if (/^\s*[[{]/.test(cell)) {
    try {
      return JSON.parse(cell);
    } catch {
      return cell; // the schema of the key refuses it
    }
  }
  if (!lists.includes(key) || cell.trim() === "none") return cell;
  return cell
    .split(/[,;]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function toRows(rows: readonly { readonly json: string; readonly line: number }[]): CaseRows {
  return { yaml: rows.map(({ json }) => `- ${json}`).join("\n"), lines: rows.map(({ line }) => line) };
}
