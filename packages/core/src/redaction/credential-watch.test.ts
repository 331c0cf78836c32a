import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventRedaction } from "./event-redaction.ts";
import { createRedactor, type Redactor } from "./redactor.ts";

const secrets = ["tulip-meadow 9931", "ärger/日本?&x", "a b c d e f"];
const redactor = createRedactor({ secrets });
/** A redactor without `watch`, so that every piece is searched. */
const { watch: _, ...everywhere } = redactor;

/** Whole and partial credentials and escapes, and ordinary text. */
const words = [
  "tulip-meadow 9931",
  "tulip",
  "-mea",
  "dow ",
  "99",
  "31",
  "ärger/日本?&x",
  "a b c d",
  "dHVsaXAtbWVhZG93IDk5MzE=",
  "74756c69702d6d6561646f7720393933",
  "eyJ",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
  "sk-",
  "-sk-",
  "ghp_",
  "abcdefghij0123456789",
  "AKIA",
  "ABCDEFGH12345678",
  "-----BEGIN ",
  "RSA PRIVATE KEY-----",
  "\nABCD",
  '"password',
  '"',
  '": ',
  ":",
  "'",
  's:8:"',
  '";s:',
  "password=",
  "api_key: ",
  "authorization",
  "bearer ",
  "Basic ",
  "https://",
  "me",
  "@host",
  "hunter2hunter2",
  "secret",
  "_token",
  "=",
  "$",
  "{",
  "\\",
  "\\\\",
  "\\n",
  "\\u00",
  "e4",
  "%",
  "%2",
  "5",
  "%c3",
  "%a4",
  "\\x",
  "\\303",
  "\\244",
  "&",
  "&amp",
  ";",
  "&#x",
  "61;",
  "&#",
  "97;",
  "\n",
  "  \r\n ",
  " ",
  "\t",
  "Hello, ",
  "日本語",
  "{}",
  "0",
  "g",
  "\\u{1f600}",
  "%u00e4",
];
const pieces = fc.array(
  fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((parts) => parts.join("")),
  {
    maxLength: 25,
  },
);

function redactStream(pieces: readonly string[], given: Redactor): string[] {
  const redact = createEventRedaction(given);
  return pieces.map((text) => {
    const draft = redact("run", { type: "text.delta", text });
    return draft.type === "text.delta" ? draft.text : "";
  });
}

const numRuns = 400 * Number(process.env.SOAK_FACTOR ?? 1);

test("a stream that is searched only where a credential may begin shows the same as one that is searched everywhere", () => {
  fc.assert(
    fc.property(pieces, (texts) => {
      fc.pre(texts.join("").length <= 500); // so that both have the same context
      expect(redactStream(texts, redactor)).toEqual(redactStream(texts, everywhere));
    }),
    { numRuns, examples: [[["-sk-%&#", "97;"]]] },
  );
});

test("a credential is held back while an escape in it begins with the character that another escape stands for", () => {
  const parts = ["key sk-%&#", "54;1", "bcdefghij0123456789", " end"];
  const shown = redactStream(parts, redactor);
  expect(shown.slice(0, 3).join("")).toBe("key ");
  expect(shown.join("")).toMatch(/^key \[secret: \d+ characters.*\] end$/);
});

test("the same holds for the whole text, wherever it is cut", () => {
  const end = " \"' \n ".repeat(10);
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(), { maxLength: 40 }), (texts, cuts) => {
      const text = texts.join("") + end;
      fc.pre(text.length <= 500);
      const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length];
      const cut = places.slice(1).map((to, index) => text.slice(places[index], to));
      const watched = redactStream(cut, redactor).join("");
      expect(watched).toEqual(redactStream(cut, everywhere).join(""));
    }),
    { numRuns },
  );
});

test.each([
  ["prose", "The quick brown fox jumps over the lazy dog. "],
  ["Chinese", "快速的棕色狐狸跳过了懒狗，然后休息了一会儿。"],
  ["compact JSON", '{"id":12,"name":"fox","tags":["a","b"],"at":1700000000},'],
  ["base64", "QUJDRA+/x8fJkLmZ0Aa1Bb2Cc3Dd4Ee5"],
  ["escaped JSON", '{\\"id\\":12,\\"note\\":\\"a\\\\nb\\"},'],
])("in %s, few pieces of a stream are searched", (_name, unit) => {
  let searches = 0;
  const counting: Redactor = {
    ...redactor,
    search: (text) => {
      searches += 1;
      return redactor.search?.(text) ?? { findings: [], isOpen: false, open: text.length };
    },
  };
  const text = unit.repeat(Math.ceil(20_000 / unit.length));
  const parts = text.match(/.{1,4}/gsu) ?? [];
  expect(redactStream(parts, counting).join("")).toBe(text);
  expect(searches).toBeLessThan(parts.length / 100);
});

test("a credential is found after a long text in which nothing was searched", () => {
  const parts = [..."快速的棕色狐狸跳过了懒狗".repeat(1000), ..."tulip-meadow 9931", " and ", "more"];
  const shown = redactStream(parts, redactor).join("");
  expect(shown.endsWith("狗tul[secret: 17 characters with spaces or symbols] and more")).toBe(true);
});
