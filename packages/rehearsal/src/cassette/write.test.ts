import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Cassette } from "./cassette.ts";
import { writeCassette } from "./write.ts";

const cassette = (value: unknown, more: Partial<Cassette> = {}): Cassette => ({
  script: { rehearsal: 1, turns: [{ steps: [{ call: "x", with: value }] }] },
  runs: 2,
  backends: ["one", "other"],
  models: [],
  warnings: [],
  ...more,
});
const written = (value: unknown) => writeCassette(cassette(value), { at: new Date(0) });

test("every kind of text survives writing and reading", () => {
  const pieces = fc.constantFrom(
    "\n",
    " ",
    "  ",
    "\t",
    "\r",
    "#",
    ": ",
    "- ",
    "'",
    '"',
    "\\",
    "x",
    "long words ",
    "\u2028",
    "\u0085",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.jsonValue())), (value) => {
      const file = Buffer.from(written(value)).toString("utf8"); // as a file keeps it
      expect(JSON.stringify(parse(file).turns[0].steps[0].with)).toBe(JSON.stringify(value));
    }),
    { numRuns: 500 },
  );
});

test("text of several lines is readable in the file", () => {
  expect(written({ a: "First line.\n\nSecond: it's a line." })).toContain(`a: |-
            First line.

            Second: it's a line.
`);
});

test("no comment can become part of the script", () => {
  const more = { backends: ["a\nturns: []"], warnings: ["b\r\nrehearsal: 2\u2028c"] };
  const file = writeCassette(cassette({}, more), { at: new Date(0), versions: { Bridle: "1\n2" } });
  expect(file.split("\n").slice(0, 4)).toEqual([
    "# A cassette: the answers of the model in 2 runs on a turns: [].",
    "# Recorded 1970-01-01T00:00:00.000Z by Bridle 1 2. Credentials were replaced by [secret …].",
    "# It is a rehearsal script: play it with bridle run --rehearse, or serve it with bridle rehearse.",
    "# Differs from the run: b rehearsal: 2 c.",
  ]);
});
