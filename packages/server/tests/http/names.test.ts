import { expect, test } from "vitest";
import { createToken } from "../../src/http/tokens/access-token.ts";
import { RecordingRoutes } from "../support/recording-routes.ts";
import { lines, sendRaw } from "../support/send-raw.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../support/start-test-server.ts";

const { routes } = new RecordingRoutes();

async function statuses(options: TestServerOptions, requests: readonly (readonly string[])[], path = "/api/v1/things") {
  const server = await startTestServer({ routes, ...options });
  return Promise.all(requests.map(async (headers) => (await send(server, headers, path)).status));
}

function send({ port, token }: TestServer, headers: readonly string[], path = "/api/v1/things", method = "GET") {
  const all = [...headers, `Authorization: Bearer ${token}`].map((each) => each.replaceAll("PORT", `${port}`));
  return sendRaw(port, lines(`${method} ${path} HTTP/1.1`, ...all));
}

test("S4: a name of --allow-host is accepted exactly as it was given", async () => {
  const options = { allowedHosts: ["desk.example", "desk.example:8443"] };
  const hosts = ["desk.example", "DESK.example", "desk.example:8443", "localhost:PORT"];
  expect(
    await statuses(
      options,
      hosts.map((host) => [`Host: ${host}`]),
    ),
  ).toEqual([200, 200, 200, 200]);
  const others = ["desk.example:PORT", "www.desk.example", "desk.example.evil.example", "desk.example:443"];
  expect(
    await statuses(
      options,
      others.map((host) => [`Host: ${host}`]),
    ),
  ).toEqual([421, 421, 421, 421]);
});

test("S5: an origin of --allow-origin is accepted exactly, from another site, with CORS headers without credentials", async () => {
  const server = await startTestServer({ routes, allowedOrigins: ["https://app.example"] });
  const cross = ["Host: localhost:PORT", "Sec-Fetch-Site: cross-site"];
  const allowed = await send(server, [...cross, "Origin: https://app.example"]);
  expect(allowed.status).toBe(200);
  expect(allowed.head).toMatch(/access-control-allow-origin: https:\/\/app\.example\r\n/i);
  expect(allowed.head).toMatch(/vary: Origin/i);
  expect(allowed.head).not.toMatch(/allow-credentials|allow-origin: \*/i);
  for (const origin of ["http://app.example", "https://app.example:444", "https://app.example.evil.example", "null"]) {
    const refused = await send(server, [...cross, `Origin: ${origin}`]);
    expect([refused.status, /access-control/i.test(refused.head)]).toEqual([403, false]);
  }
  const asked = ["Host: localhost:PORT", "Origin: https://app.example", "Access-Control-Request-Method: POST"];
  const preflight = await send(server, asked, "/api/v1/things", "OPTIONS");
  expect(preflight.status).toBe(204);
  expect(preflight.head).toMatch(/access-control-allow-headers: .*authorization.*idempotency-key/i);
});

test("S18: a proxy of this machine says the name, the scheme and the client's address", async () => {
  const options = { allowedHosts: ["desk.example"], isBehindProxy: true };
  const seen = ["Host: 127.0.0.1:PORT", "X-Forwarded-Host: desk.example", "X-Forwarded-Proto: https"];
  expect(
    await statuses(options, [
      [...seen, "Origin: https://desk.example"],
      [...seen, "Origin: http://desk.example"],
      [...seen, "Origin: https://127.0.0.1:PORT"],
      ["Host: desk.example", "X-Forwarded-Proto: https", "Origin: https://desk.example"],
      ["Host: 127.0.0.1:PORT", "X-Forwarded-Host: evil.example"],
      ["Host: 127.0.0.1:PORT", "X-Forwarded-Host: desk.example, evil.example"],
    ]),
  ).toEqual([200, 403, 403, 200, 421, 421]);
});

test("S18: behind a proxy each client has its own count of wrong tokens, and none can choose its address", async () => {
  const server = await startTestServer({ routes, isBehindProxy: true, limits: { wrongTokens: 1 } });
  const wrong = async (forwarded: string) =>
    (await send({ ...server, token: createToken() }, ["Host: 127.0.0.1:PORT", `X-Forwarded-For: ${forwarded}`])).status;
  expect([await wrong("10.0.0.1"), await wrong("10.0.0.1"), await wrong("10.0.0.2")]).toEqual([401, 429, 401]);
  expect(await wrong("10.9.9.9, 10.0.0.1")).toBe(429);
});

test("S18: every path is below --base-path, also that of problems", async () => {
  const server = await startTestServer({ routes, basePath: "/agents" });
  expect(server.url).toMatch(/\/agents$/);
  expect((await server.fetch("/api/v1/things")).status).toBe(200);
  expect(await (await server.fetch("/api/v1/nothing")).json()).toMatchObject({ instance: "/agents/api/v1/nothing" });
  for (const path of ["/api/v1/things", "/agentsapi/v1/things", "/agents", "/Agents/api/v1/things"]) {
    expect((await send(server, ["Host: localhost:PORT"], path)).status).toBe(404);
  }
});

test("S9: the page is served without a token from a fixed map, with headers that forbid everything else", async () => {
  const file = (text: string, contentType: string, isImmutable: boolean) => ({
    body: new TextEncoder().encode(text),
    contentType,
    isImmutable,
    encoded: {},
  });
  const page = {
    index: file("<!doctype html>", "text/html; charset=utf-8", false),
    files: new Map([["/assets/main-1a2b.js", file("0", "text/javascript", true)]]),
  };
  const server = await startTestServer({ routes, page });
  const navigation = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"];
  const { body, head } = await sendRaw(
    server.port,
    lines("GET / HTTP/1.1", `Host: localhost:${server.port}`, ...navigation),
  );
  expect(body).toBe("<!doctype html>");
  expect(head).toMatch(/content-security-policy: default-src 'none'.*frame-ancestors 'none'/i);
  expect(head).not.toMatch(/script-src[^;]*(unsafe|http|\*)/);
  for (const header of [
    "referrer-policy: no-referrer",
    "x-content-type-options: nosniff",
    "cache-control: no-cache",
    "cross-origin-opener-policy: same-origin",
    "cross-origin-resource-policy: same-origin",
  ]) {
    expect(head.toLowerCase()).toContain(header);
  }
  expect((await fetch(`${server.url}/assets/main-1a2b.js`)).headers.get("cache-control")).toContain("immutable");
  for (const path of ["/assets/", "/assets/../main.js", "/assets/main-1a2b.js/", "/package.json"]) {
    expect((await fetch(server.url + path)).status).toBe(401);
  }
  const opened = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const unknown = await fetch(`${server.url}/runs/x`, opened); // browsers get a page, not JSON
  expect([unknown.status, await unknown.text()]).toEqual([404, "<!doctype html>"]);
  expect(unknown.headers.get("vary")).toBe("accept, accept-encoding, origin"); // other values of these headers lead to other replies
  expect((await fetch(`${server.url}/api/v1/things`, opened)).status).toBe(401);
  const foreign = await sendRaw(server.port, lines("GET / HTTP/1.1", "Host: evil.example"));
  expect(foreign.status).toBe(421);
  const embedding = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"];
  const asset = lines("GET /assets/main-1a2b.js HTTP/1.1", `Host: localhost:${server.port}`, ...embedding);
  expect((await sendRaw(server.port, asset)).status).toBe(403);
});
