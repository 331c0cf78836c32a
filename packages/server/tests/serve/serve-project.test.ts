import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { UsageError } from "@bridle/app";
import { readServerStatus } from "@bridle/app/serving";
import { ConfigError } from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { newUserToken } from "../../src/http/tokens/access-token.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { serveDesk } from "../support/serve-desk.ts";

const portOf = (url: string) => Number(new URL(url).port);

test("S1: without --host both loopback addresses are served, and no other", async () => {
  const { url, token } = await serveDesk();
  const port = portOf(url);
  const head = (host: string) =>
    lines("GET /api/v1/status HTTP/1.1", `Host: ${host}:${port}`, `Authorization: Bearer ${token}`);
  expect((await sendRaw({ host: "127.0.0.1", port }, head("127.0.0.1"))).status).toBe(200);
  expect((await sendRaw({ host: "::1", port }, head("[::1]"))).status).toBe(200);
  await expect(sendRaw({ host: "127.0.0.2", port }, head("127.0.0.2"))).rejects.toThrow("ECONNREFUSED");
});

describe("S1: another address", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1", "localhost.evil.example"])(
    "%s is refused without TLS and proxy",
    async (host) => {
      const refused = serveDesk({ host });
      await expect(refused).rejects.toThrow(UsageError);
      await expect(refused).rejects.toThrow(/--tls-cert.*--behind-proxy/);
    },
  );

  test("is served behind a proxy, under its names only", async () => {
    const options = { host: "0.0.0.0", isBehindProxy: true, allowedHosts: ["desk.example"] };
    const { url, publicUrl, token, send } = await serveDesk(options);
    const status = async (host: string) => {
      const head = lines("GET /api/v1/status HTTP/1.1", `Host: ${host}`, `Authorization: Bearer ${token}`);
      return (await sendRaw(portOf(url), head)).status;
    };
    expect([await status("desk.example"), await status(`0.0.0.0:${portOf(url)}`)]).toEqual([200, 421]);
    expect(publicUrl).toBe("https://desk.example");
    expect((await send("/api/v1/status")).status).toBe(200); // at the printed address
  });
});

test("S2: the token is new for each start, has 256 bits, and is in no file of the project", async () => {
  const first = await serveDesk();
  const second = await serveDesk({}, "", first.cwd);
  expect(first.token).toMatch(/^bridle_[\w-]{43}$/);
  expect(second.token).not.toBe(first.token);
  for (const name of ["server.json", "state.db", "server.db"]) {
    const path = join(first.cwd, ".bridle", name);
    if (existsSync(path)) expect(readFileSync(path, "latin1")).not.toContain(second.token.slice(7));
  }
});

describe("S2: --token-file", () => {
  test("creates a private file at the first start, and keeps its token", async () => {
    const first = await serveDesk({ tokenFile: "token" });
    expect(statSync(join(first.cwd, "token")).mode & 0o777).toBe(0o600);
    await first.end();
    expect((await serveDesk({ tokenFile: "token" }, "", first.cwd)).token).toBe(first.token);
  });

  test.each([
    ["that others may read", "x".repeat(40), 0o644, "may read the token"],
    ["with a short token", "hunter2", 0o600, "at least 32 characters"],
    ["with spaces in the token", `${"x".repeat(20)} ${"y".repeat(20)}`, 0o600, "without spaces"],
    ["without a token", "", 0o600, "at least 32 characters"],
  ])("%s is refused, and the error does not quote it", async (_what, text, mode, reason) => {
    const cwd = await createFolder(deskFiles);
    writeFileSync(join(cwd, "token"), text);
    chmodSync(join(cwd, "token"), mode);
    const refused = serveDesk({ tokenFile: "token" }, "", cwd);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.not.toThrow(/hunter2|xxxx/);
  });
});

