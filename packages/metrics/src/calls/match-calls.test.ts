import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExpectedCall, MadeCall } from "./expected-call.ts";
import { matchCalls } from "./match-calls.ts";

const call = (tool: string, input: unknown = {}, state: MadeCall["state"] = "succeeded"): MadeCall => ({
  tool,
  input,
  state,
});
const lookup = (input: unknown, state?: MadeCall["state"]) => call("lookup_order", input, state);

interface Row {
  title: string;
  expected: ExpectedCall;
  calls: readonly MadeCall[];
  /** Parts of the message; none if the calls match. */
  miss?: readonly string[];
}

/** An expectation and a call to `lookup_order`, each with one argument. */
const value = (title: string, wanted: unknown, came: unknown, ...miss: string[]): Row => ({
  title,
  expected: { name: "lookup_order", args: { a: wanted } },
  calls: [lookup({ a: came })],
  ...(miss.length > 0 && { miss }),
});

const rows: readonly Row[] = [
  // names
  { title: "a call fits the expected name", expected: { name: "lookup_order" }, calls: [lookup({})] },
  {
    title: "a call of another tool does not fit",
    expected: { name: "lookup_order" },
    calls: [call("search"), call("search"), call("refund")],
    miss: ["lookup_order was not called. Called: search, refund."],
  },
  {
    title: "without calls nothing fits",
    expected: { name: "lookup_order" },
    calls: [],
    miss: ["lookup_order was not called; no tool was."],
  },
  {
    title: "a part of a name does not fit",
    expected: { name: "lookup" },
    calls: [lookup({})],
    miss: ["lookup was not called. Called: lookup_order."],
  },
  {
    title: "a longer name does not fit",
    expected: { name: "lookup_order_items" },
    calls: [lookup({})],
    miss: ["lookup_order_items was not called"],
  },
  {
    title: "a name in another case does not fit",
    expected: { name: "Lookup_Order" },
    calls: [lookup({})],
    miss: ["Lookup_Order was not called"],
  },
  { title: "a dot in a name fits the name that models see", expected: { name: "my.tool" }, calls: [call("my_tool")] },
  // arguments
  value("an equal text", "A-1001", "A-1001"),
  value(
    "another text",
    "A-1001",
    "A-1002",
    'lookup_order was called with { a: "A-1002" }: a is "A-1002" instead of "A-1001".',
  ),
  value("case of a text counts", "a", "A", 'a is "A" instead of "a"'),
  value("spaces of a text count", "a", "a ", 'a is "a " instead of "a"'),
  value("the same boolean", true, true),
  value("true is not 1", true, 1, "a is 1 instead of true"),
  value("1 is not true", 1, true, "a is true instead of 1"),
  value('true is not "true"', true, "true", 'a is "true" instead of true'),
  value("null is null", null, null),
  value("null is not a missing argument", null, undefined, "a is missing"),
  value("0 is not an empty text", 0, "", 'a is "" instead of 0'),
  value("0 is not false", 0, false, "a is false instead of 0"),
  {
    title: "a missing argument is named",
    expected: { name: "lookup_order", args: { id: "A-1", limit: 5 } },
    calls: [lookup({ id: "A-1" })],
    miss: ["limit is missing"],
  },
  {
    title: "extra arguments are allowed",
    expected: { name: "lookup_order", args: { id: "A-1" } },
    calls: [lookup({ id: "A-1", limit: 5 })],
  },
  {
    title: "extra arguments of a call that does not fit are named",
    expected: { name: "lookup_order", args: { id: "A-1" } },
    calls: [lookup({ id: "A-2", limit: 5 })],
    miss: ['id is "A-2" instead of "A-1"', "arguments without an expectation: limit"],
  },
  {
    title: "an empty mapping fits a call without arguments",
    expected: { name: "lookup_order", args: {} },
    calls: [lookup({ id: "A-1" })],
  },
  {
    title: "an input that is not an object has no arguments",
    expected: { name: "lookup_order", args: { id: "A-1" } },
    calls: [lookup("A-1")],
    miss: ['lookup_order was called with "A-1": id is missing.'],
  },
  {
    title: "inherited members of objects are not arguments",
    expected: { name: "lookup_order", args: { constructor: "x" } },
    calls: [lookup({})],
    miss: ["constructor is missing"],
  },
  // numbers
  value("an equal number", 206588, 206588),
  value("another number", 206588, 206589, "a is 206589 instead of 206588"),
  value("a number fits the text that is it", 206588, "206588"),
  value("a number fits the text that is it with thousands", 206588, "206,588"),
  value("a number fits a text without digits before its point", 0.5, ".5"),
  value("a number fits a text without digits behind its point", 5, "5."),
  value("a point alone is no number", 0, ".", "instead of 0"),
  value("null is not infinity", null, Number.POSITIVE_INFINITY, "instead of null"),
  value("a number fits the text that is it with spaces between thousands", 206588, "206 588"),
  value("a number fits the percentage that is it", 0.5, "50%"),
  value("a percentage is not its number of hundredths", 50, "50 %", "instead of 50"),
  value(
    "a number fits no text with other digits that one number cannot tell apart",
    2 ** 53,
    "9007199254740993",
    "instead of",
  ),
  value("a number fits a text with a minus sign", -5, "−5"),
  value("the matcher number reads a percentage as hundredths", { number: 0.12 }, "up by 12 % today"),
  value(
    "the matcher number does not read a percentage as its digits",
    { number: 12 },
    "up by 12 % today",
    "instead of",
  ),
  value("a number fits the text that is it with spaces around", -3.5, " -3.5 "),
  value("a number fits the text that is it with an exponent", 1500, "1.5e3"),
  value("a number does not fit a text that holds more", 5, "5 items", 'a is "5 items" instead of 5'),
  value("a number does not fit wrong thousands", 20658, "2,06,58", "instead of 20658"),
  value("a text is not the number that it names", "5", 5, 'a is 5 instead of "5"'),
  value("the matcher number fits a number", { number: 206588 }, 206588),
  value("the matcher number fits a text", { number: 206588 }, "206,588"),
  value("the matcher number finds a number in a sentence", { number: 206588 }, "about 206,588 people."),
  value("the matcher number finds a price", { number: 1200.5 }, "$1,200.50"),
  value("the matcher number reads no part of a number", { number: 58 }, "206,588", "instead of the number 58"),
  value("the matcher number reads no part of a code", { number: 1001 }, "A-1001", "instead of the number 1001"),
  value("the matcher number within its tolerance", { number: 10, tolerance: 0.5 }, 10.5),
  value("binary fractions do not shrink a tolerance", { number: 0.3, tolerance: 0.1 }, 0.4),
  value(
    "the matcher number beyond its tolerance",
    { number: 10, tolerance: 0.5 },
    10.51,
    "a is 10.51 instead of the number 10 ± 0.5",
  ),
  value("the matcher number takes no boolean", { number: 1 }, true, "a is true instead of the number 1"),
  // text
  value("fuzzy looks past case, punctuation and spaces", { fuzzy: "reading lamp" }, " READING-lamp!"),
  value("fuzzy compares the whole text", { fuzzy: "lamp" }, "reading lamp", 'instead of text like "lamp"'),
  value("fuzzy does not look past letters", { fuzzy: "lamp" }, "light", 'a is "light" instead of text like "lamp"'),
  value("fuzzy takes wide letters for what they are", { fuzzy: "A-1001" }, "Ａ１００１"),
  value("fuzzy reads other scripts", { fuzzy: "Η ΛΑΜΠΑ" }, "η λαμπα"),
  value("fuzzy keeps signs at the end of a word", { fuzzy: "C++" }, "C#", 'instead of text like "C++"'),
  value("fuzzy does not add a sign to a word", { fuzzy: "C" }, "C++", "instead of text"),
  value("fuzzy of punctuation alone fits nothing", { fuzzy: "…" }, "what", "only punctuation"),
  value("fuzzy reads a number as it is written", { fuzzy: "1001" }, 1001),
  value("fuzzy keeps decimal points", { fuzzy: "1.5" }, "15", "instead of text"),
  value("fuzzy keeps minus signs", { fuzzy: "-5" }, 5, "instead of text"),
  value("fuzzy compares numbers as numbers", { fuzzy: "1,500.0" }, "1.5e3"),
  value("fuzzy compares percentages as numbers", { fuzzy: "50%" }, 0.5),
  value("fuzzy does not join numbers", { fuzzy: "1 5" }, "15", "instead of text"),
  value("fuzzy keeps the parts of a date apart", { fuzzy: "2026-03-02" }, "2026/03/02"),
  value("fuzzy does not turn a date into a number", { fuzzy: "2026-03-02" }, "20260302", "instead of text"),
  value("fuzzy compares long numbers digit by digit", { fuzzy: "9007199254740993" }, "9007199254740992", "instead of"),
  value("fuzzy does not read powers as digits", { fuzzy: "102" }, "10²", "instead of text"),
  value("fuzzy finds no word within a word", { fuzzy: "no" }, "unknown", "instead of text"),
  value("contains finds words", { contains: "reading lamp" }, "The READING-lamp, please!"),
  value(
    "contains finds whole words only",
    { contains: "lamp" },
    "reading lamps",
    'instead of text that contains "lamp"',
  ),
  value("contains finds no word within a word", { contains: "no" }, "unknown", "instead of text"),
  value("contains keeps the order of words", { contains: "reading lamp" }, "a lamp for reading", "instead of text"),
  value("contains finds a whole number only", { contains: "5" }, "about -5 degrees", "instead of text"),
  value("contains does not find a number in a decimal number", { contains: "5" }, "1.5 kg", "instead of text"),
  value("contains finds a price", { contains: "1200.50" }, "for $1,200.50 in all"),
  value("contains finds characters of scripts without spaces", { contains: "灯" }, "读书灯"),
  value("contains finds a code with other punctuation", { contains: "A-1001" }, "order a1001!"),
  value("contains of punctuation alone fits nothing", { contains: "…" }, "what", "only punctuation"),
  value("regex is found in a text", { regex: "^A-\\d+$" }, "A-1001"),
  value("regex that is not found", { regex: "^A-\\d+$" }, "B-1001", 'a is "B-1001" instead of /^A-\\d+$/'),
  value("regex regards case", { regex: "^a" }, "A", "instead of /^a/"),
  value("regex reads a number as it is written", { regex: "^1" }, 1001),
  value("regex takes no null", { regex: "." }, null, "a is null instead of /./"),
  value("an invalid regex is named", { regex: "(" }, "text", "a cannot be compared: Invalid regular expression"),
  // nested values
  value("an equal object", { city: "Athens", zip: 10431 }, { zip: "10431", city: "Athens" }),
  value("a nested object may hold more", { city: "Athens" }, { city: "Athens", zip: 10431 }),
  value("a nested argument that is missing", { city: "Athens", zip: 1 }, { city: "Athens" }, "a.zip is missing"),
  value("a matcher deep within", { b: { c: [{ fuzzy: "lamp" }] } }, { b: { c: ["Lamp."] } }),
  value(
    "a difference deep within has its path",
    { "b c": [{ d: 1 }] },
    { "b c": [{ d: 2 }] },
    'a["b c"][0].d is 2 instead of 1',
  ),
  value("an equal list", [1, "b", null], [1, "b", null]),
  value("order of a list counts", [1, 2], [2, 1], "a[0] is 2 instead of 1; a[1] is 1 instead of 2"),
  value("length of a list counts", [1], [1, 2], "a has 2 entries instead of 1"),
  value("a list is no object", [1], { 0: 1 }, "instead of [1]"),
  value("an object is no list", { 0: 1 }, [1], 'a is [1] instead of { "0": 1 }'),
  value("a text is no object", { b: 1 }, '{"b":1}', "instead of { b: 1 }"),
  value("an object with a matcher's name is compared as an object", { number: 5 }, { number: 5, street: "Elm" }),
  value("and not as the matcher", { regex: "." }, { regex: "a" }, 'a.regex is "a" instead of "."'),
  // count
  {
    title: "the expected number of calls",
    expected: { name: "lookup_order", count: 2 },
    calls: [lookup({ id: 1 }), lookup({ id: 2 })],
  },
  {
    title: "too few calls",
    expected: { name: "lookup_order", count: 2 },
    calls: [lookup({})],
    miss: ["lookup_order was called like this once, expected 2 times."],
  },
  {
    title: "too many calls",
    expected: { name: "lookup_order", count: 1 },
    calls: [lookup({}), lookup({}), lookup({})],
    miss: ["lookup_order was called like this 3 times, expected once."],
  },
  {
    title: "only fitting calls are counted",
    expected: { name: "lookup_order", args: { id: 1 }, count: 1 },
    calls: [lookup({ id: 1 }), lookup({ id: 2 })],
  },
  { title: "a count of 0 without calls", expected: { name: "refund", count: 0 }, calls: [lookup({})] },
  {
    title: "a call despite a count of 0",
    expected: { name: "refund", count: 0 },
    calls: [call("refund", { cents: 5 })],
    miss: ["refund was called like this once, expected 0 times."],
  },
  {
    title: "the nearest of several calls is named",
    expected: { name: "lookup_order", args: { id: 1, full: true } },
    calls: [lookup({ id: 2, full: false }), lookup({ id: 1, full: false }), lookup({ id: 3, full: true })],
    miss: ["lookup_order was called 3 times, nearest with { id: 1, full: false }: full is false instead of true."],
  },
  {
    title: "a call with invalid arguments despite a count of 0",
    expected: { name: "refund", count: 0 },
    calls: [call("refund", { cents: "all" }, "invalid")],
    miss: ["once, expected 0 times. The tool refused the arguments of one call, but the model tried."],
  },
  {
    title: "as many calls as at least needed",
    expected: { name: "lookup_order", atLeast: 2 },
    calls: [lookup({}), lookup({}), lookup({})],
  },
  {
    title: "fewer calls than at least needed",
    expected: { name: "lookup_order", atLeast: 2 },
    calls: [lookup({})],
    miss: ["lookup_order was called like this once, expected at least 2 times."],
  },
  { title: "no call if some are allowed", expected: { name: "lookup_order", atMost: 2 }, calls: [] },
  {
    title: "more calls than allowed, failed ones included",
    expected: { name: "lookup_order", atMost: 1 },
    calls: [lookup({}, "failed"), lookup({}, "failed")],
    miss: ["lookup_order was called like this 2 times, expected at most once."],
  },
  {
    title: "more calls than a range allows",
    expected: { name: "lookup_order", atLeast: 1, atMost: 2 },
    calls: [lookup({}), lookup({}), lookup({})],
    miss: ["3 times, expected 1 to 2 times."],
  },
  // outcome
  {
    title: "a failed call does not fit without an outcome",
    expected: { name: "lookup_order" },
    calls: [lookup({}, "failed")],
    miss: ["the call failed. Write outcome: executed if that is enough."],
  },
  {
    title: "a denied call does not fit",
    expected: { name: "lookup_order" },
    calls: [lookup({}, "denied")],
    miss: ["lookup_order was called with {}: the call was denied."],
  },
  {
    title: "an expected denial fits a denied call",
    expected: { name: "refund", outcome: "denied" },
    calls: [call("refund", {}, "denied")],
  },
  {
    title: "a call with an invalid input does not fit",
    expected: { name: "lookup_order" },
    calls: [lookup({}, "invalid")],
    miss: ["the call was invalid"],
  },
  {
    title: "a call with an invalid input is not a denied call",
    expected: { name: "lookup_order", outcome: "denied" },
    calls: [lookup({}, "invalid")],
    miss: ["the call was invalid instead of denied"],
  },
  {
    title: "an expected denial does not fit an allowed call",
    expected: { name: "lookup_order", outcome: "denied" },
    calls: [lookup({})],
    miss: ["the call succeeded instead of denied"],
  },
  {
    title: "an expected success does not fit a failed call",
    expected: { name: "lookup_order", outcome: "succeeded" },
    calls: [lookup({}, "failed")],
    miss: ["the call failed instead of succeeded"],
  },
];

