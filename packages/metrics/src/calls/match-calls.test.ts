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
  /** Parts of the message; none if the calls fit. */
  miss?: readonly string[];
}

/** An expectation of `lookup_order` with one argument, and one call of it with one. */
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
  value("fuzzy takes wide letters for what they are", { fuzzy: "A-1001" }, "Order Ａ１００１"),
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
  value("fuzzy looks past case, punctuation and spaces", { fuzzy: "reading lamp" }, "The READING-lamp, please!"),
  value("fuzzy is found in a text", { fuzzy: "lamp" }, "reading lamps"),
  value("fuzzy does not look past letters", { fuzzy: "lamp" }, "light", 'a is "light" instead of text like "lamp"'),
  value("fuzzy reads other scripts", { fuzzy: "ΛΑΜΠΑ" }, "η λαμπα"),
  value("fuzzy keeps signs", { fuzzy: "C++" }, "C#", 'instead of text like "C++"'),
  value("fuzzy of punctuation alone fits nothing", { fuzzy: "…" }, "what", "only punctuation"),
  value("fuzzy reads a number as it is written", { fuzzy: "1001" }, 1001),
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
  value("a matcher deep within", { b: { c: [{ fuzzy: "lamp" }] } }, { b: { c: ["Lamp"] } }),
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
  ];
  test.each(fitting)("%s with count %s fits only calls that ended so", (outcome, count, fits) => {
    const expected = { name: "a", ...(outcome && { outcome }), ...(count !== undefined && { count }) };
    expect(states.filter((state) => oks([expected], [call("a", {}, state)])[0])).toEqual(fits);
    expect(states.filter((state) => oks([{ ...expected, args: {} }], [call("a", {}, state)])[0])).toEqual(fits);
  });

  test("a tool that must never be called may not fail either", () => {
    const never = (state: MadeCall["state"]) => oks([{ name: "a", count: 0 }], [call("a", {}, state)])[0];
    expect(states.filter(never)).toEqual(["denied", "invalid"]);
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
    expect(matchCalls(expected, [both])[1]?.message).toContain("each entry with arguments needs a call of its own");
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
