import { describe, expect, test } from "vitest";
import { isStoredUnchanged, redactContent } from "./redact-content.ts";
import { createRedactor } from "./redactor.ts";

test("JSON content is redacted by its fields and stays JSON; other content is redacted as text", () => {
  expect(redactContent('{"password":"a","n":[1]}', createRedactor())).toBe(
    '{"password":"[secret: 1 character]","n":[1]}',
  );
  expect(redactContent(`[a] npm_${"a1B2".repeat(9)}`, createRedactor())).toBe("[a] [secret: 40 characters]");
});

describe("content in pieces", () => {
  const mark = JSON.stringify("\0logged\0");
  const { text, value } = createRedactor({ secrets: ["tulip-9931"] });

  test("counts as unchanged only if it is stored as it is, whatever its other pieces contain", () => {
    const logged = '"tulip-9931"';
    const contents: [content: (string | { logged: string })[], isUnchanged: boolean][] = [
      [["[", { logged }, ',"other"]'], true],
      [["[", { logged }, ',"tulip-9931"]'], false],
      [["[", { logged }, `,${mark}]`], false],
      [["[", { logged: '"lily"' }, `,${mark}]`], true],
    ];
    for (const [content, isUnchanged] of contents) {
      const stored = redactContent(content, { text, value });
      const whole = content.map((piece) => (typeof piece === "string" ? piece : piece.logged)).join("");
      expect(stored === whole).toBe(isUnchanged);
      expect(isStoredUnchanged(content)).toBe(isUnchanged);
    }
  });

  test("does not count as unchanged if it cannot be redacted", () => {
    const content = ["[1]"];
    const fails = () => {
      throw new Error("no redaction");
    };
    expect(() => redactContent(content, { text: fails, value: fails })).toThrow("no redaction");
    expect(isStoredUnchanged(content)).toBe(false);
  });
});
