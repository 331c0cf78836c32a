import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { bigqueryConnector } from "../../src/connectors/bigquery/bigquery-connector.ts";
import type { BigQueryConfig } from "../../src/connectors/bigquery/bigquery-settings.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import type { BigQueryServer } from "./bigquery-server.ts";
import { account, startBigQuery } from "./open-bigquery.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
const common = { type: "bigquery", project: "shop-data" } as const;

function keyFor(server: BigQueryServer, changes: Readonly<Record<string, unknown>> = {}): string {
  server.publicKey = publicKey;
  return JSON.stringify({
    type: "service_account",
    project_id: "shop-data",
    private_key_id: "k1",
    private_key: privateKey,
    client_email: "reader@shop-data.iam.gserviceaccount.com",
    token_uri: `${server.endpoint}/token`,
    ...changes,
  });
}

async function connect(config: BigQueryConfig, projectDir = connectContext.projectDir) {
  const connection = await bigqueryConnector.connect(config, { projectDir });
  onTestFinished(() => connection.close());
  return connection;
}

test("the key of a service account gets an access token of BigQuery with a signed token", async () => {
  const server = await startBigQuery();
  const connection = await connect({ ...common, key: keyFor(server), endpoint: server.endpoint });
  await readAll(connection, "SELECT 1");
  expect(server.logins.length).toBe(1);
  expect(server.ran).toEqual(["SELECT 1"]);
});

