import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { loop, startScript } from "./support/runs.ts";
import { linesOf, modelRequests } from "./support/wire.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const system = { static: "The static part.", dynamic: "The dynamic part." };

/** Text that Claude Code 2.1.330 adds to every request; `hostAdds` of the backend describes them. */
const versions = /^x-anthropic-billing-header: cc_version=2\.1\.330[^\n]*$/;
const identity = "You are a Claude agent, built on Anthropic's Claude Agent SDK.";
const email = /^user: <system-reminder>[^#]*# userEmail\n[^#]*rehearsal@example\.com[^#]*<\/system-reminder>\s*$/;
const surroundings =
  /^system: # Environment\n[^#]*working directory: [^#]*Platform: [^#]*Shell: [^#]*powered by the model[^#]*Today's date is [\d-]+\.$/;

test("the host adds only the texts in hostAdds to a request, also after a tool", async () => {
  const { runtime, rehearsal, home } = await startScript([{ call: "look" }, { say: "Done" }]);
  const account = { oauthAccount: { accountUuid: "0", emailAddress: "rehearsal@example.com", organizationUuid: "0" } };
  await writeFile(join(home.configDir, ".claude.json"), JSON.stringify(account));
  const { events } = await loop(runtime, { system });
  const [first, second] = modelRequests(rehearsal.requests);
  const added = [expect.stringMatching(email), "user: Go", expect.stringMatching(surroundings)];
  expect(first && linesOf(first)).toEqual(added);
  expect(second && linesOf(second)).toEqual([...added, "assistant: (tool_use)", "user: (tool_result)"]);
  for (const request of [first, second]) {
    expect(request?.system.map(({ text }) => text)).toEqual([
      expect.stringMatching(versions),
      identity,
      system.static,
      system.dynamic,
    ]);
  }
  expect(events.find(({ type }) => type === "model.input")).toMatchObject({
    hostAdds: [
      expect.stringContaining("Claude Agent SDK"),
      expect.stringContaining("environment"),
      expect.stringContaining("versions"),
      expect.stringContaining("continue"),
      expect.stringContaining("email"),
    ],
  });
});

test("the static part of the system prompt comes first and is cached across sessions, the dynamic part is not", async () => {
  const { runtime, rehearsal } = await startScript([{ say: "Done" }]);
  await runtime.generateText({ prompt: "Go", system, maxOutputTokens: 500 });
  const [request] = modelRequests(rehearsal.requests);
  expect(request?.system.slice(2)).toMatchObject([
    { text: system.static, cache_control: { type: "ephemeral", scope: "global" } },
    { text: system.dynamic, cache_control: { type: "ephemeral" } },
  ]);
  expect(request?.system.at(-1)).not.toHaveProperty("cache_control.scope");
  expect(request?.max_tokens).toBe(500);
});

test("without prompt caching no mark is sent", async () => {
  const { runtime, rehearsal } = await startScript(
    [{ call: "look" }, { say: "Done" }],
    {},
    { promptCaching: { enabled: false } },
  );
  await loop(runtime, { system });
  expect(modelRequests(rehearsal.requests)).toHaveLength(2);
  expect(JSON.stringify(rehearsal.requests)).not.toContain("cache_control");
});

test("an empty system prompt is not replaced by the host's own", async () => {
  const { runtime, rehearsal } = await startScript([{ say: "Done" }]);
  await runtime.generateText({ prompt: "Go" });
  const [request] = modelRequests(rehearsal.requests);
  expect(request?.system.map(({ text }) => text)).toEqual([expect.stringMatching(versions), identity]);
});

test("images, PDFs and text files reach the model in their order", async () => {
  const { runtime, rehearsal } = await startScript([{ say: "Done" }]);
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const pdf = base64("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>");
  await runtime.generateText({
    prompt: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image", mediaType: "image/png", data: png },
          { type: "file", mediaType: "application/pdf", data: pdf, name: "bill.pdf" },
          { type: "file", mediaType: "text/csv", data: base64("größe;1"), name: "sizes.csv" },
        ],
      },
    ],
  });
  const [request] = modelRequests(rehearsal.requests);
  const content = request?.messages.filter(({ role }) => role === "user").flatMap((message) => message.content);
  expect(content?.slice(-4)).toMatchObject([
    { type: "text", text: "Look:" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
    { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf }, title: "bill.pdf" },
    { type: "document", source: { type: "text", data: "größe;1" }, title: "sizes.csv" },
  ]);
});

test("a tool result of two megabytes is cut before the host's limit, and the model can page through it", async () => {
  const { runtime, rehearsal } = await startScript([
    { call: "dump" },
    { call: "read_result", with: { offset: 1_000_000 } },
    { say: "Done" },
  ]);
  const dump = defineTool({
    name: "dump",
    description: "Tells a lot.",
    input: z.object({}),
    execute: async () => `${"a".repeat(1_000_000)}${"b".repeat(1_000_000)}`,
  });
  const { result } = await loop(runtime, { tools: [dump] });
  expect(result).toMatchObject({ stopReason: "natural", text: "Done", toolCalls: 2, toolFailures: 0 });
  const requests = modelRequests(rehearsal.requests).map((request) => JSON.stringify(request.messages.at(-1)));
  expect(requests[1]).toMatch(/aaa.*2,?000,?000.*bbb/s);
  expect(requests[1]?.length).toBeLessThan(60_000);
  expect(requests[2]).toMatch(/1000000[^b]*bbbb/);
});

test("a prompt of half a megabyte arrives whole, and one of five fails before anything is sent", async () => {
  const { runtime, rehearsal } = await startScript([{ say: "Done" }]);
  const long = "ä ".repeat(250_000);
  await runtime.generateText({ prompt: long });
  expect(modelRequests(rehearsal.requests).map((request) => linesOf(request).includes(`user: ${long}`))).toEqual([
    true,
  ]);
  await expect(runtime.generateText({ prompt: long.repeat(10) })).rejects.toMatchObject({ code: "context_overflow" });
  expect(modelRequests(rehearsal.requests)).toHaveLength(1);
});

test("the images of a failed call reach the model without the mark of an error, which the API refuses beside images", async () => {
  const { runtime, rehearsal } = await startScript([{ call: "shoot" }, { say: "Done", forever: true }]);
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4IWeDFTEMLQkAd2xIgbfXr88AAAAASUVORK5CYII=";
  const images = [{ mediaType: "image/png", data }];
  const shoot = defineTool({
    name: "shoot",
    description: "Takes a picture.",
    input: z.object({}),
    execute: async () => ({ markdown: "It is broken.", images, isError: true }),
  });
  const session = await runtime.openSession({ tools: [shoot], stepBudget: 3 });
  for (const prompt of ["Go", "And now?"]) {
    expect(await (await session.send(prompt)).result).toMatchObject({ stopReason: "natural", text: "Done" });
    const sent = JSON.stringify(rehearsal.requests.at(-1)?.body);
    expect(sent).toContain(data);
    expect(sent).not.toContain('"is_error":true');
  }
});
