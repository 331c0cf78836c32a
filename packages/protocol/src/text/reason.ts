import { pairStart } from "./cut.ts";
import { isPlainObject } from "./json.ts";

const noReason = "no reason was given";

/** Returns the message of a thrown value, which may be anything, even `undefined`. Never throws. */
export function getErrorMessage(thrown: unknown): string {
  try {
    return toText(thrown) || noReason;
  } catch {
    return noReason;
  }
}

function toText(thrown: unknown): string {
  if (thrown === undefined || thrown === null) return "";
  if (thrown instanceof Error) return String(thrown.message) || thrown.name;
  if (!isPlainObject(thrown)) return String(thrown);
  return typeof thrown.message === "string" ? thrown.message : preview(thrown);
}

/** Returns a value as quoted JSON, at most 200 characters, for messages to models and developers. */
export function preview(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = quoted(value);
  return text.length > 200 ? `${text.slice(0, pairStart(text, 200))}…` : text;
}

function quoted(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value === "bigint" ? `${value}n` : "a value that JSON cannot hold";
  }
}
