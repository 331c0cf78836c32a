import { expect, test } from "vitest";
import { readUntil } from "../support/read-stream.ts";
import { serveDesk } from "../support/serve-desk.ts";
import { startTailscaleProxy, tailnetName } from "../support/tailscale-proxy.ts";

test("behind the headers of tailscale serve, a user of the tailnet needs the token, and is on record with the device", async () => {
  const desk = await serveDesk({ isBehindProxy: true, allowedHosts: [tailnetName] });
  const proxy = await startTailscaleProxy(desk.url);
  const statusOf = async (headers: Record<string, string>) =>
    (await fetch(`${proxy}/api/v1/status`, { headers })).status;
  const authorization = `Bearer ${desk.token}`;
  expect(await statusOf({})).toBe(401); // Tailscale's user name is not a token
  expect(await statusOf({ authorization })).toBe(200);
  expect(await statusOf({ authorization, origin: `https://${tailnetName}` })).toBe(200);
  expect(await statusOf({ authorization, origin: "https://evil.example" })).toBe(403);

  const send = (path: string, init: RequestInit) =>
    fetch(`${proxy}/api/v1${path}`, {
      ...init,
      headers: { authorization, ...Object.fromEntries(new Headers(init.headers)) },
    });
  const post = (path: string, body: unknown) =>
    send(path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  await post("/sessions/one/runs", { prompt: "Where is my order?" });
  const open = () => send("/sessions/one/events", { headers: { accept: "text/event-stream" } });
  const asked = (await readUntil(await open(), ({ event }) => event === "approval.requested")).at(-1);
  const { approvalId, inputHash } = JSON.parse(asked?.data ?? "");
  expect((await post(`/approvals/${approvalId}/answer`, { inputHash, decision: "allow" })).status).toBe(200);
  const seen = await readUntil(await open(), ({ event }) => event === "run.finished");
  expect(seen.find(({ event }) => event === "approval.decided")?.data).toContain("100.64.0.7");
});
