import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { toEditor } from "./editor-output.ts";

test("an editor that does not read makes the next messages wait, and gets all of them when it reads", async () => {
  const read: string[] = [];
  const waiting: (() => void)[] = [];
  const stdout = new Writable({
    highWaterMark: 4,
    write(chunk, _encoding, done) {
      read.push(String(chunk));
      waiting.push(done);
    },
  });
  const editor = toEditor(stdout);
  for (const text of ["first", "second", "third"]) editor.write(text);
  await setImmediate();
  expect([read, stdout.writableLength]).toEqual([["first"], 5]);
  while (read.length < 3) {
    waiting.shift()?.();
    await setImmediate();
  }
  expect(read).toEqual(["first", "second", "third"]);
});
