/** Excel workbooks and PowerPoint presentations, made from their XML. */
import { zipSync } from "fflate";

const namespaces = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`;
const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

function relations(all: readonly Relation[]): string {
  const entries = all.map(
    ({ id, type, target }) => `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.join("")}</Relationships>`;
}

/** Creates an archive with these parts. `main` is the main part of the document. */
export function officeFile(main: string, parts: Readonly<Record<string, string>>): Uint8Array {
  const all = { "_rels/.rels": relations([{ id: "r1", type: "officeDocument", target: main }]), ...parts };
  const entries = Object.entries(all).map(([name, xml]) => [name, new TextEncoder().encode(xml)]);
  return zipSync(Object.fromEntries(entries), { level: 1 });
}

export interface WorkbookParts {
  /** The XML inside `sheetData` of each sheet, by sheet name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly hidden?: readonly string[];
  /** The XML of each entry in the table of shared strings. */
  readonly strings?: readonly string[];
  /** The XML inside `styleSheet`. */
  readonly styles?: string;
  /** The attributes of `workbookPr`. */
  readonly properties?: string;
}

export function excelWorkbook({
  sheets,
  hidden = [],
  strings = [],
  styles = "",
  properties = "",
}: WorkbookParts): Uint8Array {
  const names = Object.keys(sheets);
  const entries = names.map((name, index) => {
    const state = hidden.includes(name) ? ' state="hidden"' : "";
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="s${index + 1}"/>`;
  });
  return officeFile("xl/workbook.xml", {
    "xl/workbook.xml": `<workbook ${namespaces}><workbookPr ${properties}/><sheets>${entries.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map((_, index) => ({
        id: `s${index + 1}`,
        type: "worksheet",
        target: `worksheets/sheet${index + 1}.xml`,
      })),
      { id: "t", type: "sharedStrings", target: "/xl/sharedStrings.xml" },
      { id: "f", type: "styles", target: "styles.xml" },
    ]),
    "xl/sharedStrings.xml": `<sst ${namespaces}>${strings.map((xml) => `<si>${xml}</si>`).join("")}</sst>`,
    "xl/styles.xml": `<styleSheet ${namespaces}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((data, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${namespaces}><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** Writes a row of strings, from column A. */
export function row(number: number, texts: readonly string[]): string {
  const cells = texts.map((text, index) => {
    const reference = `${String.fromCharCode(65 + index)}${number}`;
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
  });
  return `<row r="${number}">${cells.join("")}</row>`;
}

export interface SlideParts {
  /** The XML inside the shape tree. */
  readonly shapes: string;
  readonly notes?: string;
  /** The XML of a diagram. */
  readonly diagram?: string;
  readonly isHidden?: boolean;
}

export function powerPoint(slides: readonly SlideParts[]): Uint8Array {
  const parts: Record<string, string> = {
    "ppt/presentation.xml": `<p:presentation ${namespaces}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      slides.map((_, index) => ({ id: `r${index}`, type: "slide", target: `slides/slide${index}.xml` })),
    ),
  };
  for (const [index, { shapes, notes, diagram, isHidden = false }] of slides.entries()) {
    const tree = (inner: string) => `<p:cSld><p:spTree>${inner}</p:spTree></p:cSld>`;
    parts[`ppt/slides/slide${index}.xml`] =
      `<p:sld ${namespaces}${isHidden ? ' show="0"' : ""}>${tree(shapes)}</p:sld>`;
    parts[`ppt/slides/_rels/slide${index}.xml.rels`] = relations([
      ...(notes === undefined ? [] : [{ id: "n", type: "notesSlide", target: `../notesSlides/notes${index}.xml` }]),
      ...(diagram === undefined ? [] : [{ id: "d", type: "diagramData", target: `../diagrams/data${index}.xml` }]),
    ]);
    if (notes !== undefined)
      parts[`ppt/notesSlides/notes${index}.xml`] = `<p:notes ${namespaces}>${tree(notes)}</p:notes>`;
    if (diagram !== undefined) parts[`ppt/diagrams/data${index}.xml`] = `<data ${namespaces}>${diagram}</data>`;
  }
  return officeFile("ppt/presentation.xml", parts);
}

/** Writes a shape with a paragraph for each string. If a type is given, the shape is a placeholder of that type. */
export function shape(texts: readonly string[], placeholder?: string): string {
  const kind = placeholder === undefined ? "" : `<p:nvPr><p:ph type="${placeholder}"/></p:nvPr>`;
  return `<p:sp><p:nvSpPr>${kind}</p:nvSpPr><p:txBody>${texts.map(textParagraph).join("")}</p:txBody></p:sp>`;
}

export function textParagraph(text: string): string {
  return `<a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
