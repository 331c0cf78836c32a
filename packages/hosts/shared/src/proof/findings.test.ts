import { expect, test } from "vitest";
import { summarizeFindings } from "./findings.ts";

const held = { title: "Only the prompt is sent", ok: true, detail: "2 requests" };
const broken = { title: "No hook runs", ok: false, detail: "one ran" };

test("a proof whose claims all hold lists the claims", () => {
  expect(summarizeFindings([held, { ...held, title: "No hook runs" }])).toEqual({
    ok: true,
    detail: "Only the prompt is sent\nNo hook runs",
  });
});

test("a proof with a claim that does not hold names that claim, what was observed, and a remedy", () => {
  expect(summarizeFindings([held, broken])).toEqual({
    ok: false,
    detail: "Not so: No hook runs. one ran",
    remedy: expect.stringContaining("Do not run agents here on untrusted input"),
  });
});
