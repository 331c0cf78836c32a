import { chmodSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { ConfigError } from "@bridle/protocol";
import { beforeAll, expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { type Certificate, certificateFor } from "../../../rehearsal/src/tls/certificate.ts";
import { serveDesk } from "../support/serve-desk.ts";

let made: Certificate;
let other: Certificate;

beforeAll(async () => {
  [made, other] = await Promise.all([certificateFor(["localhost"], new Date()), certificateFor(["other"], new Date())]);
});

const tls = { tlsCert: "cert.pem", tlsKey: "key.pem" };

async function createTlsDesk(): Promise<string> {
  return createFolder({ ...deskFiles, "cert.pem": made.certificate, "key.pem": made.key, "other.pem": other.key });
}

test("a server with a certificate speaks HTTPS, and names itself so", async () => {
  const cwd = await createTlsDesk();
  chmodSync(join(cwd, "key.pem"), 0o600);
  const { url, token } = await serveDesk(tls, "", cwd);
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const { port } = new URL(url);
  const headers = { authorization: `Bearer ${token}` };
  const options = { host: "localhost", port, path: "/api/v1/status", ca: made.authority, headers, agent: false };
  const status = await new Promise((resolve, reject) => {
    request(options, (response) => resolve(response.resume().statusCode))
      .once("error", reject)
      .end();
  });
  expect(status).toBe(200);
});

test.each([
  ["a key that others may read", { ...tls }, 0o644, "chmod 600 key.pem"],
  ["a key of another certificate", { ...tls, tlsKey: "other.pem" }, 0o600, "belong together"],
  ["no PEM", { ...tls, tlsCert: "agent.yaml" }, 0o600, "belong together"],
  ["no file", { ...tls, tlsCert: "missing.pem" }, 0o600, "cannot be read"],
])("a server with %s does not start, and says why", async (_what, options, mode, reason) => {
  const cwd = await createTlsDesk();
  for (const name of ["key.pem", "other.pem"]) chmodSync(join(cwd, name), mode);
  const refused = serveDesk(options, "", cwd);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(reason);
});
