/**
 * Tests that an ingest ends in bounded time whatever a document contains, reports each unreadable document in one line, and reads the
 * others. The sizes here are small. `npm run soak` uses eight megabytes and 100,000 levels.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { isSoak } from "../../../../tests/support/soak.ts";
import { createPlace, finishCommand, startCommand } from "../support/command.ts";
import { ReadingModel } from "./reading-model.ts";

const size = isSoak ? 8_000_000 : 60_000;
const depth = isSoak ? 100_000 : 12_000;
const maxMs = isSoak ? 1_200_000 : 400_000;

const repeated = (part: string, chars = size) => part.repeat(Math.ceil(chars / part.length));
const nested = (open: string, close = "") => `${open.repeat(depth)}x${close.repeat(depth)}`;
const image = Buffer.from(repeated("\u0089PNG pixel", size * 0.7)).toString("base64");
const fact = (name: string) => `The ${name} fare is paid in cash.`;
const page = (name: string, hard: string) => `# ${name}\n\n${hard}\n\n${fact(name)}\n`;

const wordless = /^It has [\d,]+ characters, but (?:no words|only \d+ different words?)\. Correct it, or leave it out/;
const tooDeep = /is nested too deeply to be read\. Flatten it, or leave it out of the source\.$/;

/** The expected result for each file: one problem, or the file's sentence as a fact. */
const documents: Readonly<Record<string, readonly [text: string, problem: RegExp | "read"]>> = {
  "letter.md": [repeated("a"), wordless],
  "blanks.md": [repeated("a "), wordless],
  "entities.md": [repeated("&amp;"), wordless],
  "percent.md": [repeated("%41"), wordless],
  "pipes.md": ["|".repeat(isSoak ? 1_000_000 : 60_000), wordless],
  "brackets.md": [nested("[", "]"), wordless],
  "quotes.md": [nested('"', '"'), wordless],
  "emphasis.md": [nested("*a ", " b*"), wordless],
  "tags.md": [nested("<div>", "</div>"), wordless],
  "blockquotes.md": [nested("> "), wordless],
  "lists.md": [nested("- "), wordless],
  "letter.html": [`<p>${repeated("a")}`, wordless],
  "entities.html": [`<p>${repeated("&amp; ", Math.min(4 * size, 15_000_000))}`, wordless], // below the limit of 20 MB
  "tags.html": [nested("<div>", "</div>"), tooDeep],
  "tables.html": [nested("<table><tr><td>", "</td></tr></table>"), tooDeep],
  "image.md": [page("cabin", `![x](data:image/png;base64,${image})`), "read"],
  "lines.md": [page("deck", `![x](data:image/png;base64,${image.replaceAll(/.{76}/g, "$&\n")})`), "read"],
  "front.md": [`---\nlist: ${nested("[", "]")}\n---\n\n${fact("bow")}\n`, wordless],
  "aliases.md": [`---\n${laughs()}\n---\n\n${fact("stern")}\n`, "read"],
  "cell.csv": [
    `name,text\n1,${repeated("a", isSoak ? 5_000_000 : 300_000)}\n`,
    /^(?:It has|cell\.csv is a table of data)/,
  ],
};
/** Files that are not documents. They are ignored when their folder is read. */
const others = {
  "deep.json": nested("[", "]").replace("x", ""),
  "laughs.yaml": laughs(),
  "deep.yaml": nested("[", "]"),
  "mail.eml": `Subject: x\n\n${repeated("a ")}`,
};

function laughs(): string {
  const names = "abcdefghij".split("");
  const lines = names.slice(1).map((name, at) => `${name}: &${name} [${Array(9).fill(`*${names[at]}`).join(", ")}]`);
  return `a: &a [lol]\n${lines.join("\n")}`;
}

test(
  "an ingest of hard documents ends, reports each that it could not read in one line, and reads the others",
  async () => {
    const model = new ReadingModel();
    const rehearsal = await startRehearsal({ model: (request) => model.answer(request) });
    const place = await createPlace();
    onTestFinished(async () => {
      await place.remove();
      await rehearsal.close();
    });
    const provider = `{ backend: anthropic, apiKey: key-of-test, baseUrl: "${rehearsal.url}" }`;
    await writeFile(
      join(place.project, "bridle.yaml"),
      `llm: { provider: ${provider}, models: { default: claude-sonnet-5-5 } }\n`,
    );
    await mkdir(join(place.project, "docs"));
    const texts = Object.entries(documents).map(([name, [text]]) => [name, text] as const);
    for (const [name, text] of [...texts, ...Object.entries(others)])
      await writeFile(join(place.project, "docs", name), text);
    await writeFile(join(place.project, "docs/zz-last.md"), page("last", "Every fare has a price."));

    const command = startCommand(["context", "ingest", "docs", "--json"], place);
    const timer = setTimeout(() => command.child.kill("SIGKILL"), maxMs);
    const { code, stdout, stderr } = await finishCommand(command);
    clearTimeout(timer);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.not.stringMatching(/\n\s+at /) });

    const report: {
      sources: { problems: { item?: string; message: string }[] }[];
      added: { statement: string }[];
    } = JSON.parse(stdout);
    const problems = report.sources.flatMap((each) => each.problems);
    for (const [name, [, expected]] of Object.entries(documents)) {
      const own = problems.filter(({ item }) => item === name).map(({ message }) => message);
      expect([name, own]).toEqual([name, expected === "read" ? [] : [expect.stringMatching(expected)]]);
    }
    const facts = JSON.stringify(report.added);
    for (const name of ["cabin", "deck", "stern", "last"]) expect(facts).toContain(fact(name).slice(0, -1));
  },
  maxMs + 60_000,
);
