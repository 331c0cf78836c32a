/** Tests the behaviour of every embedder that has a host. */
import { setTimeout as sleep } from "node:timers/promises";
import { BackendCrashError, ConfigError, InvalidRequestError, StoppedError, TimeoutError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { type EmbedderUnderTest, rejectionOf } from "./embedders.ts";
import { type Answering, type EmbeddingServer, goodAnswer, vectorFor } from "./embeddings-server.ts";

export function testEmbedder({ name, start, path, credential }: EmbedderUnderTest): void {
  describe(name, () => {
    test("sends the key and the model of its options", async () => {
      const { server, embedder } = await start();
      await embedder.embed(["a"]);
      expect(server.requests).toMatchObject([{ path, headers: credential, body: { model: "embed-small" } }]);
      expect(embedder.model).toBe("embed-small");
    });

    test("returns one vector for each text, in the order of the texts, whichever answer comes first", async () => {
      const { server, embedder } = await start({ batchSize: 2 }, async (_, index) => {
        await sleep(30 - index * 10);
        return undefined;
      });
      const { vectors } = await embedder.embed(texts(5));
      expect(vectors.map((vector) => [...vector])).toEqual(texts(5).map((text) => vectorFor(text)));
      expect(inputs(server).sort()).toEqual([["text 0", "text 1"], ["text 2", "text 3"], ["text 4"]]);
    });

    test("returns vectors in the order of the texts if the host answers in another order", async () => {
      const { embedder } = await start({}, (request) => {
        const answer = goodAnswer(request);
        return { status: 200, body: { ...answer, data: answer.data.toReversed() } };
      });
      const { vectors } = await embedder.embed(texts(3));
      expect(vectors.map((vector) => [...vector])).toEqual(texts(3).map((text) => vectorFor(text)));
    });

    test("adds up the tokens of all requests, and counts none if the host reports none", async () => {
      const reporting = await start({ batchSize: 1 });
      expect((await reporting.embedder.embed(["ab", "cde"])).usage).toEqual({ inputTokens: 5 });
      const silent = await start({}, (request) => ({ status: 200, body: { data: goodAnswer(request).data } }));
      expect((await silent.embedder.embed(["ab"])).usage).toEqual({ inputTokens: 0 });
    });

    test("sends nothing for an empty list", async () => {
      const { server, embedder } = await start();
      expect(await embedder.embed([])).toEqual({ vectors: [], usage: { inputTokens: 0 } });
      expect(server.requests).toEqual([]);
    });

    test("refuses an empty text with its index, and sends nothing", async () => {
      const { server, embedder } = await start({ batchSize: 1 });
      const failure = await rejectionOf(embedder.embed(["a", "b", ""]));
      expect(failure).toBeInstanceOf(InvalidRequestError);
      expect(failure.message).toContain("The text at index 2 is empty");
      expect(server.requests).toEqual([]);
    });

    test("keeps each request within the limit of bytes, whatever the batch size", async () => {
      const { server, embedder } = await start({ batchSize: 100 });
      const long = "ä".repeat(60_000);
      await embedder.embed([long, long, long, "short"]);
      expect(
        inputs(server)
          .map(({ length }) => length)
          .sort(),
      ).toEqual([2, 2]);
    });

    test("runs a limited number of requests at a time", async () => {
      const together = answeringTogether(4);
      const { server, embedder } = await start({ batchSize: 1 }, together.answer);
      await embedder.embed(texts(20));
      expect(server.requests).toHaveLength(20);
      expect(together.max()).toBe(4);
    });

    test("shares the limit with every embedder of its account in this process", async () => {
      const together = answeringTogether(2);
      const { server, make } = await start({}, together.answer);
      const pair = [make({ batchSize: 1, limits: { maxConcurrency: 2 } }), make({ batchSize: 1 })];
      await Promise.all(pair.map((each) => each.embed(texts(10))));
      expect(server.requests).toHaveLength(20);
      expect(together.max()).toBe(2);
    });

    test("requests the dimensions of its options, and none by default", async () => {
      const asked = await start({ dimensions: 3 });
      const { vectors } = await asked.embedder.embed(["a", "b"]);
      expect(vectors.map(({ length }) => length)).toEqual([3, 3]);
      expect(asked.server.requests).toMatchObject([{ body: { dimensions: 3 } }]);
      const unasked = await start();
      await unasked.embedder.embed(["a"]);
      expect(unasked.server.requests[0]?.body).not.toHaveProperty("dimensions");
    });

    test("fails with a ConfigError if the host returns other dimensions than requested", async () => {
      const { embedder } = await start(
        { dimensions: 3 },
        vectorsOfLength(() => 5),
      );
      const failure = await rejectionOf(embedder.embed(["a"]));
      expect(failure).toBeInstanceOf(ConfigError);
      expect(failure.message).toContain(
        "The model embed-small answers with vectors of 5 dimensions, but 3 were requested",
      );
    });

    test("fails if vectors differ in length, in one call or between calls", async () => {
      const { embedder } = await start(
        { batchSize: 1 },
        vectorsOfLength(({ body }) => body.input.join().length),
      );
      const failure = await rejectionOf(embedder.embed(["aa", "bbb"]));
      expect(failure).toBeInstanceOf(BackendCrashError);
      expect(failure.message).toContain("embed-small answered with vectors of 3 and of 2 dimensions");
      await embedder.embed(["aa", "bb"]);
      expect(await rejectionOf(embedder.embed(["bbb"]))).toBeInstanceOf(BackendCrashError);
    });

    test("ends with a StoppedError if its caller's signal is aborted, and leaves no request open", async () => {
      const { server, embedder } = await start({ batchSize: 1 }, () => "stall");
      const caller = new AbortController();
      const failed = rejectionOf(embedder.embed(texts(9), { signal: caller.signal }));
      await expect.poll(() => server.open()).toBe(4);
      caller.abort();
      expect(await failed).toBeInstanceOf(StoppedError);
      await expect.poll(() => server.open()).toBe(0);
      expect(server.requests).toHaveLength(4);
    });

    test("sends nothing if its caller's signal is aborted already", async () => {
      const { server, embedder } = await start();
      const failure = await rejectionOf(embedder.embed(["a"], { signal: AbortSignal.abort() }));
      expect(failure).toBeInstanceOf(StoppedError);
      expect(server.requests).toEqual([]);
    });

    test("ends with a TimeoutError if a host stalls longer than its time limit", async () => {
      const { server, embedder } = await start({}, () => "stall");
      const failure = await rejectionOf(embedder.embed(["a"], { timeoutMs: 50 }));
      expect(failure).toBeInstanceOf(TimeoutError);
      expect(failure.message).toContain("0.05 s");
      await expect.poll(() => server.open()).toBe(0);
    });

    test.each([0, -1, Number.NaN])("refuses a time limit of %s", async (timeoutMs) => {
      const { server, embedder } = await start();
      const failure = await rejectionOf(embedder.embed(["a"], { timeoutMs }));
      expect(failure).toBeInstanceOf(InvalidRequestError);
      expect(failure.message).toContain(`timeoutMs is ${timeoutMs}.`);
      expect(server.requests).toEqual([]);
    });

    test("ends calls in progress when it is closed, and refuses later calls", async () => {
      const { server, embedder } = await start({}, () => "stall");
      const failed = rejectionOf(embedder.embed(["a"]));
      await expect.poll(() => server.open()).toBe(1);
      await embedder.close();
      expect(await failed).toBeInstanceOf(StoppedError);
      await expect.poll(() => server.open()).toBe(0);
      expect((await rejectionOf(embedder.embed(["a"]))).message).toBe("The embedder is closed. Create a new one.");
    });
  });
}

const texts = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

const inputs = (server: EmbeddingServer) => server.requests.map(({ body }) => body.input);

function vectorsOfLength(lengthFor: (request: Parameters<Answering>[0]) => number): Answering {
  return (request) => {
    const data = goodAnswer({ ...request, body: { ...request.body, dimensions: lengthFor(request) } }).data;
    return { status: 200, body: { data } };
  };
}

/** Creates answers that wait until this many requests are open, and counts the most that were open at once. */
function answeringTogether(count: number) {
  const isFull = Promise.withResolvers<void>();
  let [open, max] = [0, 0];
  const answer = async () => {
    open += 1;
    max = Math.max(max, open);
    if (open === count) isFull.resolve();
    await isFull.promise;
    await sleep(5);
    open -= 1;
    return undefined;
  };
  return { answer, max: () => max };
}
