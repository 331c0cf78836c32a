import { expect, test } from "vitest";
import { createEventRedaction } from "./event-redaction.ts";
import { redactContent } from "./redact-content.ts";
import { createRedactor } from "./redactor.ts";

const secrets = Array.from({ length: 40 }, (_, index) => `secret-value-${index * 7919}`);
const redactor = createRedactor({ secrets });

/** Texts that begin the same pattern again and again without ever ending it. */
const families: Readonly<Record<string, string>> = {
  "beginnings of tokens": "-eyJ",
  "segments of tokens": "eyJabcdefgh.",
  "short segments of tokens": "eyJ-.",
  "prefixes of keys": "-sk-",
  "equals signs": "=",
  "double quotes": '"',
  "single quotes": "'",
  backslashes: "\\",
  "escaped quotes": '\\"',
  percent: "%",
  "escaped bytes": "%41",
  "broken UTF-8": "%e4",
  entities: "&amp;",
  base64: "QUJDRA+/",
  "nested braces": '{"a":',
  "addresses with ports": "a://b:1/",
  "addresses without a host": "a://b:",
  "addresses with a host": "a://b:c@",
  "fields without a value": '"password":"',
  "fields in single quotes": "'password':'",
  "fields of PHP": 's:8:"password";s:9:"',
  "names without a value": "password=",
  "headers without a value": "authorization: ",
  "headers with a scheme": "bearer ",
  "private keys without an end": "-----BEGIN PRIVATE KEY-----\nABC\n",
  "known beginnings": "secret-valu",
  "wrapped lines": "ABCD\n",
  blanks: " ",
};

/** Measures CPU time in milliseconds, which depends less on the machine's load than elapsed time does. */
function measure(work: () => void): number {
  const before = process.cpuUsage().user;
  work();
  return (process.cpuUsage().user - before) / 1000;
}

test.each(Object.entries(families))("redacting %s takes time in proportion to their number", (_, unit) => {
  // with a line break, because lines are also joined, and with letters around the units
  const textOf = (size: number) => `\na${unit.repeat(Math.ceil(size / unit.length))}x`;
  const [small, large] = [textOf(25_000), textOf(200_000)];
  redactor.text(small);
  const first = Math.max(
    20,
    measure(() => redactor.text(small)),
  );
  expect(measure(() => redactor.text(large))).toBeLessThan(8 * first * 4);
});

test.each(Object.entries(families))("redacting a stream of %s takes time in proportion to their number", (_, unit) => {
  const stream = (size: number) => {
    const redact = createEventRedaction(redactor);
    const text = unit.repeat(Math.ceil(20 / unit.length));
    for (let at = 0; at < size; at += text.length) redact("run", { type: "text.delta", text });
  };
  stream(2500);
  const first = Math.max(
    50,
    measure(() => stream(5000)),
  );
  expect(measure(() => stream(40_000))).toBeLessThan(8 * first * 4);
});

test("a megabyte of what only begins like a token is redacted in seconds, and a token in it is found", () => {
  const token = `ghp_${"aB3dE5gH7j".repeat(3)}`;
  const text = `${"-eyJ".repeat(250_000)} ${token}`;
  const cpuTime = measure(() => {
    expect(redactContent(text, redactor).endsWith(" [secret: 34 characters]")).toBe(true);
  });
  expect(cpuTime).toBeLessThan(15_000);
});

test.each([
  ["parts of tokens", "eyJ", "-eyJ"],
  ["parts of keys", "SG.", "abcd"],
  ["characters of a password", "password=", "ab12"],
  ["characters of a header", "authorization: bearer ", "ab12"],
  ["lines of a private key", "-----BEGIN PRIVATE KEY-----\n", "QUJD"],
])("a run of eight megabytes of %s is redacted, and so is what follows", (_, begin, unit) => {
  const token = `ghp_${"aB3dE5gH7j".repeat(3)}`;
  const text = `${begin}${unit.repeat(2_000_000)} "${token}"`;
  expect(redactor.text(text).endsWith('"[secret: 34 characters]"')).toBe(true);
});