describe("S17: other users of the machine", () => {
  test("a socket is private, its folder too, and there is no port", async () => {
    const { url, cwd, token, end } = await serveDesk({ socket: ".bridle/server.sock", port: undefined });
    const path = join(cwd, ".bridle/server.sock");
    expect(url).toBe(`unix:${path}`);
    expect([statSync(path).mode & 0o777, statSync(join(cwd, ".bridle")).mode & 0o777]).toEqual([0o600, 0o700]);
    const head = lines("GET /api/v1/status HTTP/1.1", "Host: localhost", `Authorization: Bearer ${token}`);
    expect((await sendRaw({ path }, head)).status).toBe(200);
    expect((await sendRaw({ path }, head.replace("localhost", "evil.example"))).status).toBe(421);
    const second = serveDesk({ socket: path, port: undefined }, "", cwd);
    await expect(second).rejects.toThrow("Another server listens");
    await end();
    expect(existsSync(path)).toBe(false);
    await leaveSocket(path);
    await serveDesk({ socket: path, port: undefined }, "", cwd);
  });

  test("a file that is no socket is never taken for one, and stays", async () => {
    const cwd = await createFolder(deskFiles);
    await expect(serveDesk({ socket: join(cwd, "agent.yaml"), port: undefined }, "", cwd)).rejects.toThrow(ConfigError);
    expect(existsSync(join(cwd, "agent.yaml"))).toBe(true);
  });

  test("a socket in a folder that others can open is refused", async () => {
    const cwd = await createFolder(deskFiles);
    mkdirSync(join(cwd, "open"), { mode: 0o755 });
    await expect(serveDesk({ socket: "open/s.sock", port: undefined }, "", cwd)).rejects.toThrow("chmod 700");
  });

  test("a port that is taken is an error, and no other port is taken instead", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void squatter.close());
    await new Promise((resolve) => squatter.once("listening", resolve));
    const address = squatter.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const refused = serveDesk({ port });
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow("another program uses it");
  });

  test("server.json says where the server is, without the token, to this user only, until the server ends", async () => {
    const { cwd, context, url, token, end } = await serveDesk();
    const path = join(cwd, ".bridle/server.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).not.toContain(token);
    expect(await readServerStatus(context)).toMatchObject({ isRunning: true, server: { pid: process.pid, url } });
    await end();
    expect(await readServerStatus(context)).toEqual({ isRunning: false, server: null });
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 1, url, started: new Date().toISOString() }));
    expect(await readServerStatus(context)).toEqual({ isRunning: false, server: null });
  });
});

test("users of serve.users have their role, and only sessions of their namespace, also if ids are equal", async () => {
  const [ada, bob] = [newUserToken(), newUserToken()];
  const user = (name: string, hash: string, more: string) => `    ${name}: { tokenHash: "${hash}", ${more} }\n`;
  const users =
    user("ada", ada.tokenHash, "role: operator, namespace: ada") + user("bob", bob.tokenHash, "namespace: bob");
  const { send } = await serveDesk({}, `serve:\n  users:\n${users}`);
  const start = (token: string | undefined) =>
    send("/api/v1/sessions/same/runs", { method: "POST", json: { prompt: "Hi" }, ...(token && { token }) });
  expect((await start(undefined)).status).toBe(202);
  expect((await send("/api/v1/sessions/same", { token: ada.token })).status).toBe(404);
  expect((await start(ada.token)).status).toBe(202);
  expect((await start(bob.token)).status).toBe(403);
  expect((await send("/api/v1/sessions/same", { token: bob.token })).status).toBe(404);
  expect((await send("/api/v1/sessions/same", { token: ada.token })).status).toBe(200);
});

test("S18: below a base path, the addresses that the server sends have it, too", async () => {
  const { url, token } = await serveDesk({ basePath: "/desk" });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const created = await fetch(`${url}/api/v1/sessions`, { method: "POST", headers, body: "{}" });
  const location = created.headers.get("location") ?? "";
  expect(location).toMatch(/^\/desk\/api\/v1\/sessions\/./);
  expect((await fetch(new URL(location, url), { headers })).status).toBe(200);
  const described = await (await fetch(`${url}/api/v1/openapi.json`, { headers })).json();
  expect(described).toMatchObject({ servers: [{ url: "/desk/api/v1" }] });
});

test.each([
  ["no hash", 'a: { tokenHash: "secret" }'],
  ["a plain token", "a: { token: bridle_x }"],
  ["the name of the one who starts the server", `owner: { tokenHash: "sha256:${"0".repeat(64)}" }`],
  ["an unknown role", `a: { tokenHash: "sha256:${"0".repeat(64)}", role: admin }`],
])("serve.users with %s is refused", async (_what, user) => {
  await expect(serveDesk({}, `serve: { users: { ${user} } }\n`)).rejects.toThrow(ConfigError);
});

test("a server that ends says goodbye to its streams, and waits for runs no longer than it may", async () => {
  const { send, end } = await serveDesk({ graceMs: 300 });
  const begun = await send("/api/v1/sessions/s/runs", { method: "POST", json: { prompt: "Where is my order?" } });
  expect(begun.status).toBe(202);
  const stream = await send("/api/v1/sessions/s/events", { headers: { accept: "text/event-stream" } });
  await expect.poll(async () => (await (await send("/api/v1/approvals")).text()).includes("lookup")).toBe(true);
  const before = performance.now();
  await end();
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(await stream.text()).toMatch(/event: bye\n/);
});

/** Creates the leftover socket of a killed server. */
async function leaveSocket(path: string): Promise<void> {
  const killed = createServer().listen(`${path}.first`);
  await once(killed, "listening");
  renameSync(`${path}.first`, path);
  killed.close();
}
