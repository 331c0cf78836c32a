// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { escapeHidden } from "../trust/describe-states.ts";
import { asWritten, isOutside, isUnencrypted, shownAddress, variableEffects } from "./effect-values.ts";

const top = mkdtempSync(join(tmpdir(), "bridle-effects-"));
afterAll(() => rmSync(top, { recursive: true }));
const folder = join(top, "clone");
mkdirSync(join(folder, "docs"), { recursive: true });
writeFileSync(join(top, "private.md"), "");
symlinkSync(top, join(folder, "link"));
symlinkSync(join(folder, "docs"), join(folder, "inner"));

test.each([
  "..",
  "../private.md",
  "docs/../../private.md",
  "../*.md",
  "../**/*.md",
  "docs/*/../../../x.md",
  "/etc/passwd",
  "/etc/*.conf",
  "link/private.md",
  "link/*.md",
  "link",
  "${HOME}/.ssh",
  "docs/${NAME}",
  `${top}/private.md`,
])("%s leads out of the folder", (name) => {
  expect(isOutside(folder, name)).toBe(true);
});

test.each([
  ".",
  "docs",
  "docs/a.md",
  "docs/../docs/a.md",
  "*.md",
  "**/*.md",
  "docs/**",
  "inner/a.md",
  "..a.md",
  "missing/x",
  "{docs,inner}/*.md",
  "docs/(a).md",
])("%s stays in the folder", (name) => {
  expect(isOutside(folder, name)).toBe(false);
});

test.each([
  "http://a.example",
  "HTTP://10.0.0.5:11434/v1",
  "http://localhost.evil.example",
  "http://127.0.0.1@evil.example/x",
  "http://[2001:db8::1]/",
  " http://a.example",
  "http:/a.example",
  "http:a.example",
  "http:\\\\a.example",
  "ht\ntp://a.example",
  "http:/\\a.example",
  "\u0000http://a.example",
  "http:\t//a.example/v1 ",
  "HTTP:user:pass@a.example",
  "http://0x0a000001/",
])("%s is unencrypted", (address) => {
  expect(isUnencrypted(address)).toBe(true);
  expect(shownAddress(address)).toContain("without encryption");
});

test.each([
  "https://a.example",
  "http://localhost:11434",
  "http://127.0.0.1/v1",
  "http://[::1]:80",
  "http://u:p@localhost/",
  " https://a.example",
  "http:localhost:11434",
  "http:\\\\127.0.0.1",
  "http://2130706433/",
  "http://desk.localhost/",
  "postgres://a.example",
  "no address",
  "http://",
])("%s is encrypted, or stays on this machine", (address) => expect(isUnencrypted(address)).toBe(false));

test.each([
  ["https://key:secret@a.example/v1", "https://[credentials]@a.example/v1"],
  ["https://api.anthropic.com@evil.example", "https://[credentials]@evil.example"],
  ["postgres://user:pass@db.example/app", "postgres://[credentials]@db.example/app"],
  ["https://a.example/x@y", "https://a.example/x@y"],
  [" https://key:secret@a.example/v1", " https://[credentials]@a.example/v1"],
  ["https:\\\\key:secret@a.example", "https:\\\\[credentials]@a.example"],
  ["ht\ntps://key:secret@a.example", "ht\ntps://[credentials]@a.example"],
])("%s is shown as %s", (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});

test("variables are listed by name with the setting that takes them, and values are not used", () => {
  const written = { "tools.0.env.K": "${A}-${B:-x}-${A}", "instructions.inline": "no variable $A {B}" };
  expect(variableEffects(written)).toMatchObject([{ subject: "the variables A, B", field: "tools.0.env.K" }]);
  expect(asWritten({ tools: [{ env: { K: "1-2-1", L: "y" } }] }, written)).toEqual({
    tools: [{ env: { K: "${A}-${B:-x}-${A}", L: "y" } }],
  });
});

test("characters that a screen hides or interprets are shown as escapes, and all others as they are", () => {
  const hidden = [
    0, 7, 8, 10, 13, 27, 0x7f, 0x9b, 0xa0, 0xad, 0x200b, 0x200d, 0x202e, 0x2028, 0x2066, 0xfe0f, 0x3164, 0xe0041,
    0x2800,
  ];
  for (const code of hidden) {
    expect(escapeHidden(`a${String.fromCodePoint(code)}b`)).toBe(`a\\u{${code.toString(16)}}b`);
  }
  expect(escapeHidden("é漢字 x😀 -_\"'")).toBe("é漢字 x😀 -_\"'");
});
