import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { modelForTools } from "./findings.ts";
import { findOllama, ollamaAddress } from "./ollama.ts";

const never = new AbortController().signal;

async function serve(answer: (path: string, body: string) => string | undefined): Promise<string> {
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const text = answer(request.url ?? "", body);
    if (text !== undefined) response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

test("an Ollama server is found with its models, and the newest model that calls tools is chosen", async () => {
  const host = await serve((path, body) => {
    if (path === "/api/tags") return JSON.stringify({ models: [{ name: "gemma:2b" }, { name: "qwen3:8b" }] });
    return JSON.stringify({ capabilities: body.includes("qwen3") ? ["completion", "tools"] : ["completion"] });
  });
  const ollama = await findOllama({ OLLAMA_HOST: host }, { signal: never, timeoutMs: 10_000 });
  expect(ollama).toEqual({
    address: `http://${host}`,
    models: [
      { name: "gemma:2b", callsTools: false },
      { name: "qwen3:8b", callsTools: true },
    ],
  });
  expect(ollama && modelForTools(ollama)).toBe("qwen3:8b");
});

test("the models of a server that does not list capabilities are considered able to call tools", async () => {
  const host = await serve((path) => (path === "/api/tags" ? '{"models":[{"name":"llama3"}]}' : "?"));
  const ollama = await findOllama({ OLLAMA_HOST: host }, { signal: never, timeoutMs: 10_000 });
  expect(ollama && modelForTools(ollama)).toBe("llama3");
});

test("a server of another kind, a silent one and a missing one are not Ollama", async () => {
  const page = await serve(() => "<html>hello</html>");
  const silent = await serve(() => undefined);
  const find = (host: string, timeoutMs: number) => findOllama({ OLLAMA_HOST: host }, { signal: never, timeoutMs });
  expect(await find(page, 10_000)).toBeUndefined();
  expect(await find(silent, 100)).toBeUndefined();
  expect(await find("127.0.0.1:1", 10_000)).toBeUndefined();
});

test.each([
  [undefined, "http://localhost:11434"],
  ["", "http://localhost:11434"],
  ["0.0.0.0", "http://localhost:11434"],
  ["0.0.0.0:8080", "http://localhost:8080"],
  ["box.lan", "http://box.lan:11434"],
  ["http://box.lan:80", "http://box.lan"],
  ["https://box.lan", "https://box.lan"],
  ["http://[::1]:9", "http://[::1]:9"],
  ["http://:", "http://localhost:11434"],
])("OLLAMA_HOST %j is the address %s", (host, address) => {
  expect(ollamaAddress(host)).toBe(address);
});
