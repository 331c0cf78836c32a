import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestCli, runCli } from "../../command/cli-for-tests.ts";
import { IndexProgress } from "./index-progress.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-documents-command-"));
  await mkdir(join(cwd, "docs"));
  await writeFile(join(cwd, "bridle.yaml"), "llm: { provider: { backend: none } }\n");
  await put("docs/returns.md", "# Orders\n\n## Returns\n\nSend it back within 30 days.\n");
  await put("docs/fees.md", "# Fees\n\nShipping costs 4 euros.\n");
  await agent("  - { type: documents, name: handbook, source: docs }\n");
});
afterEach(() => rm(cwd, { recursive: true }));

const put = (name: string, text: string) => writeFile(join(cwd, name), text);
const agent = (tools: string, more = "") =>
  put("agent.yaml", `name: desk\ninstructions: { inline: Help. }\ntools:\n${tools}${more}`);
const bridle = (...words: string[]) => runCli(["documents", ...words], { cwd });

describe("bridle documents", () => {
  test("index lists the outcome of each file, and exits with 1 if a file could not be read", async () => {
    const first = await bridle("index");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(await readdir(join(cwd, ".bridle/documents"))).toHaveLength(1);
    expect(first.stdout).toMatch(
      /^handbook: 0 unchanged, 2 parts written \(\.bridle\/documents\/handbook-\w{8}\.db\)\n {2}added {4}docs\/fees\.md\n {2}added {4}docs\/returns\.md\n$/,
    );
    await put("docs/fees.md", "# Fees\n\nNone.\n");
    await put("docs/broken.pdf", "no PDF");
    const second = await bridle("index", "--json");
    expect(second.code).toBe(1);
    expect(JSON.parse(second.stdout)).toMatchObject({
      documents: [
        {
          tool: "handbook",
          added: [],
          changed: ["docs/fees.md"],
          renamed: [],
          removed: [],
          unchanged: 1,
          failed: [
            { file: "docs/broken.pdf", problem: expect.stringContaining("docs/broken.pdf cannot be read as a PDF") },
          ],
        },
      ],
    });
    expect((await bridle("index", "--rebuild")).stdout).toMatch(
      /added {4}docs\/fees\.md\n[\s\S]*failed {3}docs\/broken\.pdf/,
    );
  });

  test.each([
    ["no database", (sound: Buffer) => Buffer.alloc(sound.length, "notes ")],
    ["cut off", (sound: Buffer) => sound.subarray(0, sound.length - 9000)],
    ["overwritten", (sound: Buffer) => Buffer.concat([sound.subarray(0, 4096), Buffer.alloc(sound.length - 4096, 7)])],
  ])("the error for a damaged index (%s) names its remedy, and --rebuild builds the index again", async (_, damage) => {
    await bridle("index");
    const [name = ""] = await readdir(join(cwd, ".bridle/documents"));
    const file = join(cwd, ".bridle/documents", name);
    await writeFile(file, damage(await readFile(file)));
    for (const words of [["search", "fees"], ["status"], ["index"]]) {
      const { code, stderr } = await bridle(...words);
      expect([code, stderr]).toEqual([3, expect.stringContaining("Build it again: bridle documents index --rebuild.")]);
    }
    expect(await bridle("index", "--rebuild")).toMatchObject({ code: 0, stderr: "" });
    expect((await bridle("search", "fees")).stdout).toContain("docs/fees.md:1-3  Fees");
  });

  test("search returns the same passages as the agent's tool, from the current files", async () => {
    const { code, stdout } = await bridle("search", "send back");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^handbook \(keyword\):\n\n0\.\d\d {2}docs\/returns\.md:1-5 {2}Orders > Returns\n {2}# Orders\n/,
    );
    await put("docs/gifts.md", "A gift.");
    const found = JSON.parse((await bridle("search", "gift", "--top-k", "1", "--json")).stdout);
    expect(found).toMatchObject({
      query: "gift",
      documents: [{ tool: "handbook", hits: [{ file: "docs/gifts.md" }] }],
    });
    expect((await bridle("search", "zebra")).stdout).toBe("handbook (keyword): no results.\n");
  });

  test("status counts the files and parts of the index, and says if nothing is indexed yet", async () => {
    expect((await bridle("status")).stdout).toBe(
      'handbook (keyword): not indexed yet. "bridle documents index" or the first search does it.\n',
    );
    await bridle("index");
    expect((await bridle("status")).stdout).toMatch(/^handbook \(keyword\): 2 files, 2 parts \(\.bridle\/documents\//);
    expect(JSON.parse((await bridle("status", "--json")).stdout)).toMatchObject({
      documents: [{ tool: "handbook", mode: "keyword", index: { files: 2, chunks: 2 } }],
    });
  });

  test("index and status list each file that is left out, with the reason", async () => {
    await put("docs/logo.png", "no document");
    await put("docs/empty.md", "");
    await put("docs/broken.pdf", "no PDF");
    await writeFile(
      join(cwd, "docs/latin.txt"),
      Buffer.from("Die Rückgabe ist möglich. Größere Gebühren fallen an.", "latin1"),
    );
    const left = [
      expect.stringMatching(/^ {2}failed {3}docs\/broken\.pdf cannot be read as a PDF \(/),
      "  skipped  docs/empty.md has no text.",
      "  skipped  docs/logo.png has the ending .png, which is not supported.",
      expect.stringMatching(/^ {2}warning {2}docs\/latin\.txt is read as \S+, which is a guess\./),
    ];
    expect((await bridle("index")).stdout.trimEnd().split("\n").slice(-4)).toEqual(left);
    const { code, stdout } = await bridle("status");
    expect([code, stdout.trimEnd().split("\n").slice(1)]).toEqual([0, left]);
    const [status] = JSON.parse((await bridle("status", "--json")).stdout).documents;
    expect(status.index).toMatchObject({ failed: [{ file: "docs/broken.pdf" }], skipped: [{}, {}], warnings: [{}] });
    for (let file = 0; file < 25; file++) await put(`docs/${file}.bin`, "");
    expect((await bridle("index")).stdout).toContain("  skipped  and 7 more\n");
  });

  test("--tool selects the documents of one tool, and an unknown name is refused with the nearest", async () => {
    await agent(
      "  - { type: documents, name: handbook, source: docs }\n  - { type: documents, name: fees, source: docs/fees.md }\n",
    );
    expect((await bridle("search", "shipping", "--tool", "fees")).stdout).toMatch(
      /^fees \(keyword\):\n\n0\.\d\d {2}docs\/fees\.md/,
    );
    expect((await bridle("search", "shipping")).stdout.match(/\(keyword\)/g)).toHaveLength(2);
    expect(await bridle("index", "--tool", "handbok")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /no documents of the name handbok\. It has handbook, fees\.\s+Did you mean "handbook"\?/,
      ),
    });
  });

  test("the error names the missing part: a query, a file, documents, embeddings", async () => {
    expect(await bridle("search")).toMatchObject({ code: 2, stderr: expect.stringContaining("The query is missing.") });
    expect(await bridle("search", "a", "--mode", "fuzzy")).toMatchObject({ code: 2 });
    expect(await bridle("index", "other.yaml")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("other.yaml"),
    });
    expect(await bridle("search", "a", "--mode", "semantic")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("no embeddings are configured."),
    });
    await agent("  - { type: vectorstore, name: handbook, source: docs }\n");
    expect(await bridle("index")).toMatchObject({ code: 3, stderr: expect.stringContaining("Set embedding_provider") });
    expect(await bridle("status")).toMatchObject({ code: 0 });
    await put("agent.yaml", "name: desk\ninstructions: { inline: Help. }\n");
    expect(await bridle("index")).toMatchObject({ code: 3, stderr: expect.stringContaining("has no documents.") });
  });

  test("an interrupted index keeps the files that were read", async () => {
    const test = createTestCli(["documents", "index"], { cwd });
    const ended = test.run();
    const poll = setInterval(() => test.interrupt("SIGINT"), 1);
    const { code, stderr } = await ended.finally(() => clearInterval(poll));
    if (code !== 0) expect([code, stderr]).toEqual([130, expect.stringContaining("interrupted by SIGINT")]);
    expect((await bridle("index")).code).toBe(0);
  });
});

test("progress appears after a second, with an estimate after ten, in one line on a terminal and few lines in a log", () => {
  const tell = (isTTY: boolean, times: readonly number[]) => {
    const texts: string[] = [];
    let at = 0;
    const stderr = { write: (text: string) => void texts.push(text), isTTY, columns: isTTY ? 60 : undefined };
    const progress = new IndexProgress(stderr, {}, () => at);
    for (const time of times) {
      at = time;
      progress.show({ done: time / 100, total: 400, file: "docs/a.md" });
    }
    progress.stop();
    return texts.join("");
  };
  expect(tell(true, [0, 500, 900])).toBe("");
  expect(tell(true, [1000])).toMatch(/^… 10 of 400 files: docs\/a\.md\r +\r$/);
  expect(tell(true, [20_000])).toMatch(/^… 200 of 400 files, about 20(\.0)? s left: docs\/a\.md\r +\r$/);
  expect(tell(false, [0, 5000])).toBe("");
  expect(tell(false, [10_000, 12_000, 20_000])).toMatch(
    /^… 100 of 400 files, about 30(\.0)? s left: docs\/a\.md\n… 200 of 400 .*\n$/,
  );
});
