import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { formatContextProblem } from "../files/file-problem.ts";
import { editPage, formatPage } from "./format-page.ts";
import { splitBlocks } from "./page-blocks.ts";
import { PageFolder } from "./page-folder.ts";
import { findPageLinks } from "./page-links.ts";
import { parsePage } from "./parse-page.ts";
import { isSlug, toSlug } from "./slugs.ts";

const file = "context/wiki/fares.md";
const problemsOf = (text: string) => parsePage(text, file).problems.map(formatContextProblem);

const page = `---
# what we charge
title: Fares
owner: team sales # unknown to us
tables: [w.main.fares]
sources:
  - source: notion
    item: metrics/fares.md
    title: 'Fare metrics'
    pages: 3
---

# Fares

Gross fare is before refunds. [1]
`;

describe("parsing", () => {
  test("a page has its front matter with unknown keys, and its text", () => {
    const { front, body, problems } = parsePage(page, file);
    expect(problems).toEqual([]);
    expect(front).toEqual({
      title: "Fares",
      owner: "team sales",
      tables: ["w.main.fares"],
      sources: [{ source: "notion", item: "metrics/fares.md", title: "Fare metrics", pages: 3 }],
    });
    expect(body).toBe("\n# Fares\n\nGross fare is before refunds. [1]\n");
  });

  test.each([
    ["a front matter that is no YAML", "---\ntitle: [\n---\n", `${file}:3:1: the front matter is not YAML`],
    [
      "an unknown word",
      "---\ntitle: A\nuse: sometimes\n---\n",
      `${file}:3:1: use is "sometimes", but must be one of always, search, never.`,
    ],
    ["a misspelt key", "---\nsumary: A\n---\n", `${file}:2:1: unknown key "sumary". Did you mean "summary"?`],
    [
      "a source without a name",
      "---\nsources:\n  - item: a.md\n---\n",
      `${file}:3:5: sources.0.source is missing, but must be a text.`,
    ],
    [
      "a front matter without end",
      "---\ntitle: A\n",
      `${file}:2:1: the front matter does not end. Add a line with --- after it.`,
    ],
    [
      "a text that is too long",
      `---\ntitle: A\n---\n${"word ".repeat(900)}`,
      `${file}:4:4001: the text has 4,499 characters`,
    ],
    ["an alias of itself", "---\na: &a [*a]\n---\n", `${file}:2:1: an alias in the front matter cannot be expanded.`],
  ])("%s is reported with its place", (_, text, message) => {
    expect(problemsOf(text).join("\n")).toContain(message);
  });

  test("a value with a problem is left out, and the others are used", () => {
    expect(parsePage("---\ntitle: A\ntags: 5\nowner: B\n---\ntext", file).front).toEqual({ title: "A", owner: "B" });
  });

  test("a page without front matter is a text, also with Windows line ends", () => {
    expect(parsePage("# Fares\r\n\r\ntext\r\n", file)).toMatchObject({
      front: {},
      body: "# Fares\n\ntext\n",
      problems: [],
    });
  });

  test("any text is parsed without an exception, and editing nothing changes nothing", () => {
    const lines = fc.array(fc.constantFrom("---", "--- ", "title: a", "- b", "# c", "", "x: [", "```", "\ttext"), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(lines, (parts) => {
        const text = parts.join("\n");
        const { body, problems } = parsePage(text, file);
        if (problems.length > 0) return;
        const edited = editPage(text, file, { front: {}, body });
        expect(parsePage(edited, file)).toMatchObject({ front: parsePage(text, file).front });
        expect(parsePage(edited, file).body.trim()).toBe(body.trim());
      }),
    );
  });
});

