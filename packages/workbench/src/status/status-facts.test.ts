import { expect, test } from "vitest";
import { describePayer } from "./status-facts.ts";

test("the payer of a login is the host's own, whichever host it is", () => {
  expect(["session", "oauth_token", "api_key", "vertex"].map(describePayer)).toEqual([
    "the host's own login on this machine",
    "a token of Claude Code",
    "an API key",
    "vertex",
  ]);
});
