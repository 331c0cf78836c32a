import fc from "fast-check";
import { expect, test } from "vitest";
import { whyNoConflict, whyNotSame } from "./compare-wordings.ts";
import { normalForm, readWording } from "./read-wording.ts";

const compare = (
  subjects: readonly [string, string],
  a: string,
  b: string,
  tables: readonly (readonly string[])[] = [[], []],
) => {
  const [left, right] = [readWording(subjects[0], a), readWording(subjects[1], b)];
  const [first, second] = [
    { wording: left, tables: tables[0] ?? [] },
    { wording: right, tables: tables[1] ?? [] },
  ];
  return [whyNotSame(first, second), whyNoConflict(first, second)];
};

test.each([
  [
    "downtime of a dock",
    "dock downtime",
    "Downtime of a dock is the time without a heartbeat for more than 10 minutes.",
    "A dock is down once it has sent no heartbeat for over ten minutes; that time is its downtime.",
  ],
  [
    "Porto",
    "city reports",
    "Porto includes Vila Nova de Gaia in all city reports.",
    "City reports for Porto count Vila Nova de Gaia too.",
  ],
  ["helmet rentals", "helmets", "Helmet rentals are not trips.", "Renting a helmet is never counted as a trip."],
  ["grace period", "grace period", "The grace period is 30 min.", "The grace period takes thirty minutes."],
  ["fines", "fines", "A fine costs €30.", "A fine costs 30 euros."],
  ["罰金", "罰金", "停車違反の罰金は一回につき三十ユーロです。", "停車違反の罰金は一回30ユーロです。"],
])("the statements about %s and %s may be the same", (a, b, first, second) => {
  expect(compare([a, b], first, second)).toEqual([undefined, undefined]);
});

test.each([
  ["another number", "numbers", undefined, "Riders are at least 16 years old.", "Riders are at least 18 years old."],
  ["another unit", "numbers", undefined, "Riders wait 5 minutes.", "Riders wait 5 hours."],
  ["a negation", "negation", undefined, "Riders are insured.", "Riders are not insured."],
  ["a negation in another language", "negation", undefined, "Riders sind versichert.", "Riders sind nicht versichert."],
  ["another column", "identifiers", undefined, "Riders are in riders.city_id.", "Riders are in riders.home_id."],
  ["another subject", "subject", "subject", "Riders are insured.", "Docks are insured."],
])("%s is a difference", (_, difference, independence, a, b) => {
  const subjectOf = (text: string) => text.split(" ")[0] ?? "";
  expect(compare([subjectOf(a), subjectOf(b)], a, b)).toEqual([difference, independence]);
});

test("statements about different tables are neither the same nor in conflict", () => {
  const text = "All amounts are in cents.";
  expect(compare(["amounts", "amounts"], text, text, [["w.main.fares"], ["w.main.payouts"]])).toEqual([
    "tables",
    "tables",
  ]);
  expect(compare(["amounts", "amounts"], text, text, [["w.main.fares"], ["w.main.fares", "w.main.payouts"]])).toEqual([
    undefined,
    undefined,
  ]);
});

test("the normal form ignores case, white space, emphasis, quotation marks and the last dot, and nothing else", () => {
  expect(normalForm(" The **gross fare**  is “before”\nrefunds . ")).toBe("the gross fare is before refunds");
  expect(normalForm("sensor_id is * 2")).toBe("sensor_id is 2");
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => normalForm(normalForm(text)) === normalForm(text)));
});

test("any text is read, in time that grows with its length", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      (a, b) => readWording(a, b).stems.size >= 0,
    ),
  );
  expect(readWording("x".repeat(100_000), "1,".repeat(100_000)).stems.size).toBeGreaterThan(0);
});
