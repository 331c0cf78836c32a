import { fromHtml } from "hast-util-from-html";
import type { Block, DocumentFile, LineRange, ParseContext } from "./block.ts";
import { decodeText } from "./encoding/decode.ts";

/** Reads HTML: the text that a reader sees, without scripts, styles and navigation links. */
export async function parseHtml(file: DocumentFile, context: ParseContext): Promise<readonly Block[]> {
  return blocksOfHtml(await decodeText(file, context, declaredEncoding(file)));
}

/** The number of bytes at the beginning of a page in which it may declare its encoding. */
const declarationBytes = 4096;

/** Returns the encoding that the page declares, such as `windows-1252`. A page in UTF-16 cannot declare it this way. */
function declaredEncoding({ bytes }: DocumentFile): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString("latin1");
  const [, name] = /<meta\s[^<>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(start) ?? [];
  return name === undefined || /^utf-?16/i.test(name) ? undefined : name;
}

export function blocksOfHtml(html: string): readonly Block[] {
  return blocksIn(fromHtml(html).children);
}

type Root = ReturnType<typeof fromHtml>;
type RootContent = Root["children"][number];
type Element = Extract<RootContent, { type: "element" }>;
type ElementContent = Element["children"][number];
type Content = RootContent | ElementContent;

const invisible = new Set(["script", "style", "template", "noscript", "meta", "link", "base", "nav"]);
const inline = new Set(
  "a abbr b bdi bdo br cite code data del dfn em font i img ins kbd label mark q ruby rb rp rt s samp small span strike strong sub sup time tt u var wbr input button select option textarea".split(
    " ",
  ),
);

/** Turns runs of text and inline elements into paragraphs, and other elements into blocks of their kind. */
function blocksIn(nodes: readonly Content[]): Block[] {
  const blocks: Block[] = [];
  let run: Content[] = [];
  const endRun = () => {
    const text = normalise(run.map(textOf).join(""));
    if (text !== "") blocks.push({ kind: "paragraph", text, ...linesOf(run[0], run.at(-1)) });
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else if (node.type === "element") {
      endRun();
      for (const inner of blocksOf(node)) blocks.push(inner); // one by one, because the number of a call's arguments is limited
    }
  }
  endRun();
  return blocks;
}

/** Whether a node is inline. False for an inline element that contains blocks, such as a link around a heading. */
function isInline(node: Content): boolean {
  if (node.type === "text") return true;
  return node.type === "element" && inline.has(node.tagName) && node.children.every(isInlineOrInvisible);
}

function isInlineOrInvisible(node: ElementContent): boolean {
  return node.type !== "element" || invisible.has(node.tagName) || isInline(node);
}

function blocksOf(element: Element): Block[] {
  const { tagName, children } = element;
  if (invisible.has(tagName)) return [];
  const heading = /^h([1-6])$/.exec(tagName);
  if (tagName === "title") return block({ kind: "heading", depth: 1, text: normalise(textOf(element)) }, element);
  if (heading) return block({ kind: "heading", depth: Number(heading[1]), text: normalise(textOf(element)) }, element);
  if (tagName === "pre") return block({ kind: "code", text: rawText(element).replace(/^\n|\n$/g, "") }, element);
  if (tagName === "table") return block(tableOf(element), element);
  if (tagName === "ul" || tagName === "ol") return block({ kind: "list", text: listOf(element, "") }, element);
  return blocksIn(children);
}

function block(parts: Omit<Block, "lines">, element: Element): Block[] {
  return parts.text.trim() === "" ? [] : [{ ...parts, ...linesOf(element, element) }];
}

function tableOf(table: Element): Omit<Block, "lines"> {
  const rows = elementsIn(table, ["tr"]).map((row) => {
    const cells = elementsIn(row, ["td", "th"]);
    return { isHead: cells.every(({ tagName }) => tagName === "th"), text: cells.map(cellOf).join(" | ") };
  });
  const captions = elementsIn(table, ["caption"]).map((caption) => normalise(textOf(caption)));
  const [first, ...others] = rows;
  const head = first?.isHead ? first.text : undefined;
  const texts = [...captions, ...rows.map(({ text }) => text)].filter((text) => text !== "");
  return { kind: "table", text: texts.join("\n"), ...(head !== undefined && others.length > 0 && { head }) };
}

function cellOf(cell: Element): string {
  return oneLine(blocksIn(cell.children).map(({ text }) => text));
}

function listOf(list: Element, indent: string): string {
  const lines = list.children.flatMap((child) => {
    if (child.type !== "element")
      return child.type === "text" && normalise(child.value) !== "" ? [normalise(child.value)] : [];
    if (child.tagName !== "li") return blocksOf(child).map(({ text }) => `${indent}${text}`);
    const nested = child.children.filter((each) => isList(each));
    const own = blocksIn(child.children.filter((each) => !isList(each))).map(({ text }) => text);
    return [`${indent}- ${own.join(`\n${indent}  `)}`, ...nested.map((each) => listOf(each, `${indent}  `))];
  });
  return lines.join("\n");
}

function isList(node: ElementContent): node is Element {
  return node.type === "element" && (node.tagName === "ul" || node.tagName === "ol");
}

/** Finds the nearest descendants with these names, except those in nested tables. */
function elementsIn(parent: Element, names: readonly string[]): Element[] {
  return parent.children.flatMap((child) => {
    if (child.type !== "element") return [];
    if (names.includes(child.tagName)) return [child];
    return child.tagName === "table" ? [] : elementsIn(child, names);
  });
}

function textOf(node: Content): string {
  if (node.type === "text") return node.value.replaceAll(/\s+/g, " ");
  if (node.type !== "element") return "";
  if (invisible.has(node.tagName)) return "";
  if (node.tagName === "br") return "\n";
  if (node.tagName === "img") return typeof node.properties.alt === "string" ? node.properties.alt : "";
  return node.children.map(textOf).join("");
}

function rawText(node: Content): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(rawText).join("") : "";
}

function normalise(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

function oneLine(texts: readonly string[]): string {
  return texts.join(" ").replaceAll(/\s+/g, " ").trim();
}

function linesOf(first: Content | undefined, last: Content | undefined): { lines?: LineRange } {
  const [from, to] = [first?.position?.start.line, last?.position?.end.line];
  return from === undefined || to === undefined ? {} : { lines: { from, to } };
}
