/** Finds the role of a column in a model by its type, its values and the words of its name. A user reviews the result. */
import { splitName } from "../../joins/names.ts";
import type { KnownColumn, KnownTable } from "../../knowledge/known.ts";

export type ColumnRole =
  | { readonly kind: "time"; readonly type: "date" | "timestamp" }
  | { readonly kind: "dimension" }
  | { readonly kind: "measure"; readonly agg: "sum" | "avg" }
  /** `reason` is missing for a part of a key or a join, because that is its role. */
  | { readonly kind: "none"; readonly reason?: string | undefined };

/** A number with one of these words in its name identifies something and is not a quantity. */
const naming = new Set(
  "id no nr num number code key ref year month day week weekday hour zip postcode postal lat latitude lon lng longitude line seq sequence position rank sort version status type kind flag phone".split(
    " ",
  ),
);

/** A number with one of these words in its name is not summed over rows. */
const averaged = new Set(
  "price rate percent pct percentage ratio share avg average mean age score rating stars temperature balance stock level speed height width".split(
    " ",
  ),
);

/** Text columns with at most this many different values become groups. */
const maxGroups = 200;
const numbers: ReadonlySet<string> = new Set(["integer", "decimal", "float"]);

/** Returns the role of a column. `linked` are the columns of joins that begin in the table. */
export function roleOfColumn(column: KnownColumn, table: KnownTable, linked: ReadonlySet<string>): ColumnRole {
  const { name, type, sensitive, profile } = column;
  if (sensitive !== undefined) return none(`sensitive (${sensitive}), so it is neither a dimension nor a measure`);
  if (linked.has(name)) return { kind: "none" };
  const isKey = table.key?.columns.includes(name) === true;
  if (profile !== undefined && profile.distinct === 0) return none("without values");
  if (type === "date") return { kind: "time", type: "date" };
  if (type === "timestamp" || type === "timestamptz") return { kind: "time", type: "timestamp" };
  if (type === "boolean") return { kind: "dimension" };
  if (type === "text") return roleOfText(column, isKey);
  if (!numbers.has(type)) return none(`of the type ${type}`);
  return isKey ? { kind: "none" } : roleOfNumber(column);
}

function roleOfText({ profile, name }: KnownColumn, isKey: boolean): ColumnRole {
  const time = timeInTexts(profile);
  if (time !== undefined) return { kind: "time", type: time };
  if (profile === undefined || isKey || isLabel(name)) return { kind: "dimension" };
  const isGrouping = profile.distinct <= maxGroups && profile.distinct < 0.9 * (profile.rows - profile.nulls);
  return isGrouping || profile.distinct <= 10 ? { kind: "dimension" } : none("a text that differs in most rows");
}

function isLabel(name: string): boolean {
  return splitName(name).some((word) => ["name", "title", "label", "code"].includes(word));
}

const dateShape = /^9\+-9\+-9\+$/;
const momentShape = /^9\+-9\+-9\+[ A]9\+:9\+(?::9\+(?:\.9\+)?)?A?$/;

/** Recognizes dates and times that are stored as text in ISO 8601 format. */
function timeInTexts(profile: KnownColumn["profile"]): "date" | "timestamp" | undefined {
  const { shapes = [], min = "", max = "" } = profile ?? {};
  if (shapes.length === 0 || ![min, max].every((text) => /^\d{4}-\d\d-\d\d/.test(text))) return undefined;
  const rows = shapes.reduce((sum, shape) => sum + shape.rows, 0);
  if (profile === undefined || rows < profile.rows - profile.nulls) return undefined;
  if (shapes.every(({ shape }) => dateShape.test(shape))) return "date";
  return shapes.every(({ shape }) => momentShape.test(shape)) ? "timestamp" : undefined;
}

function roleOfNumber({ name, profile }: KnownColumn): ColumnRole {
  const words = splitName(name);
  const isFlag = profile?.min === "0" && profile.max === "1" && profile.distinct === 2;
  if (isFlag) return { kind: "dimension" };
  if (words.some((word) => naming.has(word))) {
    const isFew = profile !== undefined && profile.distinct <= maxGroups;
    return isFew ? { kind: "dimension" } : none("a number that identifies something instead of measuring it");
  }
  return { kind: "measure", agg: words.some((word) => averaged.has(word)) ? "avg" : "sum" };
}

function none(reason: string): ColumnRole {
  return { kind: "none", reason };
}
