import { expect, test } from "vitest";
import { startTlsProxy, writeFakeLogin } from "../src/tls.ts";
import { configOf, prepare, runClaudeCode, type Turns } from "./claude-code.ts";

/** Runs Claude Code like a user: with a login, and without a variable that sets its address. */
async function run(turns: Turns) {
  const { rehearsal, folder } = await prepare(turns);
  const tlsProxy = await startTlsProxy({ rehearsal, folder });
  await writeFakeLogin(configOf(folder));
  const messages = await runClaudeCode({ folder, environment: tlsProxy.environment }).finally(() => tlsProxy.close());
  return { rehearsal, tlsProxy, messages, result: messages.find(({ type }) => type === "result") };
}

test("Claude Code with a login connects only to the rehearsal", async () => {
  const { rehearsal, tlsProxy, result } = await run([{ steps: [{ say: "Hello from the script" }] }]);
  expect(result).toMatchObject({ subtype: "success", result: "Hello from the script" });
  expect(new Set(tlsProxy.hosts)).toEqual(new Set(["api.anthropic.com"]));

  const request = rehearsal.requests.find(({ path }) => path === "/v1/messages");
  expect(request?.headers.authorization).toBe("Bearer sk-ant-oat01-rehearsal-access");
  expect(request?.headers["anthropic-beta"]).toContain("oauth-2025-04-20");
  expect(request?.headers).not.toHaveProperty("x-api-key");
  expect(rehearsal.requests.map(({ path }) => path)).toEqual(["/api/oauth/profile", "/v1/messages"]);
  expect(rehearsal.failures).toEqual([]);
});

test("a used-up window reaches the application with its reset time", async () => {
  const now = Date.now() / 1000;
  const { rehearsal, messages, result } = await run([{ steps: [{ limit: { resets_in_seconds: 3600 } }] }]);
  const event = messages.find(({ type }) => type === "rate_limit_event");
  expect(event).toMatchObject({ rate_limit_info: { status: "rejected", rateLimitType: "five_hour" } });
  const resetsAt = event?.type === "rate_limit_event" ? event.rate_limit_info.resetsAt : undefined;
  expect(Math.abs((resetsAt ?? 0) - now - 3600)).toBeLessThan(30);
  expect(result).toMatchObject({ is_error: true, api_error_status: 429 });
  expect(rehearsal.requests.filter(({ path }) => path === "/v1/messages")).toHaveLength(1);
});

test("a window that is nearly used up is a warning beside the answer", async () => {
  const limit = { status: "allowed_warning" as const, resets_in_seconds: 3600, utilization: 0.92 };
  const { messages, result } = await run([{ steps: [{ say: "Hello", limit }] }]);
  expect(messages.find(({ type }) => type === "rate_limit_event")).toMatchObject({
    rate_limit_info: { status: "allowed_warning", utilization: 0.92 },
  });
  expect(result).toMatchObject({ subtype: "success", result: "Hello" });
});
