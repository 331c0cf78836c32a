import type { InstructionMark } from "../sources/instruction-mark.ts";
import type { StagedItem } from "../sources/source.ts";
import type { FoundInstruction } from "./ingest-outcome.ts";

const maxQuoteLength = 400;

/** Describes a marked part of a text, for the report. */
export function describeMark(
  { source, id }: Pick<StagedItem, "source" | "id">,
  text: string,
  { start, end, reason }: InstructionMark,
): FoundInstruction {
  return { source, item: id, where: "text", quote: text.slice(start, end).slice(0, maxQuoteLength), reason };
}
