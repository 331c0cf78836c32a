import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { createAgentRuntime } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { createClaudeCodeBackend } from "../src/backend.ts";
import { createHome } from "./support/home.ts";

const page = "<!doctype html><html><body>Welcome</body></html>";
const notFound = JSON.stringify({ type: "error", error: { type: "not_found_error", message: "model: sonnet" } });

/** Runs at an address that answers every request in the given way, and returns the error. Adds the request bodies to `bodies`. */
async function errorAt(
  status: number,
  type: string,
  body: string,
  model = "sonnet",
  bodies: string[] = [],
): Promise<unknown> {
  const server = createServer(async (request, response) => {
    bodies.push(await readText(request));
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const home = await createHome();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { ...home.environment, ANTHROPIC_API_KEY: "sk-ant-rehearsal" };
  const backend = createClaudeCodeBackend({ auth: "api_key", baseUrl, environment, pool: false });
  const runtime = createAgentRuntime({ backend, models: { default: model }, projectDir: home.project });
  onTestFinished(async () => {
    await runtime.close();
    server.closeAllConnections();
    server.close();
    await home.remove();
  });
  return runtime.generateText({ prompt: "Go" }).catch((error: unknown) => error);
}

test.each([
  ["a page", 200, "text/html", page],
  ["JSON in another protocol", 200, "application/json", `{"status":"up"}`],
  ["a page with status 404", 404, "text/html", page],
])("a base URL with %s behind it is a ConfigError that names the setting", async (_, status, type, body) => {
  const error = await errorAt(status, type, body);
  expect(error).toMatchObject({ code: "config", field: "llm.provider.baseUrl" });
  expect(error).toHaveProperty("message", expect.stringContaining("Correct llm.provider.baseUrl"));
});

test("an unknown model at a base URL is a ModelNotFoundError that mentions the URL", async () => {
  const error = await errorAt(404, "application/json", notFound);
  expect(error).toMatchObject({ code: "model_not_found", message: expect.stringContaining("llm.provider.baseUrl") });
});

test("models at a base URL have any name, such as those of a gateway or of Ollama", async () => {
  const bodies: string[] = [];
  const error = await errorAt(404, "application/json", notFound, "qwen3.5:35b", bodies);
  expect(error).toMatchObject({ code: "model_not_found", message: expect.stringContaining("llm.provider.baseUrl") });
  expect(bodies.some((body) => body.includes('"model":"qwen3.5:35b"'))).toBe(true);
});
