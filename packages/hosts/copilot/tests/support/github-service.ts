/** GitHub's services for a made-up login, behind their own names over TLS. The model is rehearsed. */
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Rehearsal } from "@bridle/rehearsal";
import { startTlsProxy } from "@bridle/rehearsal/tls";

export const accountHost = "api.github.com";
export const modelHost = "api.individual.githubcopilot.com";

export interface GitHubService {
  /** The variables that lead a process here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Each request as host, method and path. */
  readonly requests: readonly string[];
  /** The hosts that a process tried to reach besides these. */
  readonly otherHosts: readonly string[];
  close(): Promise<void>;
}

export async function startGitHubService(rehearsal: Rehearsal, folder: string): Promise<GitHubService> {
  const requests: string[] = [];
  const service = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.method} ${request.url}`);
    void answer(request, response, rehearsal.url);
  });
  const url = `http://127.0.0.1:${await listen(service)}`;
  const [account, model] = await Promise.all(
    [accountHost, modelHost].map(async (host) => {
      const own = join(folder, host);
      await mkdir(own, { recursive: true });
      return startTlsProxy({ rehearsal: { url }, folder: own, hosts: [host] });
    }),
  );
  if (!account || !model) throw new Error("There are two proxies.");
  const files = [account, model].map(({ environment }) => readFile(environment.NODE_EXTRA_CA_CERTS, "utf8"));
  const authorities = join(folder, "authorities.pem");
  await writeFile(authorities, (await Promise.all(files)).join("\n"));
  const ports = new Map([account, model].map((proxy, index) => [[accountHost, modelHost][index] ?? "", portOf(proxy)]));
  const otherHosts: string[] = [];
  const router = createTcpServer((socket) => route(socket, ports, otherHosts));
  const proxy = `http://127.0.0.1:${await listen(router)}`;
  return {
    environment: {
      HTTPS_PROXY: proxy,
      HTTP_PROXY: proxy,
      NODE_EXTRA_CA_CERTS: authorities,
      SSL_CERT_FILE: authorities,
    },
    requests,
    otherHosts,
    async close() {
      for (const each of [router, service]) each.close();
      await account.close();
      await model.close();
    },
  };
}

function portOf({ environment }: { environment: { HTTPS_PROXY: string } }): number {
  return Number(new URL(environment.HTTPS_PROXY).port);
}

async function listen(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return (server.address() as AddressInfo).port;
}

/** Passes a connection on to the proxy of its host. */
function route(socket: Socket, ports: ReadonlyMap<string, number>, otherHosts: string[]): void {
  socket.on("error", () => {}).unref();
  socket.once("data", (head) => {
    const host = (head.toString("latin1").split(" ")[1] ?? "").replace(/:443$/, "");
    const port = ports.get(host);
    if (port === undefined) {
      otherHosts.push(host);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const upstream = connect(port, "127.0.0.1", () => upstream.write(head));
    upstream.on("error", () => socket.destroy()).unref();
    socket.on("close", () => upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  });
}

const user = {
  ...{ login: "octo", copilot_plan: "individual", access_type_sku: "copilot_pro", chat_enabled: true },
  endpoints: { api: `https://${modelHost}` },
};
const limits = { max_context_window_tokens: 200_000, max_prompt_tokens: 180_000, max_output_tokens: 16_000 };
const capabilities = {
  ...{ family: "gpt-6", type: "chat", object: "model_capabilities", tokenizer: "o200k_base", limits },
  supports: { streaming: true, tool_calls: true, parallel_tool_calls: true },
};
const models = {
  data: [
    {
      ...{ id: "gpt-6-sol", name: "Sol", object: "model", vendor: "OpenAI", version: "1", model_picker_enabled: true },
      ...{ capabilities, supported_endpoints: ["/responses"], policy: { state: "enabled", terms: "" } },
    },
  ],
};

async function answer(request: IncomingMessage, response: ServerResponse, rehearsal: string): Promise<void> {
  const body = await text(request);
  if (request.url === "/responses") {
    const headers = { "content-type": "application/json", authorization: request.headers.authorization ?? "" };
    const {
      status,
      headers: own,
      body: stream,
    } = await fetch(`${rehearsal}/v1/responses`, { method: "POST", headers, body });
    response.writeHead(status, { "content-type": own.get("content-type") ?? "" });
    for await (const part of stream ?? []) response.write(part);
    response.end();
    return;
  }
  const known: Readonly<Record<string, unknown>> = { "/copilot_internal/user": user, "/models": models };
  const found = known[request.url ?? ""];
  response.writeHead(found ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(found ?? {}));
}
