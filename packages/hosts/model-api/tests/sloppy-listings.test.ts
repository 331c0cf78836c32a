/** Tests lists of models from servers that do not follow the expected form. */
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createModelApiBackend } from "../src/backend.ts";
import { listModels } from "../src/models/list-models.ts";
import { startRawHost } from "./raw-host.ts";
import { rejectionOf } from "./test-runtime.ts";

const apiKey = "key-of-the-sloppy-host";

async function hostWith(body: string, status = 200) {
  const answer = (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", "x-echo": apiKey }).end(body);
  const host = await startRawHost(answer);
  return { host, options: { id: "openai-compatible", apiKey, baseUrl: `${host.url}/v1` } as const };
}

test.each(['{"object":"list","data":null}', '{"data":[]}', '{"models":null}'])(
  "%s is an empty list of models, and checkAuth reports what to do",
  async (body) => {
    const { options } = await hostWith(body);
    expect(await listModels(options)).toEqual([]);
    const error = await rejectionOf(createModelApiBackend(options).checkAuth());
    expect(error).toMatchObject({ code: "config", message: expect.stringContaining("lists no model. Load one") });
  },
);

test.each(["", "models: none", '{"data":', '{"hello":"you"}', "[]", "null"])(
  "%j instead of a list means a wrong base URL, and shows no credential",
  async (body) => {
    const { options } = await hostWith(body);
    const error = await rejectionOf(listModels(options));
    expect(error).toMatchObject({ code: "config", field: "llm.provider.baseUrl" });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(apiKey);
  },
);

test("the error of a failing server hides a key that it repeats", async () => {
  const { options } = await hostWith(JSON.stringify({ error: { message: `Who is ${apiKey}?` } }), 500);
  const error = await rejectionOf(listModels(options));
  expect(error).toMatchObject({ code: "overloaded", message: expect.stringContaining("Who is") });
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(apiKey);
});

test("ten thousand models are all listed, and entries without an id are left out", async () => {
  const data: unknown[] = Array.from({ length: 10_000 }, (_, index) => ({
    id: `model-${index}`,
    context_length: 8192,
  }));
  const { options } = await hostWith(JSON.stringify({ data: [...data, { object: "model" }, null] }));
  const models = await listModels(options);
  expect(models).toHaveLength(10_000);
  expect(models.at(-1)).toMatchObject({ id: "model-9999", contextWindow: 8192 });
});

test("an invalid context window is left out", async () => {
  const windows = [0, -1, "8192", null];
  const data = windows.map((context_length, index) => ({ id: `model-${index}`, context_length }));
  const { options } = await hostWith(JSON.stringify({ data }));
  const models = await listModels(options);
  expect(models.map(({ id }) => id)).toEqual(["model-0", "model-1", "model-2", "model-3"]);
  for (const model of models) expect(model).not.toHaveProperty("contextWindow");
});

test("a header of the options replaces the backend's own in a list request, in any case", async () => {
  const { host, options } = await hostWith('{"data":[]}');
  await listModels({ ...options, headers: { AUTHORIZATION: "Basic eA==" } });
  expect(host.requests[0]?.headers.authorization).toBe("Basic eA==");
});
