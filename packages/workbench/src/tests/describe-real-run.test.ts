import { expect, test } from "vitest";
import { describeRealRun } from "./describe-real-run.ts";

test("a real run says whose account it uses and what it may cost", () => {
  expect(describeRealRun({ usd: 0.5, auth: "session" })).toBe(
    "Real: each trial asks the model, paid by the host's own login on this machine. About $0.5000 (estimate), as much for each trial as in the last real run.",
  );
  expect(describeRealRun({ usd: undefined, auth: null })).toMatch(/asks the model\. What it costs is not known/);
});
