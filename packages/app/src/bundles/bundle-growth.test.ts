/** Tests bundles that were crafted to slow down the check or to fill the memory. */
import { gzipSync } from "node:zlib";
import { createRedactor, sha256 } from "@bridle/core";
import { expect, test } from "vitest";
import { packFiles, type TarFile } from "./archive/tar-for-tests.ts";
import { maxEventBytes, maxUnpackedBytes } from "./bundle-limits.ts";
import { checkBundle } from "./check-bundle.ts";
import { SecretFinder } from "./secrets/find-secrets.ts";

const redactor = createRedactor({ secrets: ["key-of-ada-4711"] });

/** Creates a bundle with a correct manifest. */
function bundleOf(...contents: [path: string, content: string | Buffer][]): Uint8Array {
  const files: TarFile[] = contents.map(([path, content]) => ({ path, content: Buffer.from(content) }));
  const manifest = {
    bundle: 1,
    madeAt: new Date(0).toISOString(),
    of: { kind: "project" },
    runs: [],
    leftOut: [],
    files: files.map(({ path, content }) => ({ path, bytes: content.length, sha256: sha256(content) })),
  };
  const all = [{ path: "manifest.json", content: Buffer.from(JSON.stringify(manifest)) }, ...files];
  return gzipSync(packFiles(all, new Date(0)));
}

const check = (bundle: Uint8Array) => checkBundle(new Blob([bundle]), "run.tar.gz", redactor);

const event = (input: unknown) =>
  JSON.stringify({
    type: "tool.requested",
    runId: "r",
    seq: 1,
    time: 1,
    callId: "c",
    tool: "t",
    input,
    inputHash: "h",
  });
const inputOf = (size: number) => event({ text: "a=b ".repeat(size / 4) });

/** The contents, by their size in characters. */
const families: Readonly<Record<string, (size: number) => [string, string][]>> = {
  "one line without an end": (size) => [["events.jsonl", "x".repeat(size)]],
  "one line of beginnings of tokens": (size) => [["notes.txt", "-eyJ".repeat(size / 4)]],
  "one line of credentials": (size) => [["notes.txt", "key-of-ada-4711 ".repeat(size / 16)]],
  "a credential on each line": (size) => [["notes.txt", "key-of-ada-4711\n".repeat(size / 16)]],
  "empty lines": (size) => [["events.jsonl", "\n".repeat(size)]],
  "one large event": (size) => [["events.jsonl", inputOf(size)]],
  "many events": (size) => [["events.jsonl", `${event({ a: "sk-ant-REDACTED" })}\n`.repeat(size / 160)]],
  "many files": (size) => Array.from({ length: size / 512 }, (_, index) => [`artifacts/${index}`, "x"]),
};

/** Measures the CPU time in milliseconds. The machine's load affects it less than the elapsed time. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage().user;
  await work();
  return (process.cpuUsage().user - before) / 1000;
}

test.each(Object.entries(families))(
  "checking a bundle with %s takes time in proportion to its size",
  async (_, make) => {
    const [small, large] = [bundleOf(...make(160_000)), bundleOf(...make(1_280_000))];
    await check(small);
    const first = Math.max(50, await measure(() => check(small)));
    expect(await measure(() => check(large))).toBeLessThan(8 * first * 4);
  },
);

test("a credential is reported by its file and line", async () => {
  const lines = ["a", "b key-of-ada-4711 key-of-ada-4711", "", "key-of-ada-4711"];
  const { problems } = await check(bundleOf(["notes.txt", lines.join("\n")], ["events.jsonl", ""]));
  expect(problems).toEqual(["notes.txt:2 contains a credential", "notes.txt:4 contains a credential"]);
});

test("a small file that unpacks to more than the limit is refused", async () => {
  const bomb = gzipSync(Buffer.alloc(256_000_001));
  expect(bomb.length).toBeLessThan(1_000_000);
  await expect(check(bomb)).rejects.toThrow("it has more than 256000000 bytes unpacked");
});

test("a large bundle may unpack to 200 times its size, but never to more than 4 GB", () => {
  expect([1, 1_000_000, 2_000_000, 10_000_000, 1_000_000_000].map(maxUnpackedBytes)).toEqual([
    256_000_000, 256_000_000, 400_000_000, 2_000_000_000, 4_000_000_000,
  ]);
});

test("a bomb inside of a bomb stays packed", async () => {
  const inner = gzipSync(Buffer.alloc(10_000_000));
  expect((await check(bundleOf(["artifacts/bomb", inner], ["events.jsonl", ""]))).problems).toEqual([]);
});

test.each([1000, 6000, 100_000])("an event with %i levels is reported as one that cannot be read", async (levels) => {
  const deep = event("INPUT").replace('"INPUT"', `${"[".repeat(levels)}${"]".repeat(levels)}`);
  const { problems, events } = await check(bundleOf(["events.jsonl", `${event({})}\n${deep}\n`]));
  expect([problems, events]).toEqual([["events.jsonl cannot be read"], 0]);
  expect((await check(bundleOf(["events.jsonl", `${event({})}\n`]))).events).toBe(1);
});

test("a credential that is divided between two parts of a text is found, once", () => {
  const before = 1024 * 1024;
  const content = Buffer.from(`${"x\n".repeat(before / 2)}key-of-ada-4711\n`);
  for (let cut = 0; cut <= 16; cut += 1) {
    const finder = new SecretFinder(redactor, { has: () => false });
    finder.begin("notes.txt");
    finder.add(content.subarray(0, before + cut));
    finder.add(content.subarray(before + cut));
    finder.end();
    expect(finder.found).toEqual([`notes.txt:${before / 2 + 1}`]);
  }
});

test("a line of events that is too long to be one is reported, and not kept in memory", async () => {
  const line = Buffer.alloc(maxEventBytes + 1, "x");
  expect((await check(bundleOf(["events.jsonl", line]))).problems).toEqual(["events.jsonl cannot be read"]);
});
