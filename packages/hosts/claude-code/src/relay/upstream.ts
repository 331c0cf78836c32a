/** The side of the relay that sends requests to the base URL, in the same way as the host itself would. */
import { type Agent, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import tls from "node:tls";
import { readTextFileSync } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { isAtLeast } from "../boundary/versions.ts";
import type { ClaudeEnvironment } from "../options.ts";

interface UpstreamRequest {
  readonly url: string;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

type Headers = Record<string, string[]>;

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and those that the sender sets anew. */
const ownOfConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "expect",
]);

export interface Upstream {
  /** Sends a request. Resolves with the response before its body is read. A redirect is treated like any other response. */
  send(request: UpstreamRequest): Promise<IncomingMessage>;
  /** Returns the headers that are passed on. */
  headersOf(message: IncomingMessage): Headers;
  close(): void;
}

/** Creates the sending side. Throws ConfigError for an address that is neither http nor https. */
export function createUpstream(baseUrl: string, environment: ClaudeEnvironment): Upstream {
  const { protocol } = parseAddress(baseUrl);
  const agent = createAgent(protocol, environment);
  const start = protocol === "https:" ? requestHttps : requestHttp;
  const sendOnce = ({ url, request, body, signal }: UpstreamRequest, failed: { isReused: boolean }) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent, method: request.method, headers: headersOf(request), signal };
      const sent = start(url, options, resolve);
      sent.once("error", (error) => {
        failed.isReused = sent.reusedSocket;
        reject(error);
      });
      sent.end(body.length > 0 ? body : undefined);
    });
  return {
    async send(request) {
      const failed = { isReused: false };
      try {
        return await sendOnce(request, failed);
      } catch (error) {
        // the other side has just closed a kept connection, so the request has not arrived
        if (failed.isReused && systemErrorCode(error) === "ECONNRESET") return sendOnce(request, failed);
        throw error;
      }
    },
    headersOf,
    close: () => agent.destroy(),
  };
}

function parseAddress(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new ConfigError("The base URL is not an address of http or https. Correct llm.provider.baseUrl.", {
    field: "llm.provider.baseUrl",
  });
}

function headersOf(message: IncomingMessage): Headers {
  const named = (message.headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const entries = Object.entries(message.headersDistinct).flatMap(([name, values]) =>
    values === undefined || ownOfConnection.has(name) || named.includes(name) ? [] : [[name, values] as const],
  );
  return Object.fromEntries(entries);
}

/** Creates an agent with the proxy that the host would use: the host uses one proxy for all addresses (observed on 2.1.330). */
function createAgent(protocol: string, environment: ClaudeEnvironment): Agent {
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY, no_proxy, NO_PROXY } = environment;
  const proxy = https_proxy || HTTPS_PROXY || http_proxy || HTTP_PROXY;
  if (proxy) requireProxySupport(process.versions.node);
  const proxyEnv = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: no_proxy || NO_PROXY };
  if (protocol === "http:") return new HttpAgent({ keepAlive: true, proxyEnv });
  return new HttpsAgent({ keepAlive: true, proxyEnv, ca: trustedAuthorities(environment) });
}

/** Throws ConfigError if Node.js is too old to use the proxy. Older versions would ignore it. */
export function requireProxySupport(version: string): void {
  if (isAtLeast(version, "24.5.0") || (version.startsWith("22.") && isAtLeast(version, "22.21.0"))) return;
  throw new ConfigError(
    `A base URL behind a proxy needs Node.js 22.21 or 24.5; this is ${version}. Update it, or unset HTTPS_PROXY and HTTP_PROXY.`,
    { field: "llm.provider.baseUrl" },
  );
}

/** Returns the certificate authorities of Node.js and of the system, and those in files that environment variables name. */
function trustedAuthorities({ NODE_EXTRA_CA_CERTS, SSL_CERT_FILE }: ClaudeEnvironment): string[] {
  const named = [NODE_EXTRA_CA_CERTS, SSL_CERT_FILE].flatMap((path) => (path ? readIfPossible(path) : []));
  return [...tls.getCACertificates("default"), ...tls.getCACertificates("system"), ...named];
}

/** Reads a file. Ignores a file that cannot be read, as Node.js does. The connection then fails with its own reason. */
function readIfPossible(path: string): string[] {
  try {
    return [readTextFileSync(path)];
  } catch {
    return [];
  }
}
