import { formatNumber, type NumberFormat } from "./number-formats.ts";
import { readXml } from "./read-xml.ts";

/** The parts of a workbook that cells of all sheets refer to. */
export interface Workbook {
  readonly strings: readonly string[];
  /** The number format of each cell style. */
  readonly formats: readonly NumberFormat[];
  readonly startsIn1904: boolean;
}

export interface SheetRow {
  /** From 1. */
  readonly number: number;
  readonly cells: readonly SheetCell[];
}

interface SheetCell {
  /** From 1. */
  readonly column: number;
  readonly text: string;
  /** Whether the cell contains text, and not a number, date, boolean or error. */
  readonly isText: boolean;
}

type Attributes = Readonly<Record<string, string>>;

const [maxRows, maxColumns] = [1_048_576, 16_384];

/** Returns the rows of a sheet that contain text, without empty cells. */
export function readSheet(xml: string, workbook: Workbook): readonly SheetRow[] {
  const reader = new SheetReader(workbook);
  readXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return reader.rows;
}

class SheetReader {
  readonly rows: SheetRow[] = [];
  readonly #workbook: Workbook;
  #row = 0;
  #column = 0;
  #cells: SheetCell[] = [];
  #cell: Attributes = {};
  /** The text of each of a cell's elements. */
  #parts = { v: "", f: "", t: "" };
  #part: "v" | "f" | "t" | undefined;
  #isPhonetic = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  open(name: string, attributes: Attributes): void {
    if (name === "row") {
      this.#row = wholeUpTo(maxRows, Number(attributes.r)) ?? this.#row + 1;
      this.#column = 0;
      this.#cells = [];
    } else if (name === "c") {
      this.#column = columnOf(attributes.r) ?? this.#column + 1;
      this.#cell = attributes;
      this.#parts = { v: "", f: "", t: "" };
    } else if (name === "rPh") this.#isPhonetic = true;
    this.#part = !this.#isPhonetic && (name === "v" || name === "f" || name === "t") ? name : undefined;
  }

  text(text: string): void {
    if (this.#part !== undefined) this.#parts[this.#part] += text;
  }

  close(name: string): void {
    this.#part = undefined;
    if (name === "rPh") this.#isPhonetic = false;
    else if (name === "c") this.#endCell();
    else if (name === "row" && this.#cells.length > 0) this.rows.push({ number: this.#row, cells: this.#cells });
  }

  #endCell(): void {
    const { t: type = "n" } = this.#cell;
    const text = this.#textOf(type);
    if (text !== "") this.#cells.push({ column: this.#column, text, isText: /^(s|str|inlineStr)$/.test(type) });
  }

  /** Returns the text of a cell. If a formula has no stored result, returns the formula. */
  #textOf(type: string): string {
    const { strings, formats, startsIn1904 } = this.#workbook;
    const { v: value, f: formula, t: inline } = this.#parts;
    if (type === "inlineStr") return inline;
    if (value === "") return formula === "" ? "" : `=${formula}`;
    if (type === "s") return strings[Number(value)] ?? "";
    if (type === "b") return value === "1" ? "TRUE" : "FALSE";
    return type === "n" ? formatNumber(value, formats[Number(this.#cell.s ?? 0)] ?? {}, startsIn1904) : value;
  }
}

/** Returns the column of a reference such as `AB12`. */
function columnOf(reference = ""): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  return wholeUpTo(
    maxColumns,
    [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0),
  );
}

function wholeUpTo(max: number, value: number): number | undefined {
  return Number.isInteger(value) && value >= 1 && value <= max ? value : undefined;
}
