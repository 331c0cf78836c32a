import { createAzure } from "@ai-sdk/azure";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { defineScript } from "../script/define.ts";
import type { ScriptInput } from "../script/schema.ts";
import { type Rehearsal, startRehearsal } from "../server/rehearsal.ts";

async function rehearse(turns: ScriptInput["turns"]): Promise<Rehearsal> {
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

const talk = [{ when: { user: "nobody says this" }, steps: [{ say: "Hello" }] }];
const apiKey = "rehearsal";

const clients: [string, (url: string) => EmbeddingModelV4][] = [
  ["OpenAI", (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).embeddingModel("e")],
  ["another server", (url) => createOpenAICompatible({ name: "local", baseURL: `${url}/v1` }).embeddingModel("e")],
  ["Azure", (url) => createAzure({ baseURL: `${url}/openai`, apiKey }).embeddingModel("e")],
  [
    "Azure by deployment",
    (url) => createAzure({ baseURL: `${url}/openai`, apiKey, useDeploymentBasedUrls: true }).embeddingModel("e"),
  ],
];

const openai = ({ url }: Rehearsal) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).embeddingModel("e");
const ask = ({ url }: Rehearsal, body: object) =>
  fetch(`${url}/v1/embeddings`, { method: "POST", body: JSON.stringify(body) });

test.each(clients)(
  "the client of %s gets a vector for every text, in order, and the token count",
  async (_, connect) => {
    const rehearsal = await rehearse(talk);
    const model = connect(rehearsal.url);
    const { embeddings, usage } = await model.doEmbed({ values: ["a desk", "a lamp", "a desk"] });
    expect(embeddings.map((vector) => vector.length)).toEqual([8, 8, 8]);
    expect(embeddings[0]).toEqual(embeddings[2]);
    expect(embeddings[0]).not.toEqual(embeddings[1]);
    expect(usage).toEqual({ tokens: 6 });
    expect(rehearsal.failures).toEqual([]);
  },
);

test("the vectors have the requested dimensions, unless the script sets others", async () => {
  const rehearsal = await rehearse([{ when: { user: "odd" }, steps: [{ dimensions: 3 }] }]);
  const providerOptions = { openai: { dimensions: 12 } };
  const embed = (value: string) => openai(rehearsal).doEmbed({ values: [value], providerOptions });
  expect((await embed("a desk")).embeddings[0]).toHaveLength(12);
  expect((await embed("an odd desk")).embeddings[0]).toHaveLength(3);
});

test("vectors in base64 are the same 32-bit numbers", async () => {
  const rehearsal = await rehearse(talk);
  const list = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.unknown() })) });
  const read = async (encoding_format: string) =>
    list.parse(await (await ask(rehearsal, { model: "e", input: ["a", "b"], encoding_format })).json()).data;
  const floats = await read("float");
  const encoded = await read("base64");
  expect(encoded.map(({ index }) => index)).toEqual([0, 1]);
  for (const [index, { embedding }] of encoded.entries()) {
    const bytes = Buffer.from(z.string().parse(embedding), "base64");
    const numbers = Array.from({ length: 8 }, (_, at) => bytes.readFloatLE(at * 4));
    const expected = z.array(z.number()).parse(floats[index]?.embedding);
    expect(numbers).toEqual(expected.map(Math.fround));
  }
});

test("a turn for the texts plays its faults, and then the texts get their vectors", async () => {
  const fault = {
    when: { user: "desk" },
    steps: [
      { status: 429, times: 1 },
      { html: true, times: 1 },
    ],
  };
  const rehearsal = await rehearse([fault]);
  const model = openai(rehearsal);
  await expect(model.doEmbed({ values: ["a desk"] })).rejects.toMatchObject({ statusCode: 429 });
  await expect(model.doEmbed({ values: ["a desk"] })).rejects.toMatchObject({ statusCode: 502 });
  expect((await model.doEmbed({ values: ["a desk"] })).embeddings).toHaveLength(1);
  expect((await model.doEmbed({ values: ["a lamp"] })).embeddings).toHaveLength(1);
  expect(rehearsal.requests.map(({ played }) => played?.step)).toEqual([1, 2, undefined, undefined]);
});

test("a stall lasts until the client closes the connection", async () => {
  const rehearsal = await rehearse([{ steps: [{ stall: true }] }]);
  const abort = new AbortController();
  const embedding = openai(rehearsal).doEmbed({ values: ["a"], abortSignal: abort.signal });
  await rehearsal.nextRequest();
  abort.abort();
  await expect(embedding).rejects.toThrow(/abort/i);
});

test.each([
  ["no text", []],
  ["an empty text", ["a", ""]],
  ["more texts than the API takes", Array.from({ length: 2049 }, () => "a")],
])("%s is refused like the real API does, and is a failure", async (_, input) => {
  const rehearsal = await rehearse(talk);
  const response = await ask(rehearsal, { model: "e", input });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error" } });
  expect(rehearsal.failures).toHaveLength(1);
});
