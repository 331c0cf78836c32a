import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { systemErrorCode } from "@bridle/protocol";
import { bind, type Place } from "./bind.ts";
import { isAnyAddress, loopbackOf, type OwnNames, ownNames } from "./guards/own-names.ts";
import { HttpListener, type ListenerOptions } from "./http-listener.ts";
import { refuseBroken } from "./reply/refuse-broken.ts";

export interface ListenOptions extends ListenerOptions {
  /** The address to listen on. Default: 127.0.0.1 and, if this machine supports it, ::1. */
  readonly host?: string | undefined;
  /** The port; 0 for any free port. */
  readonly port: number;
  /** The path of a Unix socket, instead of a port. Its folder is private. */
  readonly socket?: string | undefined;
  /** The certificate and its key, in PEM format. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly isBehindProxy: boolean;
}

const bothLoopbacks = ["127.0.0.1", "::1"] as const;

/** A listening server. */
export class HttpServer {
  readonly #options: ListenOptions;
  readonly #servers: Server[] = [];
  readonly #listener: HttpListener;
  #port = 0;
  #names: OwnNames | undefined;

  private constructor(options: ListenOptions) {
    this.#options = options;
    this.#listener = new HttpListener(options);
  }

  /** Throws ConfigError if the address is in use. */
  static async listen(options: ListenOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    try {
      await server.#bindAll();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** The address for clients on this machine. */
  get url(): string {
    const { host = "127.0.0.1", socket, basePath } = this.#options;
    if (socket !== undefined) return `unix:${socket}`;
    const reached = isAnyAddress(host) ? loopbackOf(host) : host; // clients cannot connect to the wildcard address
    return `${this.#scheme}://${reached.includes(":") ? `[${reached}]` : reached}:${this.#port}${basePath}`;
  }

  /** Signals to the streams that the server is shutting down. Other requests are still handled. */
  endStreams(): void {
    this.#listener.end();
  }

  /** Closes every connection. Replies in progress get a moment to complete. */
  async close(): Promise<void> {
    this.endStreams();
    await Promise.all(this.#servers.splice(0).map(closeServer));
  }

  get #scheme(): "http" | "https" {
    return this.#options.tls === undefined ? "http" : "https";
  }

  async #bindAll(): Promise<void> {
    const { host, port, socket } = this.#options;
    if (socket !== undefined) return void (await this.#add({ path: socket }));
    const [first, second] = host === undefined ? bothLoopbacks : [host];
    this.#port = await this.#add({ host: first, port });
    this.#names = ownNames({ ...this.#options, host: first, port: this.#port, scheme: this.#scheme });
    if (second !== undefined) await this.#addIfThere({ host: second, port: this.#port });
  }

  /**
   * Also listens on ::1, because browsers can resolve `localhost` to that address, and another program must not listen there. Some machines
   * do not have the address.
   */
  async #addIfThere(place: Place): Promise<void> {
    try {
      await this.#add(place);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (!["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(systemErrorCode(cause))) throw error;
    }
  }

  async #add(place: Place): Promise<number> {
    const server = this.#create();
    const port = await bind(server, place);
    this.#servers.push(server);
    server.on("error", (error) => this.#options.logger.error({ error }, "the server cannot accept connections"));
    return port;
  }

  #create(): Server {
    const { limits, tls } = this.#options;
    const options: ServerOptions = {
      maxHeaderSize: limits.headerBytes,
      requireHostHeader: false,
      insecureHTTPParser: false,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 500,
    };
    const server =
      tls === undefined
        ? createServer(options)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersMs });
    this.#listener.watch(server);
    server.on("request", (incoming, outgoing) => void this.#listener.handle(incoming, outgoing, this.#ownNames()));
    server.on("checkContinue", (incoming, outgoing) => server.emit("request", incoming, outgoing));
    server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
    server.on("connect", (_request, socket: Duplex) => refuseBroken({ name: "", message: "" }, socket));
    server.on("clientError", refuseBroken);
    return server;
  }

  #ownNames(): OwnNames {
    this.#names ??= ownNames({ ...this.#options, host: "localhost", port: 80, scheme: this.#scheme }); // for a Unix socket
    return this.#names;
  }
}

/** How long responses in progress may take during shutdown, in milliseconds. */
const lastMs = 500;

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const last = setTimeout(() => server.closeAllConnections(), lastMs);
    server.close(() => {
      clearTimeout(last);
      resolve();
    });
    server.closeIdleConnections();
  });
}
