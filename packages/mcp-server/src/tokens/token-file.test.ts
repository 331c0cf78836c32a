import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { findCaller } from "./token.ts";
import { readTokenFile } from "./token-file.ts";

const secret = "s".repeat(40);

function createPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "bridle-tokens-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, ".bridle/mcp-tokens.json");
}

function writeTokens(content: unknown, mode = 0o600): string {
  const path = createPath().replace("/.bridle", "");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode });
  chmodSync(path, mode);
  return path;
}

test("the first start creates a file with one random token that only reads, and later ones keep it", () => {
  const path = createPath();
  const first = readTokenFile(path);
  expect(first).toMatchObject({ isNew: true, tokens: [{ name: "default", writes: false }] });
  expect(first.tokens[0]?.token).toMatch(/^bridle_[\w-]{43}$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readTokenFile(path)).toEqual({ ...first, isNew: false });
  expect(readTokenFile(createPath()).tokens[0]?.token).not.toBe(first.tokens[0]?.token);
});

test.each([0o640, 0o604, 0o644, 0o660])("a file of tokens with the mode %o is refused with the remedy", (mode) => {
  const path = writeTokens({ tokens: [{ name: "a", token: secret }] }, mode);
  expect(() => readTokenFile(path)).toThrow(/Other users .* chmod 600/);
});

test.each([
  ["no JSON", `{"tokens": [{"name": "a", "token": "${secret}"`, "not JSON"],
  ["no tokens", { tokens: [] }, "has to have a token"],
  ["a short token", { tokens: [{ name: "a", token: "hunter2" }] }, "at least 32 characters"],
  ["an unknown key", { tokens: [{ name: "a", token: secret, admin: true }] }, "admin"],
  ["a name with a line break", { tokens: [{ name: "a\nb", token: secret }] }, "letters, digits"],
  [
    "two tokens of one name",
    {
      tokens: [
        { name: "a", token: secret },
        { name: "a", token: `${secret}2` },
      ],
    },
    "the same name",
  ],
  [
    "one token twice",
    {
      tokens: [
        { name: "a", token: secret },
        { name: "b", token: secret },
      ],
    },
    "the same token",
  ],
])("a file of tokens with %s is a ConfigError that does not quote a token", (_title, content, reason) => {
  const path = writeTokens(content);
  const read = () => readTokenFile(path);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(reason);
  expect(read).not.toThrow(/sss|hunter2/);
});

test("a link in the place of the file of tokens is refused", () => {
  const path = writeTokens({ tokens: [{ name: "a", token: secret }] });
  const link = `${path}.link`;
  symlinkSync(path, link);
  expect(() => readTokenFile(link)).toThrow("not a file");
  expect(readFileSync(path, "utf8")).toContain(secret);
});

test("a caller is found by the whole token, in any case of the scheme, with the scope of the token", () => {
  const tokens = [
    { name: "a", token: secret, writes: false },
    { name: "b", token: `${secret}x`, writes: true, scope: { warehouse: ["sales"] } },
  ];
  expect(findCaller(`Bearer ${secret}`, tokens)).toEqual({ name: "a", transport: "http", writes: false });
  expect(findCaller(`bearer  ${secret}x `, tokens)).toEqual({
    name: "b",
    transport: "http",
    writes: true,
    scope: { warehouse: ["sales"] },
  });
  for (const wrong of [undefined, "", "Bearer", "Bearer ", `Bearer ${secret.slice(1)}`, `Bearer ${secret} x`, secret]) {
    expect(findCaller(wrong, tokens), String(wrong)).toBeUndefined();
  }
});

test("no token is found in an empty list", () => {
  expect(findCaller(`Bearer ${secret}`, [])).toBeUndefined();
});
