import fc from "fast-check";
import { expect, test } from "vitest";
import { createEventRedaction } from "../redaction/event-redaction.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { createCutResults } from "./cut-results.ts";

/** `npm run soak` sets a larger factor. */
const runs = { numRuns: 100 * Number(process.env.SOAK_FACTOR ?? 1) };

const known = "tulip meadow in the early morning 9931";
const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vX7zA9cF1hJ3lM5"}`;
const wrapped = Buffer.from(known.repeat(2)).toString("base64").replace(/.{20}/g, "$&\n");

/** Returns the logged outputs of a cut result, and of its page with this offset and size. */
function logged(whole: string, start: number, size: number): string[] {
  const redact = createEventRedaction(createRedactor({ secrets: [known] }));
  const { output, excerpts } = createCutResults(() => "id", { maxResultChars: Number.POSITIVE_INFINITY }).fit(
    "c1",
    whole,
    size,
  );
  const page = { whole, start, end: Math.min(whole.length, start + size) };
  const outputs = [
    { output, excerpts },
    { output: `[Characters.]\n${whole.slice(page.start, page.end)}`, excerpts: [page] },
  ];
  return outputs.map((each) => {
    const draft = { type: "tool.finished", callId: "c", ok: true, durationMs: 1, output: each.output } as const;
    const event = redact("run", draft, each.excerpts);
    return event.type === "tool.finished" ? event.output : "";
  });
}

test.each([
  ["a known text", known],
  ["a token", token],
  ["wrapped base64 of a known text", wrapped],
])("%s is redacted in a cut result and in every page of it, wherever it is divided", (_, secret) => {
  const whole = `${"before ".repeat(20)}${secret}${" after".repeat(20)}`;
  const core = secret.replaceAll("\n", "").slice(4, -4);
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 20, max: 250 }), (start, size) => {
      for (const output of logged(whole, start, size)) {
        for (let at = 0; at + 5 <= core.length; at += 5) {
          expect(output.replaceAll("\n", "")).not.toContain(core.slice(at, at + 5));
        }
      }
    }),
    runs,
  );
});

test("a page without a credential is logged as it is", () => {
  const whole = "before and after ".repeat(30);
  expect(logged(whole, 40, 60)[1]).toBe(`[Characters.]\n${whole.slice(40, 100)}`);
});
