import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { afterEach, expect, test, vi } from "vitest";
import { proveOnSession } from "./boundary-stage.ts";

/** What a test takes away from the options on their way to the SDK. */
const tampering = vi.hoisted(() => ({ change: undefined as ((options: Options) => Options) | undefined }));

vi.mock("@anthropic-ai/claude-agent-sdk", async (importOriginal) => {
  const sdk = await importOriginal<typeof import("@anthropic-ai/claude-agent-sdk")>();
  const query: typeof sdk.query = ({ prompt, options = {} }) =>
    sdk.query({ prompt, options: tampering.change?.(options) ?? options });
  return { ...sdk, query };
});

afterEach(() => {
  tampering.change = undefined;
});

test("on a login, among traps in the home, the project and the environment, the boundary holds", async () => {
  const { findings, hosts, paths } = await proveOnSession();
  for (const { title, ok, detail } of findings) expect.soft(detail, title).toBe("");
  expect(findings.every(({ ok }) => ok)).toBe(true);
  expect(hosts).toEqual(["api.anthropic.com"]);
  expect(paths).toEqual(["/api/oauth/profile", "/v1/messages"]);
});
