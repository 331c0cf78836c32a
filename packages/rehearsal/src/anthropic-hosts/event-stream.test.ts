import { expect, test } from "vitest";
import { toEventStreamMessage } from "./event-stream.ts";

const hexOf = (headers: Record<string, string>, payload: string) =>
  Buffer.from(toEventStreamMessage(headers, payload)).toString("hex");

test("an empty message has its lengths and two checksums", () => {
  expect(hexOf({}, "")).toBe("00000010" + "00000000" + "05c248eb" + "7d98c8ff");
});

test("a payload is between the checksums", () => {
  expect(hexOf({}, "{'foo':'bar'}")).toBe(
    "0000001d" + "00000000" + "fd528c5a" + "7b27666f6f273a27626172277d" + "c3653936",
  );
});

test("a header has a name, a type and a text, with their lengths", () => {
  expect(hexOf({ a: "bc" }, "").slice(24, -8)).toBe("01" + "61" + "07" + "0002" + "6263");
});
