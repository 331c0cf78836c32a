import { collect, createMemoryBackend } from "@bridle/conformance";
import { defineTool, type ToolImage } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { createAgentRuntime } from "../runtime/runtime.ts";

const png: ToolImage = {
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4IWeDFTEMLQkAd2xIgbfXr88AAAAASUVORK5CYII=",
};

async function runWith(images: unknown, resultImages = true) {
  const steps = [{ calls: [{ tool: "look", input: {} }] }, { say: "done" }];
  const backend = createMemoryBackend([{ steps }], { resultImages });
  const runtime = createAgentRuntime({ backend, models: { default: "m" } });
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: z.object({}),
    execute: async () => ({ markdown: "Seen.", images: images as ToolImage[] }),
  });
  const session = await runtime.openSession({ tools: [look], stepBudget: 3 });
  const run = await session.send("go");
  const events = await collect(run);
  const finished = events.find((event) => event.type === "tool.finished");
  const notices = events.flatMap((event) => (event.type === "notice" ? [event] : []));
  return { finished, notices, session, backend };
}

test("an image for a host that accepts none in a result is replaced by a note, and a notice is logged", async () => {
  const { finished, notices } = await runWith([png], false);
  const note = "[An image (image/png, 74 bytes) cannot be shown here: memory accepts no images in tool results.]";
  expect(finished).toMatchObject({ ok: true, output: `Seen.\n\n${note}` });
  expect(finished).not.toHaveProperty("images");
  expect(notices).toMatchObject([{ level: "warning", code: "image-not-sent", message: expect.stringContaining(note) }]);
});

test("an image is sent with the media type that it has, not with the one that the tool says", async () => {
  const { finished } = await runWith([{ ...png, mediaType: "image/jpeg" }]);
  expect(finished).toMatchObject({ output: "Seen.", images: [{ type: "image", ...png }] });
});

test.for([
  ["another kind of image", { mediaType: "image/svg+xml", data: "PHN2Zy8+" }, "not a PNG, JPEG, GIF or WebP"],
  ["a text that is no base64", { mediaType: "image/png", data: "iVBORw0KGgo=?" }, "not a PNG, JPEG, GIF or WebP"],
  ["an image of more than 5 MB", { ...png, data: png.data.padEnd(7_000_004, "A") }, "at most 5 MB"],
] as const)("%s is replaced by a note, because hosts would refuse the whole request", async ([_, image, reason]) => {
  const { finished, notices } = await runWith([png, image]);
  expect(finished).toMatchObject({
    ok: true,
    output: expect.stringContaining(reason),
    images: [{ type: "image", ...png }],
  });
  expect(notices).toHaveLength(1);
});

test("of too many images the first are sent, and one note and one notice stand for the others", async () => {
  const { finished, notices } = await runWith(Array.from({ length: 150 }, () => png));
  const note = "[130 images cannot be shown here: a result can have at most 20 images, of 20 MB together.]";
  expect(finished).toMatchObject({ ok: true, output: `Seen.\n\n${note}`, images: { length: 20 } });
  expect(notices).toMatchObject([{ message: expect.stringContaining(note) }]);
});

test("of images with more than 20 MB together, those that fit are sent", async () => {
  const large = { ...png, data: png.data.replace("=", "A").padEnd(6_900_000, "A") };
  const { finished } = await runWith([large, large, large, large, large, png]);
  expect(finished).toMatchObject({
    output: expect.stringContaining("[An image cannot be shown here"),
    images: { length: 5 },
  });
});

test("a tool that returns no list of images fails with an error that names it", async () => {
  const { finished } = await runWith("a picture");
  expect(finished).toMatchObject({ ok: false, output: expect.stringContaining("look returned invalid images") });
});

test("a session that moves to a host without images in results gets notes instead of them", async () => {
  const { session } = await runWith([png]);
  const backend = createMemoryBackend([{ steps: [{ say: "fine" }] }], { resultImages: false });
  const runtime = createAgentRuntime({ backend, models: { default: "m" } });
  const moved = await runtime.openSession({ tools: [], stepBudget: 1 });
  moved.edit(session.history());
  expect((await (await moved.send("again")).result).text).toBe("fine");
  expect(backend.sent[0]?.images).toEqual([]);
  expect(backend.sent[0]?.texts.join()).toContain("memory accepts no images in tool results");
});

test("compaction leaves out images like long results", async () => {
  const { session } = await runWith([png]);
  expect(await session.compact("drop-tool-results")).toBe(true);
  const text = JSON.stringify(session.history());
  expect(text).toContain("This result of 5 characters and an image was left out");
  expect(text).not.toContain(png.data);
});