describe("an expected call", () => {
  test.each(rows)("$title", ({ expected, calls, miss }) => {
    const [match] = matchCalls([expected], calls);
    expect(match?.ok, match?.message).toBe(miss === undefined);
    if (miss === undefined) expect(match?.message).toBeUndefined();
    for (const part of miss ?? []) expect(match?.message).toContain(part);
  });
});

describe("the outcome of calls", () => {
  const states = ["succeeded", "failed", "unfinished", "denied", "invalid"] as const;
  const fitting: [outcome: ExpectedCall["outcome"], count: number | undefined, fits: readonly MadeCall["state"][]][] = [
    [undefined, undefined, ["succeeded"]],
    [undefined, 1, ["succeeded"]],
    ["succeeded", undefined, ["succeeded"]],
    ["failed", undefined, ["failed"]],
    ["denied", undefined, ["denied"]],
    ["executed", undefined, ["succeeded", "failed", "unfinished"]],
    ["executed", 1, ["succeeded", "failed", "unfinished"]],
    ["attempted", undefined, ["succeeded", "failed", "unfinished", "denied", "invalid"]],
  ];
  test.each(fitting)("%s with count %s fits only calls that ended so", (outcome, count, fits) => {
    const expected = { name: "a", ...(outcome && { outcome }), ...(count !== undefined && { count }) };
    expect(states.filter((state) => oks([expected], [call("a", {}, state)])[0])).toEqual(fits);
    expect(states.filter((state) => oks([{ ...expected, args: {} }], [call("a", {}, state)])[0])).toEqual(fits);
  });

  test("a tool that must never be called may not be tried with invalid arguments either", () => {
    const never = (state: MadeCall["state"]) => oks([{ name: "a", count: 0 }], [call("a", {}, state)])[0];
    expect(states.filter(never)).toEqual(["denied"]); // a denied call is a separate failure
    expect(oks([{ name: "a", count: 0, outcome: "succeeded" }], [call("a", {}, "failed")])).toEqual([true]);
  });

  test("a second call that succeeds makes up for one that failed", () => {
    expect(oks([{ name: "a" }], [call("a", {}, "failed"), call("a")])).toEqual([true]);
    expect(oks([{ name: "a", args: { x: 1 } }], [call("a", { x: 1 }, "failed"), call("a", { x: 2 })])).toEqual([false]);
  });
});