describe("formatting", () => {
  test("the same page is read from what was written, for any texts", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1 }).map((text) => text.trim() || "x");
    fc.assert(
      fc.property(word, fc.array(word), word, (title, tags, item) => {
        const front = { title, ...(tags.length > 0 && { tags }), sources: [{ source: "a", item }] };
        expect(parsePage(formatPage({ front, body: "text" }), file)).toMatchObject({
          front,
          body: "\ntext\n",
          problems: [],
        });
      }),
    );
  });

  test("an edit keeps comments, order, unknown keys, quotes and line ends", () => {
    const edited = editPage(page, file, {
      front: { title: "Fares", summary: "What we charge.", tables: [] },
      body: parsePage(page, file).body.replace("before", "after"),
    });
    expect(edited).toBe(
      page
        .replace("tables: [w.main.fares]\n", "")
        .replace("pages: 3\n", "pages: 3\nsummary: What we charge.\n")
        .replace("before", "after"),
    );
    const windows = page.replaceAll("\n", "\r\n");
    expect(editPage(windows, file, { front: {}, body: parsePage(windows, file).body })).toBe(windows);
  });

  test("a page whose front matter is no YAML is not overwritten", () => {
    expect(() => editPage("---\ntitle: [\n---\nx", file, { front: { title: "A" }, body: "y" })).toThrow(
      `${file}:3:1: the file cannot be changed, because it is not YAML`,
    );
    expect(() => editPage("---\ntitle: A\nx", file, { front: {}, body: "y" })).toThrow("does not end");
  });
});

test("links are found outside of code, with their places", () => {
  const body = "See [[fares]] and [[refunds|the refunds]].\n\n```\n[[code]]\n```\n`[[code]]` \\[[no]] [[a#B]] [x](y)";
  expect(findPageLinks(body)).toEqual([
    { slug: "fares", offset: 4 },
    { slug: "refunds", offset: 18 },
    { slug: "a", offset: body.indexOf("[[a#B") },
  ]);
});

test("blocks are separated by blank lines, except in code and comments", () => {
  const body =
    "# A\ntext\nmore\n\n```sql\nselect 1\n\nfrom x\n```\n\n<!-- a\n\nb -->\nlast\n\n- one\n- two\n\n\n## B\n";
  expect(splitBlocks(body).map(({ text, kind }) => `${kind}: ${text}`)).toEqual([
    "heading: # A",
    "text: text\nmore",
    "text: ```sql\nselect 1\n\nfrom x\n```",
    "text: <!-- a\n\nb -->\nlast",
    "text: - one\n- two",
    "heading: ## B",
  ]);
  for (const { text, offset } of splitBlocks(body)) expect(body.slice(offset, offset + text.length)).toBe(text);
});

test("the name of a page has letters and digits of any script, and is a name of a file on every system", () => {
  expect(toSlug("Gross Fare (before refunds)")).toBe("gross-fare-before-refunds");
  expect(toSlug("停車違反の罰金")).toBe("停車違反の罰金");
  expect(toSlug("Über uns")).toBe("über-uns");
  expect(toSlug("../../etc/passwd")).toBe("etc-passwd");
  expect(toSlug("CON")).toBe("con-page");
  expect(toSlug("…")).toBe("page");
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => isSlug(toSlug(text))));
});

test("pages are read from their folder, again only after a change, and no link leads out of the project", () => {
  const [projectDir, other] = [
    mkdtempSync(join(tmpdir(), "bridle-pages-")),
    mkdtempSync(join(tmpdir(), "bridle-other-")),
  ];
  onTestFinished(() => [projectDir, other].forEach((each) => void rmSync(each, { recursive: true })));
  const folder = new PageFolder({ projectDir });
  expect(folder.read().pages).toEqual([]);
  mkdirSync(join(projectDir, "context/wiki"), { recursive: true });
  writeFileSync(join(projectDir, file), page);
  writeFileSync(join(projectDir, "context/wiki/.fares.md.1.tmp"), "half");
  writeFileSync(join(other, "secret.md"), "secret");
  symlinkSync(join(other, "secret.md"), join(projectDir, "context/wiki/leak.md"));
  const read = folder.read();
  expect(read.pages.map(({ slug, file: path, front }) => [slug, path, front.title])).toEqual([
    ["fares", file, "Fares"],
  ]);
  expect(read.problems.map(formatContextProblem)).toEqual([
    "context/wiki/leak.md: the page is a link that leads out of the project. Remove it.",
  ]);
  expect(folder.read()).toBe(read);
  writeFileSync(join(projectDir, file), `${page}\nMore.\n`);
  expect(folder.read().pages[0]?.body).toContain("More.");
});
