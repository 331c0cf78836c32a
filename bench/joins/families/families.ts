import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import { Random } from "../../scan/random.ts";
import type { Gold } from "../gold.ts";
import { makeOpaque, translate } from "../perturb/rename.ts";
import { addBlanks, addOrphans, makeTexts } from "../perturb/soil.ts";
import { drawMart, drawRegistry } from "./analytics.ts";
import { drawArchive, drawSubtypes } from "./archive.ts";
import { drawApplication, drawOffice } from "./business.ts";
import { type DraftTable, finishDraft, type Generated } from "./draft.ts";
import { drawLeague, drawLegacy, drawPlant, drawTextbook } from "./registers.ts";
import { Words } from "./words.ts";

/** A kind of generated database. */
export interface Family {
  readonly name: string;
  readonly draw: (words: Words) => readonly DraftTable[];
  /** Changes names and values after the database was drawn. */
  readonly change?: (tables: readonly TableRows[], gold: Gold) => readonly TableRows[];
}

export const families: readonly Family[] = [
  { name: "office", draw: drawOffice },
  { name: "application", draw: drawApplication },
  { name: "archive", draw: drawArchive },
  { name: "subtypes", draw: drawSubtypes },
  { name: "mart", draw: drawMart },
  { name: "registry", draw: drawRegistry },
  { name: "plant", draw: drawPlant },
  { name: "legacy", draw: drawLegacy },
  { name: "league", draw: drawLeague },
  { name: "textbook", draw: drawTextbook },
  { name: "translated office", draw: drawOffice, change: translate },
  { name: "translated textbook", draw: drawTextbook, change: translate },
  { name: "imported", draw: drawOffice, change: (tables, gold) => makeTexts(addBlanks(addOrphans(tables, gold))) },
  { name: "opaque office", draw: drawOffice, change: makeOpaque },
  { name: "opaque league", draw: drawLeague, change: makeOpaque },
  { name: "opaque plant", draw: drawPlant, change: makeOpaque },
  { name: "opaque mart", draw: drawMart, change: makeOpaque },
  { name: "opaque legacy", draw: drawLegacy, change: makeOpaque },
];

export function generate(family: Family, seed: number): Generated {
  const words = new Words(new Random(seed * 7919 + hashOf(family.name)));
  const { tables, gold } = finishDraft(family.draw(words));
  return { tables: family.change?.(tables, gold) ?? tables, gold };
}

function hashOf(text: string): number {
  let hash = 17;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return hash;
}
