import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { DocumentReader } from "../src/reading/document-reader.ts";

const note = { name: "a.md", bytes: new TextEncoder().encode("# Returns\n\nSend it back.") };

/** The processes that this one has started. */
function children(): readonly number[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").match(/\d+/g) ?? [];
  return pids.map(Number);
}

test.skipIf(process.platform !== "linux")(
  "a file is read although what an earlier file left behind has ended the process that reads (needs Linux)",
  async () => {
    const reader = new DocumentReader({ maxFileBytes: 1_000_000 });
    onTestFinished(() => reader.close());
    const read = () => reader.read({ file: note, chunking: {}, records: {}, willDescribe: false });
    const before = new Set(children());
    const first = await read();
    const [pid, ...others] = children().filter((each) => !before.has(each));
    if (pid === undefined || others.length > 0) throw new Error("The reader has another number of processes than 1.");
    process.kill(pid, "SIGTERM");
    await expect.poll(children).not.toContain(pid);
    expect(await read()).toEqual(first);
  },
);
