// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** Tests that requests use the host settings in `bridle.yaml`, and that their secrets appear nowhere else. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEmbedder, createRuntime } from "../src/operations.ts";

/** Starts a server with this answer, and creates a folder for the `bridle.yaml` that uses it. */
async function stage(answer: RequestListener) {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const projectDir = await mkdtemp(join(tmpdir(), "bridle-host-"));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(projectDir, { recursive: true });
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const project = (yaml: string) => writeFile(join(projectDir, "bridle.yaml"), yaml.replaceAll("URL", baseUrl));
  return { seen, projectDir, project };
}

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

test("configured headers are sent with every request, and no error contains their values", async () => {
  const { seen, projectDir, project } = await stage(({ headers }, response) => {
    const message = `no: ${headers["x-gateway-key"]} of ${headers["x-team"]}`;
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error: { message } }));
  });
  await project(
    'llm: { provider: { backend: openai-compatible, baseUrl: "URL", headers: { x-gateway-key: "${KEY}", x-team: team-of-ada } }, models: { default: m } }',
  );
  const runtime = await createRuntime({ projectDir, environment: { KEY: "value-of-the-key" } });
  const error = await failureOf(runtime.generateText({ prompt: "Hello" }));
  await runtime.close();
  expect(seen).toMatchObject([{ "x-gateway-key": "value-of-the-key", "x-team": "team-of-ada" }]);
  expect(error).toHaveProperty("message", expect.stringContaining("(llm.provider.headers.x-team)"));
  expect(error).not.toHaveProperty("message", expect.stringMatching(/value-of-the-key|team-of-ada/));
});

test("idle timeouts of models and embedders are those of the file, and their errors name the setting", async () => {
  const { projectDir, project } = await stage(() => {});
  await project(
    'llm: { provider: { backend: openai-compatible, baseUrl: "URL", idleTimeoutMs: 50 }, models: { default: m } }\n' +
      'embeddings: { backend: openai-compatible, baseUrl: "URL", model: m, idleTimeoutMs: 50 }\n',
  );
  const runtime = await createRuntime({ projectDir, environment: {} });
  const embedder = await createEmbedder({ projectDir, environment: {} });
  const [run, embedding] = await Promise.all([
    failureOf(runtime.generateText({ prompt: "Hello" })),
    failureOf(embedder.embed(["Hello"])),
  ]);
  await Promise.all([runtime.close(), embedder.close()]);
  const message = (section: string) =>
    expect.stringMatching(new RegExp(`nothing for 0.05 s .* ${section}.idleTimeoutMs`));
  expect(run).toMatchObject({ code: "timeout", message: message("llm.provider") });
  expect(embedding).toMatchObject({ code: "timeout", message: message("embeddings") });
});
