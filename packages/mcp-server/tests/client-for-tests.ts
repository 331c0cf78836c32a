import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** Connects a client of the official SDK. It disconnects when the test ends. */
export async function connectOverHttp(url: string, token: string): Promise<Client> {
  return (await connectClient(url, token)).client;
}

/** Connects a client like `connectOverHttp`, and returns it with its transport. */
export async function connectClient(url: string, token: string, options: ConstructorParameters<typeof Client>[1] = {}) {
  const client = new Client({ name: "test-client", version: "7" }, options);
  const headers = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}
