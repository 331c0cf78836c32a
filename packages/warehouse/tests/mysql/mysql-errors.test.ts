import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mysqlConnector } from "../../src/connectors/mysql/mysql-connector.ts";
import type { MySqlConfig } from "../../src/connectors/mysql/mysql-settings.ts";
import { connectContext, errorOf, readAll } from "../support/reading.ts";
import { MariaDbServer, skipsMariaDb } from "./mariadb-server.ts";
import { listenAsMySql } from "./version-server.ts";

async function connectError(config: Omit<MySqlConfig, "type">): Promise<unknown> {
  return errorOf(
    mysqlConnector.connect({ type: "mysql", ...config }, connectContext).then((connection) => connection.close()),
  );
}

describe.skipIf(skipsMariaDb)("connecting to MariaDB (needs Debian's package mariadb-server)", () => {
  let certificates: string;
  let server: MariaDbServer;

  beforeAll(async () => {
    certificates = mkdtempSync(join(tmpdir(), "bridle-mariadb-tls-"));
    createCertificate(certificates);
    const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(certificates, name));
    server = await MariaDbServer.create({ tcp: true, options: [`--ssl-key=${key}`, `--ssl-cert=${cert}`] });
    await server.send(
      "CREATE DATABASE shop",
      "CREATE USER ana IDENTIFIED BY 'right'",
      "GRANT SELECT ON shop.* TO ana",
      "CREATE DATABASE hidden",
    );
  });

  afterAll(async () => {
    await server?.remove();
    rmSync(certificates, { recursive: true, force: true });
  });

  const account = () => ({ host: "127.0.0.1", port: server.port, user: "ana", password: "right" });

  test("a certificate that is not trusted is refused, and accepted if its authority is named", async () => {
    expect(await connectError({ ...account(), tls: "verified" })).toMatchObject({
      code: "config",
      message: expect.stringMatching(
        /^The TLS connection to MySQL at .* failed \(.*\)\. Name the authority's certificate in "ca"/,
      ),
    });
    for (const tls of [
      { tls: "required" } as const,
      { tls: "verified", ca: join(certificates, "cert.pem"), host: "localhost" } as const,
    ]) {
      const connection = await mysqlConnector.connect({ type: "mysql", ...account(), ...tls }, connectContext);
      const { rows } = await readAll(connection, "SHOW SESSION STATUS LIKE 'Ssl_cipher'");
      await connection.close();
      expect(rows[0]?.[1]).not.toBe("");
    }
  });

  test("a server that stops in mid-statement is an error of the network, and so is the next statement", async () => {
    const connection = await mysqlConnector.connect({ type: "mysql", ...account(), database: "shop" }, connectContext);
    const stream = connection.stream("SELECT a.seq FROM information_schema.SESSION_STATUS, seq_1_to_1000000 a", {
      maxRows: 1e9,
      maxBytes: 1e12,
      timeoutMs: 60_000,
    });
    const reading = errorOf(
      (async () => {
        for await (const _ of stream) await server.stop();
      })(),
    );
    expect(await reading).toMatchObject({ code: "network" });
    expect(await errorOf(readAll(connection, "SELECT 1"))).toMatchObject({ code: "network" });
    await connection.close();
    await server.start();
  });
});

describe("servers that are no MariaDB", () => {
  test("a server without TLS is named", async () => {
    const server = await listenAsMySql("8.4.3");
    expect(await connectError({ host: "127.0.0.1", port: server.port, user: "ana", tls: "required" })).toMatchObject({
      code: "config",
      message: `MySQL at 127.0.0.1:${server.port} offers no TLS. Set up TLS on the server, or set "tls: off".`,
    });
    server.close();
  });

  test.each([
    ["5.6.51", "MySQL 5.6.51 is too old: it cannot be limited to reading. Use MySQL 5.7 or newer."],
    [
      "5.5.5-10.1.48-MariaDB",
      "MariaDB 10.1.48 is too old: it cannot be limited to reading. Use MariaDB 10.2 or newer.",
    ],
  ])("a server of version %s is too old", async (version, message) => {
    const server = await listenAsMySql(version);
    expect(await connectError({ host: "127.0.0.1", port: server.port, user: "ana" })).toMatchObject({
      code: "config",
      message,
    });
    server.close();
  });

  test("a server that speaks something else is an error of the network", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    expect(await connectError({ host: "127.0.0.1", port, user: "ana" })).toMatchObject({ code: "network" });
    server.close();
  });
});

/** Creates a self-signed certificate for localhost. */
function createCertificate(folder: string): void {
  const args =
    "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1";
  execFileSync("openssl", [...args.split(" "), "-keyout", "key.pem", "-out", "cert.pem"], {
    cwd: folder,
    stdio: "ignore",
  });
  execFileSync("chmod", ["-R", "a+rX", folder]);
}