test("a key file of BigQuery is found from the folder of the project", async () => {
  const server = await startBigQuery();
  const folder = mkdtempSync(join(tmpdir(), "bridle-bigquery-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "key.json"), keyFor(server));
  const config = { ...common, keyFile: "key.json", endpoint: server.endpoint };
  await connect(config, folder);
  expect(server.logins.length).toBe(1);
  expect(await errorOf(connect({ ...config, keyFile: "gone.json" }, folder))).toMatchObject({
    code: "config",
    message: `The file ${join(folder, "gone.json")} of keyFile cannot be read. Correct its path.`,
  });
});

test("an access token of BigQuery that has expired is replaced once, and one of the settings is not", async () => {
  const server = await startBigQuery();
  const connection = await connect({ ...common, key: keyFor(server), endpoint: server.endpoint });
  server.tokens = new Set(["newer"]);
  await readAll(connection, "SELECT 1");
  expect(server.logins.length).toBe(2);
  const fixed = await connect({ ...common, token: "newer", endpoint: server.endpoint });
  server.tokens = new Set(["newest"]);
  expect(await errorOf(readAll(fixed, "SELECT 1"))).toMatchObject({
    code: "authentication",
    message:
      "BigQuery refuses the login of token, or it has expired. Renew it, or correct the settings of the connection.",
  });
});

test("a key that Google refuses, and a wrong access token, are named and not quoted", async () => {
  const server = await startBigQuery();
  const key = keyFor(server);
  server.publicKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
  expect(await errorOf(connect({ ...common, key, endpoint: server.endpoint }))).toMatchObject({
    code: "authentication",
    message: "Google refuses the login with key (Invalid JWT Signature). Create a new key.",
  });
  const token = connect({ ...common, token: "s3cret-token", endpoint: server.endpoint });
  expect(await errorOf(token)).toMatchObject({
    code: "authentication",
    message: expect.not.stringContaining("s3cret"),
  });
});

const settings: readonly (readonly [string, Partial<BigQueryConfig>, string])[] = [
  ["no credentials", {}, "A connection of type bigquery needs one of keyFile, key and token. Set exactly one of them."],
  ["two kinds of credentials", { token: "a", key: "b" }, "Set exactly one of them."],
  ["a key that is no JSON", { key: "hunter2" }, "key is not a service account key. Create a JSON key, or set token."],
  [
    "the file of a user's login",
    { key: '{"type":"authorized_user","client_id":"a","client_secret":"hunter2","refresh_token":"c"}' },
    "key is not a service account key.",
  ],
  [
    "a key that is cut off",
    { key: '{"type":"service_account","client_email":"a","private_key":"-----BEGIN PRIVATE KEY-----\\nhunter2"}' },
    "key contains no RSA private key that can be read. Correct the key or its passphrase.",
  ],
  [
    "an address without TLS",
    { token: "a", endpoint: "http://bigquery.example.org" },
    "endpoint is http://bigquery.example.org, which does not begin with https://. Correct it.",
  ],
  [
    "a login without TLS",
    {
      key: JSON.stringify({
        type: "service_account",
        client_email: "a",
        private_key: privateKey,
        token_uri: "http://login.example.org/token",
      }),
    },
    "token_uri of key is http://login.example.org/token, which does not begin with https://. Correct it.",
  ],
];

test.each(settings)("settings of BigQuery with %s are refused with a remedy", async (_, changes, message) => {
  const error = await errorOf(connect({ ...common, ...changes }));
  expect(error).toMatchObject({ code: "config", message: expect.stringContaining(message) });
  expect(String(error)).not.toContain("hunter2");
});

test("variables of the environment change nothing about a connection to BigQuery", async () => {
  const server = await startBigQuery();
  const other = await startBigQuery();
  vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json");
  vi.stubEnv("GOOGLE_CLOUD_PROJECT", "other-data");
  vi.stubEnv("BIGQUERY_EMULATOR_HOST", other.endpoint);
  vi.stubEnv("HTTP_PROXY", other.endpoint);
  vi.stubEnv("HTTPS_PROXY", other.endpoint);
  onTestFinished(() => void vi.unstubAllEnvs());
  await readAll(await connect({ ...account, endpoint: server.endpoint }), "SELECT 1");
  expect([server.ran.length, other.requests.length]).toEqual([1, 0]);
  expect(await errorOf(connect({ ...common, endpoint: server.endpoint }))).toMatchObject({ code: "config" });
});

test("a project of BigQuery that is missing or closed to the account is a setting to correct", async () => {
  const server = await startBigQuery();
  server.resources.set("/datasets", [404, "notFound", "Not found: Project shop-data"]);
  expect(await errorOf(connect({ ...account, endpoint: server.endpoint }))).toMatchObject({
    code: "config",
    message: 'There is no project shop-data, or the account may not see it. Correct "project".',
  });
  server.resources.set("/datasets", [403, "accessDenied", "BigQuery API has not been used in project shop-data"]);
  expect(await errorOf(connect({ ...account, endpoint: server.endpoint }))).toMatchObject({
    code: "config",
    message:
      "The account may not use BigQuery in shop-data (BigQuery API has not been used in project shop-data). Grant it the roles BigQuery Job User and BigQuery Data Viewer.",
  });
});

test("a server of BigQuery that is unreachable, without TLS or elsewhere is named", async () => {
  const server = await startBigQuery();
  expect(await errorOf(connect({ ...account, endpoint: "http://127.0.0.1:1" }))).toMatchObject({
    code: "network",
    message: expect.stringMatching(/^BigQuery at 127\.0\.0\.1:1 cannot be reached/),
  });
  const tls = connect({ ...account, endpoint: server.endpoint.replace("http:", "https:") });
  expect(await errorOf(tls)).toMatchObject({
    code: "config",
    message: expect.stringMatching(/^The TLS connection to BigQuery at .+ failed/),
  });
  const moved = createServer((_, response) => response.writeHead(307, { Location: server.endpoint }).end());
  onTestFinished(() => void moved.close());
  await new Promise<void>((resolve) => moved.listen(0, "127.0.0.1", resolve));
  const address = moved.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  expect(await errorOf(connect({ ...account, endpoint: `http://127.0.0.1:${port}` }))).toMatchObject({
    code: "network",
    message: expect.stringContaining("redirect"),
  });
  expect(server.requests).toEqual([]);
});
