/** Logs in with passwords and TLS, on a server that requires them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { PostgresCluster, skipsPostgres } from "../../../stores/postgres/tests/postgres-cluster.ts";
import type { PostgresSettings, SslMode } from "../../src/connectors/postgres/postgres-settings.ts";
import { connectWith, readAll } from "./open-warehouse.ts";

let cluster: PostgresCluster;
let folder = "";
let port = 0;

/** Makes the server write a file in its own folder. */
async function writeAsServer(name: string, text: string): Promise<void> {
  const path = /^[\w.]+$/.test(name) ? name : "";
  await cluster.send(`COPY (SELECT 1) TO PROGRAM 'rm -f ${path}; touch ${path}; chmod 600 ${path}'`);
  for (const line of text.split("\n"))
    await cluster.send(`COPY (SELECT $bridle$${line}$bridle$) TO PROGRAM 'cat >> ${path}'`);
}

function settings(sslmode: SslMode, others: Partial<PostgresSettings> = {}): PostgresSettings {
  return {
    type: "postgres",
    host: "127.0.0.1",
    port,
    database: "postgres",
    user: "ada",
    password: "right",
    sslmode,
    ...others,
  };
}

const endless = "SELECT count(*) FROM generate_series(1, 1000000000000) a, generate_series(1, 1000000) b";

describe.skipIf(skipsPostgres)("logging in to PostgreSQL (needs Debian's packages postgresql and openssl)", () => {
  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    port = Number(new URL(cluster.url).port);
    folder = mkdtempSync(join(tmpdir(), "bridle-certificates-"));
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    const files = ["-keyout", join(folder, "server.key"), "-out", join(folder, "server.crt")];
    execFileSync("openssl", ["req", "-x509", ...key, ...names, ...files], { stdio: "ignore" });
    for (const name of ["server.key", "server.crt"])
      await writeAsServer(name, readFileSync(join(folder, name), "utf8"));
    await cluster.send("CREATE ROLE ada LOGIN PASSWORD 'right'");
    await cluster.send("CREATE ROLE secure LOGIN PASSWORD 'right'");
    await cluster.send("CREATE ROLE nobody LOGIN PASSWORD 'right'");
    await writeAsServer(
      "pg_hba.conf",
      "host all bridle all trust\nhostssl all secure all scram-sha-256\nhost all ada all scram-sha-256\nhost all nobody all reject",
    );
    await cluster.send("SELECT pg_reload_conf()");
  });
  afterAll(async () => {
    await cluster?.remove();
    if (folder !== "") rmSync(folder, { recursive: true });
  });

  async function readOnce(config: PostgresSettings): Promise<unknown> {
    const connection = await connectWith(config);
    onTestFinished(() => connection.close());
    return readAll(connection, "SELECT 1");
  }

  test("a server without TLS is reached if TLS is preferred, and refused with a remedy if it is required", async () => {
    expect(await readOnce(settings("prefer"))).toEqual([[1n]]);
    expect(await readOnce(settings("disable"))).toEqual([[1n]]);
    for (const mode of ["require", "verify-full"] as const)
      await expect(connectWith(settings(mode))).rejects.toMatchObject({
        name: "ConfigError",
        message: `PostgreSQL at 127.0.0.1:${port}/postgres does not offer TLS. Turn it on there, or set sslmode: disable.`,
      });
  });

  test("a wrong password and an account that is rejected are one sentence each, without the password", async () => {
    const wrong = settings("disable", { password: "wr0ng-pass" });
    const failure = await connectWith(wrong).catch((error: Error) => error);
    expect(failure).toMatchObject({
      name: "AuthenticationError",
      message: `PostgreSQL at 127.0.0.1:${port}/postgres does not accept the password. Correct user and password of the connection.`,
    });
    expect(JSON.stringify(failure)).not.toContain("wr0ng-pass");
    await expect(connectWith(settings("disable", { password: "" }))).rejects.toMatchObject({
      name: "AuthenticationError",
    });
    await expect(connectWith(settings("disable", { user: "nobody" }))).rejects.toMatchObject({
      name: "AuthenticationError",
      message: /does not accept the account: pg_hba\.conf rejects connection/,
    });
  });

  describe("with TLS", () => {
    beforeAll(async () => {
      await cluster.send("ALTER SYSTEM SET ssl = on");
      await cluster.send("SELECT pg_reload_conf()");
      while ((await cluster.send("SHOW ssl"))[0]?.ssl !== "on");
    });

    test("the connection is encrypted as the mode says", async () => {
      const query = "SELECT ssl FROM pg_catalog.pg_stat_ssl WHERE pid = (SELECT max(pid) FROM pg_catalog.pg_stat_ssl)";
      expect(query).toContain("ssl");
      for (const mode of ["prefer", "require"] as const)
        expect(await readOnce(settings(mode, { user: "secure" }))).toEqual([[1n]]);
      const trusted = { user: "secure", host: "localhost", sslrootcert: join(folder, "server.crt") };
      expect(await readOnce(settings("verify-full", trusted))).toEqual([[1n]]);
      expect(await readOnce(settings("verify-ca", { ...trusted, host: "127.0.0.1" }))).toEqual([[1n]]);
    });

    test("an account that needs TLS is refused without it, with a remedy", async () => {
      await expect(connectWith(settings("disable", { user: "secure" }))).rejects.toMatchObject({
        name: "ConfigError",
        message: `PostgreSQL at 127.0.0.1:${port}/postgres refuses connections without TLS. Set sslmode: require, or a stricter one.`,
      });
    });

    test("a certificate of an unknown authority or another host is refused", async () => {
      await expect(connectWith(settings("verify-full", { host: "localhost" }))).rejects.toMatchObject({
        name: "ConfigError",
        message: /has a certificate that cannot be verified: .* Set sslrootcert to the file of its authority\.$/,
      });
      const other = settings("verify-full", { sslrootcert: join(folder, "server.crt") });
      await expect(connectWith(other)).rejects.toMatchObject({ name: "ConfigError", message: /cannot be verified/ });
      await expect(connectWith(settings("verify-ca", { sslrootcert: "nope.crt" }))).rejects.toThrow(
        /The file .*nope\.crt of sslrootcert cannot be read\. Correct its path\./,
      );
    });

    test("a statement is cancelled over TLS", async () => {
      const connection = await connectWith(settings("require", { user: "secure" }));
      const controller = new AbortController();
      const reading = readAll(connection, endless, { signal: controller.signal });
      const running = "SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'secure' AND state = 'active'";
      while ((await cluster.send(running))[0]?.n !== 1);
      controller.abort();
      await expect(reading).rejects.toMatchObject({ name: "StoppedError" });
      expect(await readAll(connection, "SELECT 1")).toEqual([[1n]]);
      await connection.close();
    });
  });
});
