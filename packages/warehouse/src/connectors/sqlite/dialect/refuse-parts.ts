/** Refuses the parts of a statement that have effects. */

import { functionsThatRead, tableFunctionsThatRead } from "../functions.ts";
import { lowerAscii } from "../letters.ts";
import { writtenName } from "./cursor.ts";
import { refusal } from "./refuse.ts";
import type { SqliteToken } from "./tokenize.ts";

export function refuseFunction(name: string): void {
  if (functionsThatRead.has(lowerAscii(name))) return;
  throw refusal(
    "effect",
    `The function ${name} may not be called: it has effects, or SQLite does not have it. Do without it.`,
  );
}

export function refuseTableFunction(parts: readonly SqliteToken[]): void {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && tableFunctionsThatRead.has(lowerAscii(writtenName(first)))) return;
  const name = parts.map(writtenName).join(".");
  throw refusal(
    "effect",
    `The table function ${name} may not be called. Only ${[...tableFunctionsThatRead].join(", ")} may.`,
  );
}

const startsOfWrites = /^(INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|MERGE|TRUNCATE)$/;

export function refuseStart(token: SqliteToken | undefined): Error {
  if (token === undefined) return refusal("syntax", "There is no statement. Write a SELECT.");
  if (startsOfWrites.test(token.value))
    return refusal(
      "not_a_read",
      `${token.value} changes the database, and this connection only reads. Write a SELECT.`,
    );
  return refusal("not_a_read", `A statement may not begin with ${token.source}. Write one SELECT, WITH or VALUES.`);
}
