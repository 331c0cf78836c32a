import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { type OwnNames, ownNames } from "./guards/own-names.ts";
import { HttpListener, type ListenerOptions } from "./http-listener.ts";
import { refuseBroken } from "./reply/refuse-broken.ts";

export interface ListenOptions extends Omit<ListenerOptions, "signal"> {
  /** Default: 127.0.0.1. */
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly isBehindProxy: boolean;
}

/** A server that listens. */
export class HttpServer {
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #ended = new AbortController();
  readonly #listener: HttpListener;
  #names: OwnNames | undefined;

  private constructor(options: ListenOptions) {
    this.#options = options;
    this.#listener = new HttpListener({ ...options, signal: this.#ended.signal });
    const { limits } = options;
    this.#server = createServer({
      ...{ maxHeaderSize: limits.headerBytes, requireHostHeader: false, insecureHTTPParser: false },
      ...{ headersTimeout: limits.headersMs, requestTimeout: limits.requestMs, connectionsCheckingInterval: 500 },
    });
    this.#server.maxConnections = limits.connections;
    this.#server.on("request", (incoming, outgoing) => {
      void this.#listener.handle(incoming, outgoing, this.#ownNames());
    });
    this.#server.on("clientError", refuseBroken);
    this.#server.on("connect", (_request, socket: Duplex) =>
      socket.end("HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\n\r\n"),
    );
    this.#server.on("checkContinue", (incoming, outgoing) => {
      void this.#listener.handle(incoming, outgoing, this.#ownNames());
    });
  }

  /** Throws ConfigError if the address is taken: another port would be found by nobody, and this one may belong to a stranger. */
  static async listen(options: ListenOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    await server.#listen();
    return server;
  }

  get url(): string {
    const { host, basePath } = this.#options;
    return `http://${host.includes(":") ? `[${host}]` : host}:${this.#port}${basePath}`;
  }

  /** Ends every connection: streams first get the signal of their request. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#ended.abort();
    this.#server.closeIdleConnections();
    await new Promise((resolve) => setImmediate(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #ownNames(): OwnNames {
    this.#names ??= ownNames({ ...this.#options, port: this.#port, scheme: "http" });
    return this.#names;
  }

  #listen(): Promise<void> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once("error", (cause) => {
        const reason = systemErrorCode(cause) === "EADDRINUSE" ? "another program uses it" : systemErrorCode(cause);
        reject(new ConfigError(`The address ${host}:${port} cannot be used: ${reason}. Choose another with --port.`));
      });
      this.#server.listen({ port, host, exclusive: true }, resolve);
    });
  }
}
