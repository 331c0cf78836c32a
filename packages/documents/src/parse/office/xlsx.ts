import type { Block, DocumentFile, ParseContext } from "../block.ts";
import { TextBudget } from "../parse-limits.ts";
import { builtInFormat, type NumberFormat, parseNumberFormat } from "./number-formats.ts";
import { OfficePackage } from "./office-package.ts";
import { readOffice } from "./read-office.ts";
import { readSheet, type Workbook } from "./read-sheet.ts";
import { readXml, relationshipId } from "./read-xml.ts";
import { sheetBlocks } from "./sheet-blocks.ts";

/**
 * Reads an Excel workbook: each sheet is a heading with tables below. The lines of a block are the rows of its sheet. Leaves out hidden
 * sheets, charts, pictures and comments.
 */
export function parseXlsx(file: DocumentFile, { limits, warn }: ParseContext): Promise<readonly Block[]> {
  return readOffice(file, { title: "an Excel workbook", ending: ".xlsx" }, () => {
    const parts = OfficePackage.open(file.name, file.bytes, limits);
    const budget = new TextBudget(file.name, limits);
    const main = parts.mainPart();
    const { sheets, startsIn1904 } = readMain(parts.xml(main));
    const workbook = { startsIn1904, strings: readStrings(parts, main), formats: readFormats(parts, main) };
    const hidden = sheets.filter(({ isHidden }) => isHidden).map(({ name }) => name);
    if (hidden.length > 0) warn(`has hidden sheets, which are left out: ${hidden.join(", ")}.`);
    const worksheets = new Map(parts.related(main, "worksheet").map(({ id, part }) => [id, part]));
    return sheets.flatMap(({ id, name, isHidden }) => {
      const part = worksheets.get(id); // a sheet may also be a chart
      if (part === undefined || isHidden) return [];
      return sheetBlocks(name, readSheet(parts.xml(part), workbook), budget);
    });
  });
}

interface Sheet {
  readonly id: string;
  readonly name: string;
  readonly isHidden: boolean;
}

function readMain(xml: string): { readonly sheets: readonly Sheet[]; readonly startsIn1904: boolean } {
  const sheets: Sheet[] = [];
  let startsIn1904 = false;
  readXml(xml, {
    open(element, attributes) {
      const { name = "", state = "visible", date1904 } = attributes;
      if (element === "workbookPr") startsIn1904 = date1904 === "1" || date1904 === "true";
      if (element === "sheet")
        sheets.push({ id: relationshipId(attributes) ?? "", name, isHidden: state !== "visible" });
    },
  });
  return { sheets, startsIn1904 };
}

/** Reads the strings that cells refer to by number, without phonetic hints. */
function readStrings(parts: OfficePackage, main: string): Workbook["strings"] {
  const [table] = parts.related(main, "sharedStrings");
  const strings: string[] = [];
  let [text, isText, isPhonetic] = ["", false, false];
  if (table === undefined) return strings;
  readXml(parts.xml(table.part), {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      isText = name === "t" && !isPhonetic;
    },
    text(more) {
      if (isText) text += more;
    },
    close(name) {
      isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") strings.push(text);
    },
  });
  return strings;
}

/** Reads the number format of each cell style. */
function readFormats(parts: OfficePackage, main: string): readonly NumberFormat[] {
  const [styles] = parts.related(main, "styles");
  const own = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isCellStyle = false;
  if (styles === undefined) return formats;
  readXml(parts.xml(styles.part), {
    open(name, { numFmtId, formatCode = "" }) {
      const id = Number(numFmtId ?? 0);
      if (name === "numFmt") own.set(id, parseNumberFormat(formatCode));
      if (name === "cellXfs") isCellStyle = true;
      if (name === "xf" && isCellStyle) formats.push(own.get(id) ?? builtInFormat(id));
    },
    close(name) {
      if (name === "cellXfs") isCellStyle = false;
    },
  });
  return formats;
}
