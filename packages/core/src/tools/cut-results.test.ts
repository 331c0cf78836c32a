import { cutText, silentLogger, type ToolContext } from "@bridle/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCutResults } from "./cut-results.ts";
import { createReadResultTool } from "./read-result.ts";

/** Texts with many characters that take two code units. */
const text = fc
  .array(fc.constantFrom("a", "\n", "é", "漢", "🌍", "👩‍🚀"), { maxLength: 60 })
  .map((parts) => parts.join(""));
const context: ToolContext = {
  signal: new AbortController().signal,
  runId: "run_1",
  callId: "c0",
  projectDir: ".",
  environment: {},
  logger: silentLogger,
  progress() {},
};
const limit = fc.oneof(fc.nat(80), fc.constant(Number.POSITIVE_INFINITY));

describe("a text that is cut", () => {
  test("is unchanged if it fits, otherwise it keeps both ends and counts the characters in between", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        const cut = cutText(whole, max);
        expect(cut === undefined).toBe(whole.length <= max);
        if (!cut) return;
        expect(cut.head.length + cut.omitted + cut.tail.length).toBe(whole.length);
        expect(whole.startsWith(cut.head) && whole.endsWith(cut.tail)).toBe(true);
        expect(cut.head.length + cut.tail.length).toBeLessThanOrEqual(max);
      }),
    );
  });

  test("has no half of a surrogate pair", () => {
    fc.assert(
      fc.property(text, limit, (whole, max) => {
        const cut = cutText(whole, max);
        expect(`${cut?.head ?? ""}|${cut?.tail ?? ""}`.isWellFormed()).toBe(true);
      }),
    );
  });

  test("is empty at limits of 0 and 1", () => {
    expect(cutText("abc", 0)).toEqual({ head: "", tail: "", omitted: 3 });
    expect(cutText("🌍🌍", 1)).toEqual({ head: "", tail: "", omitted: 4 });
  });
});

describe("read_result", () => {
  test("returns every character, page by page, for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, pageChars) => {
        expect(await readAll(whole, pageChars)).toBe(whole);
      }),
    );
  });

  test("reports the end of the result if the offset is too large", async () => {
    expect(await read(new Map([["c1", "abc"]]), { offset: 3 }, 10)).toBe("[The result ends at character 3.]");
  });

  test("lists the known results if the id is unknown", async () => {
    const results = new Map([["c1", "abc"]]);
    await expect(read(results, { id: "c9", offset: 0 }, 10)).rejects.toThrow('"c9". Known: c1.');
  });

  test("reads the newest result if no id is given", async () => {
    const results = new Map([
      ["c1", "old"],
      ["c2", "new"],
    ]);
    expect(await read(results, { offset: 0 }, 10)).toMatch(/new$/);
    expect(await read(results, { id: "c1", offset: 0 }, 10)).toMatch(/old$/);
  });
});

const unlimited = { maxResultChars: Number.POSITIVE_INFINITY };

describe("results of a run", () => {
  test("are stored whole if they are cut, and read_result is offered with the first of them", () => {
    const kept: string[] = [];
    const results = createCutResults((content) => `artifact ${kept.push(content)}`, unlimited);
    expect(results.find("read_result")).toBeUndefined();
    expect(results.fit("c1", "short", 10)).toEqual({ output: "short" });
    const first = results.fit("c2", "x".repeat(11), 10);
    expect(first).toMatchObject({ artifact: "artifact 1", addedTool: { name: "read_result" } });
    expect(first.output).toContain('id "c2" and offset 8');
    expect(results.fit("c3", "y".repeat(11), 10).addedTool).toBeUndefined();
    expect(kept).toEqual(["x".repeat(11), "y".repeat(11)]);
    expect(results.find("read_result")?.name).toBe("read_result");
  });

  test("are read with a tool that was there from the start if the host offers none later", async () => {
    const results = createCutResults(() => "artifact", { ...unlimited, offersResultsAtOnce: true });
    const readResult = results.find("read_result");
    await expect(readResult?.execute({ offset: 0 }, context)).rejects.toThrow("No result was cut");
    expect(results.fit("c1", "x".repeat(11), 10).addedTool).toBeUndefined();
    expect(await readResult?.execute({ id: "c1", offset: 10 }, context)).toContain("\nx");
  });

  test("are stored up to two million characters, and the model is told what is lost", async () => {
    const kept: string[] = [];
    const results = createCutResults((content) => `artifact ${kept.push(content)}`, unlimited);
    const whole = `${"x".repeat(1_999_999)}${"🌍".repeat(20_000_000)}end`;
    const { output } = results.fit("c1", whole, 100);
    expect(kept.map(({ length }) => length)).toEqual([1_999_999]);
    expect(output).toContain("of 42000002 characters are left out here. Only the first 1999999 were kept. Call");
    expect(output.endsWith("🌍end")).toBe(true);
    const page = await results.find("read_result")?.execute({ id: "c1", offset: 1_999_990 }, context);
    expect(page).toContain("x. This is the end.".slice(1));
    expect(results.fit("c2", "y".repeat(2_000_000), 100).output).not.toContain("were kept");
  });

  test("that could not be stored are not offered for reading", () => {
    const results = createCutResults(() => {
      throw new Error("disk full");
    }, unlimited);
    expect(() => results.fit("c1", "xx", 1)).toThrow("disk full");
    expect(results.find("read_result")).toBeUndefined();
  });
});

async function readAll(whole: string, pageChars: number): Promise<string> {
  const results = new Map([["c1", whole]]);
  let found = "";
  for (let pages = 0; found.length < whole.length && pages <= whole.length; pages++) {
    const page = await read(results, { offset: found.length }, pageChars);
    found += page.slice(page.indexOf("]\n") + 2);
  }
  return found;
}

async function read(results: ReadonlyMap<string, string>, input: Record<string, unknown>, pageChars: number) {
  const whole = new Map([...results].map(([id, text]) => [id, async () => text]));
  const output = await createReadResultTool(whole, pageChars).execute(input, context);
  return typeof output === "string" ? output : output.markdown;
}
