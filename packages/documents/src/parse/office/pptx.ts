import type { Block, DocumentFile, ParseContext } from "../block.ts";
import { TextBudget } from "../parse-limits.ts";
import { OfficePackage } from "./office-package.ts";
import { readOffice } from "./read-office.ts";
import { readSlide } from "./read-slide.ts";
import { readXml, relationshipId } from "./read-xml.ts";

/**
 * Reads a PowerPoint presentation: each slide is a heading with its text, tables, diagrams and notes below. The page of a block is the
 * number of its slide. Leaves out hidden slides, charts and comments.
 */
export function parsePptx(file: DocumentFile, { limits, warn }: ParseContext): Promise<readonly Block[]> {
  return readOffice(file, { title: "a PowerPoint presentation", ending: ".pptx" }, () => {
    const parts = OfficePackage.open(file.name, file.bytes, limits);
    const budget = new TextBudget(file.name, limits);
    const hidden: number[] = [];
    const blocks = slidesOf(parts).flatMap((part, index) => {
      const xml = parts.xml(part);
      if (isHidden(xml)) hidden.push(index + 1);
      return isHidden(xml) ? [] : slideBlocks(parts, part, index + 1, budget);
    });
    if (hidden.length > 0) warn(`has hidden slides, which are left out: ${hidden.join(", ")}.`);
    return blocks;
  });
}

/** Returns the parts of the slides in presentation order. */
function slidesOf(parts: OfficePackage): readonly string[] {
  const main = parts.mainPart();
  const slides = new Map(parts.related(main, "slide").map(({ id, part }) => [id, part]));
  const found: string[] = [];
  readXml(parts.xml(main), {
    open(name, attributes) {
      const part = name === "sldId" ? slides.get(relationshipId(attributes) ?? "") : undefined;
      if (part !== undefined) found.push(part);
    },
  });
  return found;
}

function isHidden(xml: string): boolean {
  return /<(\w+:)?sld\s[^>]*\bshow="(0|false)"/.test(xml);
}

function slideBlocks(parts: OfficePackage, part: string, page: number, budget: TextBudget): readonly Block[] {
  const { title, blocks } = readSlide(parts.xml(part));
  const textsOf = (type: string) => parts.related(part, type).flatMap((to) => readSlide(parts.xml(to.part)).blocks);
  const notes = textsOf("notesSlide").map((block) => ({ ...block, text: `Notes: ${block.text}` }));
  const heading: Block = { kind: "heading", depth: 1, text: title === "" ? `Slide ${page}` : title };
  const all = [heading, ...blocks, ...textsOf("diagramData"), ...notes];
  for (const { text } of all) budget.add(text.length);
  return all.map((block) => ({ ...block, page }));
}
