/**
 * Databases with planted sensitive values: in columns whose names reveal them or not, in sparse columns, texts and JSON, and in single
 * rows.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PlantedValues, Random, type Shape, shapeNames, shapes } from "./planted-values.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** A table and its columns with planted values. */
export interface PlantedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Column names that reveal nothing about the values, one for each kind of value. */
const innocent = ["note", "c7", "ref", "a1", "x_2", "misc", "field3", "c8", "val", "info", "extra"];

/** Kinds of values that cannot be recognized by their content. The settings mark their columns as sensitive. */
const markedShapes: readonly Shape[] = ["person", "address"];
/** Kinds of values that are recognized one by one in any string. */
const rareShapes: readonly Shape[] = ["email", "phone", "iban", "printed_card", "token", "national_id"];

export class PlantedDatabase {
  readonly values = new PlantedValues();
  readonly tables: PlantedTable[] = [];
  /** The columns that the connection's `sensitive` setting has to name. */
  readonly marked: string[] = [];
  readonly #random = new Random(20_260);
  readonly #folder: string;
  readonly #database: DatabaseSync;

  /** Writes `shop.db` and CSV and JSON files in `data`, with other values. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, "data"));
    this.#database = new DatabaseSync(join(folder, "shop.db"));
    this.#plantColumns("people", [...shapeNames]);
    this.#plantColumns("things", innocent);
    this.#plantSparse();
    this.#plantRare("notes", (value, row) => `Visit ${row}: please use ${value} from now on.`);
    this.#plantRare("codes", (value) => value);
    this.#plantJson();
    this.#database.close();
  }

  #make(shape: Shape, place: string): string {
    return this.values.add(shapes[shape](this.#random), place);
  }

  #plantColumns(name: string, columns: readonly string[]): void {
    this.#write(name, 300, columns, (place) => {
      let repeated: Row = {};
      return (row) => {
        const own = columns.map((column, at) => [column, this.#make(shapeNames[at] as Shape, `${place}.${column}`)]);
        if (row % 3 > 0) return { id: row, ...repeated }; // so that some values are frequent
        repeated = Object.fromEntries(own);
        return { id: row, ...repeated };
      };
    });
    this.#mark(name, (shape) => columns[shapeNames.indexOf(shape)] ?? "");
  }

  #plantSparse(): void {
    const columns = shapeNames.map((_, at) => `s${at}`);
    this.#write("sparse", 3000, columns, (place) => (row) => {
      const own = columns.map((column, at) => {
        return [column, row % 97 === at ? this.#make(shapeNames[at] as Shape, `${place}.${column}`) : null];
      });
      return { id: row, ...Object.fromEntries(own) };
    });
    this.#mark("sparse", (shape) => `s${shapeNames.indexOf(shape)}`);
  }

  #plantRare(name: string, write: (value: string, row: number) => string): void {
    const columns = rareShapes.map((shape) => `c_${rareShapes.indexOf(shape)}`);
    this.#write(name, 5000, columns, (place) => (row) => {
      const own = rareShapes.map((shape, at) => {
        const column = `c_${at}`;
        const value = row === 4000 + at ? write(this.#make(shape, `${place}.${column}`), row) : `R-${row % 700} fine`;
        return [column, value];
      });
      return { id: row, ...Object.fromEntries(own) };
    });
  }

  #plantJson(): void {
    this.#write("documents", 300, ["payload"], (place) => (row) => {
      const [email, card, phone] = (["email", "card", "phone"] as const).map((shape) =>
        this.#make(shape, `${place}.${shape}`),
      );
      return { id: row, payload: JSON.stringify({ from: { mail: email }, paid: [card], call: phone }) };
    });
  }

  #mark(table: string, columnOf: (shape: Shape) => string): void {
    this.marked.push(...markedShapes.map((shape) => `main.${table}.${columnOf(shape)}`));
  }

  /** Adds rows to both places. */
  #write(
    name: string,
    count: number,
    columns: readonly string[],
    maker: (place: string) => (row: number) => Row,
  ): void {
    const [stored, written] = [maker(`shop.${name}`), maker(`lake.${name}`)];
    const rows = Array.from({ length: count }, (_, row) => stored(row));
    const quoted = columns.map((column) => `"${column}" TEXT`);
    this.#database.exec(`CREATE TABLE ${name} (id INTEGER, ${quoted.join(", ")}); BEGIN`);
    const insert = this.#database.prepare(
      `INSERT INTO ${name} VALUES (${["id", ...columns].map(() => "?").join(", ")})`,
    );
    for (const row of rows) insert.run(...["id", ...columns].map((column) => row[column] ?? null));
    this.#database.exec("COMMIT");
    const lines = Array.from({ length: count }, (_, row) => written(row));
    const isJson = name === "documents";
    const text = isJson ? lines.map((row) => JSON.stringify(row)).join("\n") : toCsv(["id", ...columns], lines);
    writeFileSync(join(this.#folder, "data", `${name}.${isJson ? "jsonl" : "csv"}`), text);
    this.tables.push({ name, columns });
  }
}

function toCsv(columns: readonly string[], rows: readonly Row[]): string {
  const quote = (value: string | number | null | undefined) =>
    value == null ? "" : `"${String(value).replaceAll('"', '""')}"`;
  return [columns.join(","), ...rows.map((row) => columns.map((column) => quote(row[column])).join(","))].join("\n");
}
