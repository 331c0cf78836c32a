import { basename, join, win32 } from "node:path";
import { ConfigError } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeNamespace } from "./encode-namespace.ts";

/** Any text, including broken surrogates and awkward names. */
const awkward = [
  "..",
  ".",
  "a:b",
  "a_b",
  "a/b",
  "a\\b",
  "con",
  "CON",
  "nul.txt",
  "-rf",
  "é",
  "e\u0301",
  "ſ",
  "ß",
  "\0",
];
const unit = fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code));
const text = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 }),
  fc.string({ unit: "binary", minLength: 1 }),
  fc.array(unit, { minLength: 1 }).map((units) => units.join("")),
  fc.stringMatching(/^[aAbB_.:h0]{1,6}$/),
);

/** Decodes a namespace; `undefined` for a hash. */
function decode(name: string): string | undefined {
  if (name.startsWith("_h")) return undefined;
  return name.replaceAll(/_([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

test("a folder name is decoded to its one namespace, or is a hash", () => {
  fc.assert(
    fc.property(text, (namespace) => {
      expect([namespace, undefined]).toContain(decode(encodeNamespace(namespace)));
    }),
    { numRuns: 500 },
  );
});

test("two namespaces have different folder names, even if a file system ignores case and Unicode forms", () => {
  const seen = (name: string) => name.toUpperCase().normalize("NFKD");
  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other);
      expect(seen(encodeNamespace(one))).not.toBe(seen(encodeNamespace(other)));
    }),
    { numRuns: 1000 },
  );
});

test("variants of a namespace in case, form and length are other namespaces", () => {
  const long = "ab".repeat(150);
  const near = [
    "A",
    "a",
    "é",
    "e\u0301",
    "É",
    "a:b",
    "a_b",
    "a_003ab",
    "a_",
    "..",
    "...",
    long,
    `${long}a`,
    `${long}b`,
  ];
  const hashed = encodeNamespace(long);
  const names = [...near, hashed, `_h${"0".repeat(64)}`].map(encodeNamespace);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});

test("a folder name is one short path segment of plain characters, and no device name of Windows", () => {
  fc.assert(
    fc.property(text, (namespace) => {
      const name = encodeNamespace(namespace);
      expect(name).toMatch(/^[a-z0-9_][a-z0-9_-]*$/);
      expect(name.length).toBeLessThanOrEqual(80);
      expect(basename(join("/ns", name))).toBe(name);
      expect(win32.basename(win32.join("C:\\ns", name))).toBe(name);
      expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/);
    }),
    { numRuns: 500 },
  );
});

test("a plain namespace has a readable folder name", () => {
  expect(["user-7", "..", "a:b", "a_b", "con", "-x"].map(encodeNamespace)).toEqual([
    "user-7",
    "_002e_002e",
    "a_003ab",
    "a_005fb",
    "_0063on",
    "_002dx",
  ]);
  expect(encodeNamespace("a".repeat(300))).toMatch(/^_h[0-9a-f]{64}$/);
});

test("an empty namespace is refused with a remedy", () => {
  expect(() => encodeNamespace("")).toThrow(ConfigError);
  expect(() => encodeNamespace("")).toThrow("Pass the id of the user, or leave namespace out");
});