const oks = (expected: readonly ExpectedCall[], calls: readonly MadeCall[]) =>
  matchCalls(expected, calls).map(({ ok }) => ok);

describe("several expected calls", () => {
  test("with arguments need a call each, even if one call fits both", () => {
    const expected = [
      { name: "lookup_order", args: { id: 1 } },
      { name: "lookup_order", args: { full: true } },
    ];
    const both = lookup({ id: 1, full: true });
    expect(oks(expected, [both])).toEqual([true, false]);
    expect(matchCalls(expected, [both])[1]?.message).toContain("each entry with arguments needs its own call");
    expect(oks(expected, [both, lookup({ id: 1 })])).toEqual([true, true]);
  });

  test("are fulfilled by one call if one of them has no arguments", () => {
    expect(oks([{ name: "lookup_order" }, { name: "lookup_order", args: { id: 1 } }], [lookup({ id: 1 })])).toEqual([
      true,
      true,
    ]);
  });

  test("may be made in any order", () => {
    expect(oks([{ name: "a" }, { name: "b" }], [call("b"), call("a")])).toEqual([true, true]);
  });

  test("are described in words, each with the calls that fit", () => {
    const expected = [
      { name: "a", args: { x: { number: 5, tolerance: 1 } }, count: 1 },
      { name: "b", outcome: "denied" as const },
    ];
    expect(matchCalls(expected, [call("b"), call("a", { x: 4 })])).toMatchObject([
      { expected: "a { x: the number 5 ± 1 } (exactly 1 call)", ok: true, fitting: [1] },
      { expected: "b (denied)", ok: false, fitting: [] },
    ]);
  });

  test("are fulfilled in the same number for any order of calls", () => {
    const args = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(args, fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }), (wanted, came) => {
        const expected = wanted.map((id) => ({ name: "a", args: { id: { number: id, tolerance: 1 } } }));
        const met = (ids: readonly number[]) =>
          oks(
            expected,
            ids.map((id) => call("a", { id })),
          ).filter(Boolean).length;
        expect(met(came)).toBe(met(came.toReversed()));
        expect(met(came)).toBeLessThanOrEqual(came.length);
      }),
    );
  });

  test("fit any JSON that equals the expected arguments, at any depth", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(oks([{ name: "a", args: { json } }], [call("a", { json })])).toEqual([true]);
      }),
    );
  });
});
