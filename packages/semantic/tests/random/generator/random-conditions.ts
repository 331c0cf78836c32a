/** Creates conditions on a field of a known kind. */
import type { RandomChoices } from "../random-choices.ts";
import type { NaiveFilter } from "../random-world.ts";
import { type CellKind, days, dirtyTexts } from "./random-cells.ts";

/** The kinds of values that the row functions return, by dimension name. */
export const kindsOfFunctions: Readonly<Record<string, CellKind>> = {
  unmarked: "label",
  initial: "label",
  ending: "label",
  trimmed: "label",
  joined: "label",
  letters: "size",
  like: "flag",
  ilike: "flag",
  chosen: "size",
  rounded: "amount",
  whole: "amount",
  rest: "size",
  least_of: "amount",
  most: "amount",
  tripled: "big",
  clock: "size",
  date_of: "day",
  weekday: "size",
  quarter_of: "size",
  month_of: "day",
  is_late: "flag",
  is_early: "flag",
  delay: "size",
  months: "size",
};

type Condition = Extract<NaiveFilter, { field: string }>;

/** Creates a condition, written as a string or as an object. */
export function randomCondition(choices: RandomChoices, field: string, kind: CellKind): Condition {
  const condition = conditionOf(choices, field, kind);
  return { ...condition, isText: choices.chance(40) };
}

function conditionOf(choices: RandomChoices, field: string, kind: CellKind): Omit<Condition, "isText"> {
  if (choices.chance(15)) return { field, op: choices.pick(["is null", "is not null"] as const) };
  switch (kind) {
    case "label":
      return onText(choices, field);
    case "flag":
      return { field, op: choices.pick(["=", "!="] as const), value: choices.chance(50) };
    case "size":
      return onNumber(choices, field, choices.int(-1, 6));
    case "big":
      return { field, op: choices.pick(orders), value: 9_007_199_254_740_990n + BigInt(choices.int(0, 9)) };
    case "double":
      return { field, op: choices.pick(orders), value: choices.int(-8, 800) / 4 };
    case "amount":
      return onNumber(choices, field, choices.int(-300, 90_000) / 100);
    case "day":
      return { field, op: choices.pick([...orders, "=" as const, "!=" as const]), value: choices.pick(days) };
    case "moment": {
      if (choices.chance(60)) return { field, op: choices.pick([...orders, "=" as const]), value: choices.pick(days) };
      return {
        field,
        op: choices.pick([...orders, "!=" as const]),
        value: `${choices.pick(days)} 0${choices.int(0, 9)}:30:00`,
      };
    }
  }
}

const orders = ["<", "<=", ">", ">="] as const;

function onText(choices: RandomChoices, field: string): Omit<Condition, "isText"> {
  if (choices.chance(20)) return { field, op: "contains", value: choices.pick(["a", "A", "%", "'", "_", " "]) };
  if (choices.chance(60))
    return { field, op: choices.pick(["=", "!=", "<", ">="] as const), value: choices.pick(dirtyTexts) };
  const value = [...choices.some(dirtyTexts.slice(0, 7), 3), choices.pick(dirtyTexts)];
  const op = choices.pick(["in", "not in"] as const);
  return { field, op, value: choices.chance(30) ? [...value, null] : value };
}

function onNumber(choices: RandomChoices, field: string, value: number): Omit<Condition, "isText"> {
  if (choices.chance(70)) return { field, op: choices.pick([...orders, "=" as const, "!=" as const]), value };
  const more = choices.chance(20) ? [null] : [];
  return { field, op: choices.pick(["in", "not in"] as const), value: [value, choices.int(0, 4), ...more] };
}
