/** Anthropic's own clients for its API, Vertex AI and Bedrock. */
import { AnthropicBedrock } from "@anthropic-ai/bedrock-sdk";
import { Anthropic, APIError } from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { defineScript, startRehearsal } from "../src/index.ts";

const script = defineScript({
  rehearsal: 1,
  turns: [
    {
      when: { user: "look" },
      steps: [{ call: "look", with: { id: "A-1" } }, { say: "It {{ look.result }}." }],
    },
    { steps: [{ say: "Hello there." }] },
  ],
});
const basics = { model: "claude-test", max_tokens: 100 } as const;
const hello = [{ role: "user" as const, content: "hello" }];

async function rehearse() {
  const rehearsal = await startRehearsal({ script });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

/** Returns headers for Google's clients, without sending anything to Google. */
const authClient = { projectId: "p", getRequestHeaders: async () => new Headers({ authorization: "Bearer t" }) };

/** The part that all clients have in common. The clouds' clients may include another version of the API's client, with other types. */
type Client = Pick<Anthropic, "messages" | "beta">;

const clients = {
  "the API": (baseURL: string): Client => new Anthropic({ baseURL, apiKey: "k", maxRetries: 0 }),
  "Vertex AI": (baseURL: string) =>
    new AnthropicVertex({
      baseURL,
      region: "global",
      projectId: "p",
      authClient: authClient as never,
      maxRetries: 0,
    }) as unknown as Client,
  Bedrock: (baseURL: string) =>
    new AnthropicBedrock({
      baseURL,
      awsRegion: "eu-west-1",
      awsAccessKey: "A",
      awsSecretKey: "S",
      maxRetries: 0,
    }) as unknown as Client,
};

describe.each(Object.entries(clients))("Anthropic's client for %s", (_, create) => {
  test("gets whole and streamed answers", async () => {
    const rehearsal = await rehearse();
    const { messages } = create(rehearsal.url);
    expect((await messages.create({ ...basics, messages: hello })).content).toEqual([
      { type: "text", text: "Hello there." },
    ]);
    expect(await messages.stream({ ...basics, messages: hello }).finalText()).toBe("Hello there.");
    expect(rehearsal.failures).toEqual([]);
  });

  test.each([true, false])("runs tools until the answer, streamed: %s", async (stream) => {
    const rehearsal = await rehearse();
    const look = betaZodTool({
      name: "look",
      description: "Finds an order.",
      inputSchema: z.object({ id: z.string() }),
      run: async ({ id }) => `shipped ${id}`,
    });
    const { beta } = create(rehearsal.url);
    const runner = beta.messages.toolRunner({
      ...basics,
      messages: [{ role: "user", content: "look" }],
      tools: [look],
      stream,
    });
    expect((await runner.runUntilDone()).content).toEqual([{ type: "text", text: "It shipped A-1." }]);
    expect(rehearsal.failures).toEqual([]);
  });

  test("reports what is refused", async () => {
    const { url } = await rehearse();
    const asked = create(url).messages.create({ ...basics, messages: [{ role: "assistant", content: "hello" }] });
    await expect(asked).rejects.toThrow("first message must use the user role");
  });
});

test.each(["the API", "Vertex AI"] as const)("the client for %s counts tokens", async (name) => {
  const { url } = await rehearse();
  const counted = await clients[name](url).messages.countTokens({ model: "claude-test", messages: hello });
  expect(counted.input_tokens).toBeGreaterThan(0);
});

describe("a thread", () => {
  async function opened() {
    const rehearsal = await rehearse();
    const client = new Anthropic({ baseURL: rehearsal.url, apiKey: "k", maxRetries: 0 });
    const send = (request: object) =>
      client.post<{ id: string }>("/v1/messages", { body: { ...basics, messages: hello, ...request } });
    return { rehearsal, send, first: await send({ system: "Be kind.", thread: { type: "create" } }) };
  }
  const next = (id: string) => ({ thread: { type: "continue", previous_message_id: id } });

  test("continues with what the rehearsal has kept", async () => {
    const { rehearsal, send, first } = await opened();
    await send(next(first.id));
    expect(rehearsal.failures).toEqual([]);
  });

  test("is unknown after the rehearsal starts again", async () => {
    const { rehearsal, send, first } = await opened();
    rehearsal.reset();
    const error = await send(next(first.id)).catch((caught) => caught);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status: 404, errorCode: "thread_not_found" });
  });

  test("cannot change its system prompt", async () => {
    const { send, first } = await opened();
    const changed = send({ ...next(first.id), system: "Be rude." });
    await expect(changed).rejects.toMatchObject({ status: 400, errorCode: "thread_fingerprint_mismatch" });
    await send({ ...next(first.id), system: "Be kind." });
  });
});
