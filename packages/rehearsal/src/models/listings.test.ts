import { createGateway } from "@ai-sdk/gateway";
import { expect, onTestFinished, test } from "vitest";
import { defineScript } from "../script/define.ts";
import { startRehearsal } from "../server/rehearsal.ts";

async function rehearse(models?: string[]): Promise<string> {
  const turns = [{ steps: [{ say: "Hello" }] }];
  const script = defineScript({ rehearsal: 1, turns, ...(models && { models }) });
  const rehearsal = await startRehearsal({ script });
  onTestFinished(() => rehearsal.close());
  return rehearsal.url;
}

const anthropic = { headers: { "anthropic-version": "2023-06-01" } };

test("the models of a script have Anthropic's form if the headers contain its version", async () => {
  const url = await rehearse(["one", "two"]);
  expect(await (await fetch(`${url}/v1/models?limit=100`, anthropic)).json()).toEqual({
    data: ["one", "two"].map((id) => ({
      type: "model",
      id,
      display_name: id,
      created_at: "2026-01-01T00:00:00.000Z",
    })),
    has_more: false,
    first_id: "one",
    last_id: "two",
  });
});

test.each(["/v1/models", "/openai/v1/models", "/models"])("GET %s lists the models in OpenAI's form", async (path) => {
  const url = await rehearse(["one"]);
  expect(await (await fetch(url + path)).json()).toEqual({
    object: "list",
    data: [{ id: "one", object: "model", created: 1_767_225_600, owned_by: "rehearsal" }],
  });
});

test("the AI Gateway lists its models under its own path", async () => {
  const gateway = createGateway({ baseURL: `${await rehearse(["maker/one"])}/v4/ai`, apiKey: "rehearsal" });
  expect((await gateway.getAvailableModels()).models).toMatchObject([
    { id: "maker/one", specification: { provider: "maker", modelId: "maker/one" } },
  ]);
});

test("a script without models lists a few defaults", async () => {
  const url = await rehearse();
  const lists = await Promise.all([fetch(`${url}/v1/models`), fetch(`${url}/v1/models`, anthropic)]);
  for (const list of lists) expect(await list.json()).toMatchObject({ data: [{ id: expect.any(String) }, {}, {}] });
});
