/** Refuses the parts of a statement that have effects. */

import { lowerAscii, refuseStatement, type SqlToken, wordSet, writtenName } from "@bridle/sql";
import { functionsThatRead, tableFunctionsThatRead } from "../functions.ts";

export function refuseFunction(name: string): void {
  if (functionsThatRead.has(lowerAscii(name))) return;
  refuseStatement(
    "effect",
    `The function ${name} may not be called: it has effects, or SQLite does not have it. Do without it.`,
  );
}

export function refuseTableFunction(parts: readonly SqlToken[]): void {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && tableFunctionsThatRead.has(lowerAscii(writtenName(first)))) return;
  const name = parts.map(writtenName).join(".");
  refuseStatement(
    "effect",
    `The table function ${name} may not be called. Only ${[...tableFunctionsThatRead].join(", ")} may.`,
  );
}

const startsOfWrites = wordSet("insert update delete replace create drop alter merge truncate");

export function refuseStart({ kind, value, raw }: SqlToken): never {
  if (kind === "end") refuseStatement("syntax", "There is no statement. Write a SELECT.");
  if (kind === "word" && startsOfWrites.has(value))
    refuseStatement(
      "not_a_read",
      `${value.toUpperCase()} changes the database, and this connection only reads. Write a SELECT.`,
    );
  return refuseStatement("not_a_read", `A statement may not begin with ${raw}. Write one SELECT, WITH or VALUES.`);
}
