import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { serverBlocks } from "./documented-nginx.ts";

/** Whether Debian's packages nginx and openssl are missing. If `CI` is set, they are required. */
export const skipsNginx = !process.env.CI && !(isThere("nginx", "-v") && isThere("openssl", "version"));

function isThere(command: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(command, words, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export const proxyName = "agents.example.com";

export interface ProxyRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** Starts a real nginx with TLS in front of a server, configured according to the guide, until the end of the test. */
export async function startNginx(target: string, location: string) {
  const folder = mkdtempSync(join(tmpdir(), "bridle-nginx-"));
  const [cert, key] = createCertificate(folder);
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), configure({ folder, port, cert, key, target, location }));
  const words = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const child = spawn("nginx", words, { stdio: "ignore" });
  onTestFinished(async () => {
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    rmSync(folder, { recursive: true });
  });
  const ca = readFileSync(cert, "utf8");
  const send = (path: string, { method = "GET", headers = {}, json }: ProxyRequest = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(
        { host: "127.0.0.1", port, servername: proxyName, ca, method, path, headers: { host: proxyName, ...headers } },
        resolve,
      );
      sent.on("error", reject);
      sent.end(json === undefined ? undefined : JSON.stringify(json));
    });
  while (child.exitCode === null) {
    const response = await send("/").catch(() => undefined);
    response?.resume();
    if (response !== undefined) return send;
    await setTimeout(20);
  }
  throw new Error(readFileSync(join(folder, "error.log"), "utf8"));
}

function createCertificate(folder: string): readonly [cert: string, key: string] {
  const [cert, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  const names = ["-subj", `/CN=${proxyName}`, "-addext", `subjectAltName=DNS:${proxyName}`];
  execFileSync("openssl", ["req", "-x509", ...options, ...names, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return [cert, key];
}

interface NginxPlaces {
  readonly folder: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
  readonly target: string;
  readonly location: string;
}

/** Returns the guide's configuration block with the values of the test. */
function configure({ folder, port, cert, key, target, location }: NginxPlaces): string {
  const [block = ""] = serverBlocks();
  const server = block
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};`)
    .replace("location / {", `location ${location} {`)
    .replace("http://127.0.0.1:4900", target);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off; master_process off; pid ${join(folder, "nginx.pid")}; events {}
http { access_log off; ${temporary.join(" ")}
${server}
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
