import { expect, test } from "vitest";
import { toMcpOutput } from "./to-output.ts";

test("a failed call keeps its images, and is an error with the server's words if it has none", () => {
  const image = { type: "image" as const, mimeType: "image/png", data: "aGVsbG8=" };
  const text = { type: "text" as const, text: "The page is broken." };
  expect(toMcpOutput({ content: [text, image], isError: true })).toEqual({
    markdown: "The page is broken.",
    isError: true,
    images: [{ mediaType: "image/png", data: "aGVsbG8=" }],
  });
  expect(() => toMcpOutput({ content: [text], isError: true })).toThrow("The page is broken.");
});

test("a sound that is too large for the event log is described as such, and a small one is in the log", () => {
  const sound = (data: string) => ({ content: [{ type: "audio" as const, mimeType: "audio/wav", data }] });
  expect(toMcpOutput(sound("A".repeat(4_000_000))).markdown).toBe(
    "[A sound (audio/wav, 3,000,000 bytes), which is too large for the event log, and cannot be shown here.]",
  );
  expect(toMcpOutput(sound("A".repeat(400_000))).markdown).toBe(
    "[A sound (audio/wav, 300,000 bytes), which is in the event log and cannot be shown here.]",
  );
});
