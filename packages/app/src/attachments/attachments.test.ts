import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { attachedMessage } from "./attachment.ts";
import { listPaths } from "./list-files.ts";
import { findMentionedFiles, findMentions } from "./mentions.ts";
import { readAttachment, readAttachments } from "./read-attachment.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d", "hex");
let cwd = "";
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-attach-"));
  await mkdir(join(cwd, "docs"));
  await writeFile(join(cwd, "notes.md"), "one\ntwo\n");
  await writeFile(join(cwd, "my notes.md"), "three");
  await writeFile(join(cwd, "wide.txt"), Buffer.from("\ufeffGrüße", "utf16le"));
  await writeFile(join(cwd, "logo.png"), png);
  await writeFile(join(cwd, "data.bin"), Buffer.from([1, 0, 2, 255]));
  await writeFile(join(cwd, "empty.txt"), "");
  await writeFile(join(cwd, ".env"), "A=1");
});
afterAll(() => rm(cwd, { recursive: true }));

test("a text, a UTF-16 text and an image become parts of the prompt, after its text", async () => {
  const files = await readAttachments(["notes.md", "wide.txt", "logo.png"], cwd);
  expect(files.map(({ description }) => description)).toEqual(["text, 2 lines", "text, 1 line", "image/png, 12 bytes"]);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  expect(attachedMessage({ text: "Compare them.", attachments: files }).content).toEqual([
    { type: "text", text: "Compare them." },
    { type: "file", mediaType: "text/plain", name: "notes.md", data: base64("one\ntwo\n") },
    { type: "file", mediaType: "text/plain", name: "wide.txt", data: base64("Grüße") },
    { type: "image", mediaType: "image/png", data: png.toString("base64") },
  ]);
});

test("a file outside of the folder is marked as one, also behind a link in the folder", async () => {
  const home = await openFolder();
  const folder = join(home, "project");
  await mkdir(join(folder, "..later"), { recursive: true });
  for (const name of ["key.txt", "project/notes.md", "project/..later/plan.md"]) await writeFile(join(home, name), "x");
  await symlink(join(home, "key.txt"), join(folder, "linked.txt"));
  await symlink(home, join(folder, "home"));
  await symlink("notes.md", join(folder, "inside.md"));
  const names = ["notes.md", "inside.md", "..later/plan.md", "linked.txt", "home/key.txt", "../key.txt"];
  const files = await readAttachments(names, folder);
  expect(files.map(({ isOutside }) => isOutside)).toEqual([false, false, false, true, true, true]);
});

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-attach-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.each([
  ["nowhere.md", "The file nowhere.md does not exist. Correct it."],
  ["docs", "The file docs is a folder. Correct it."],
  ["empty.txt", "The file empty.txt is empty. Correct it."],
  ["data.bin", "The file data.bin is not text, not a PDF and not an image (PNG, JPEG, GIF, WebP). Correct it."],
  ["/dev/zero", "The file /dev/zero cannot be read (not a regular file). Correct it."],
])("%s is refused as an attachment with its reason", async (name, message) => {
  await expect(readAttachment(name, cwd, "Correct it.")).rejects.toThrow(message);
});

test("a prompt mentions files after @ at the start of a word, with quotes around blanks", async () => {
  expect(findMentions('See @a.md, (@b.md) and @"my notes.md"; not me@c.md.')).toEqual([
    "a.md,",
    "b.md)",
    "my notes.md",
  ]);
  const text = 'Compare @notes.md, @"my notes.md" and @notes.md. Ask @ada and @docs.';
  expect(await findMentionedFiles(text, cwd)).toEqual(["notes.md", "my notes.md"]);
});

test("a prompt that mentions more files than can be sent is refused, and no file is left out in silence", async () => {
  const folder = await openFolder();
  const names = Array.from({ length: 21 }, (_, index) => `${index}.md`);
  for (const name of names) await writeFile(join(folder, name), "text");
  const mentions = names.map((name) => `@${name}`);
  await expect(findMentionedFiles(mentions.join(" "), folder)).rejects.toThrow(
    "The prompt mentions more than 20 files, which cannot be sent at once. Mention fewer.",
  );
  const people = Array.from({ length: 30 }, (_, index) => `@person${index}`).join(" ");
  expect(await findMentionedFiles(`${people} @7.md`, folder)).toEqual(["7.md"]);
});

test("paths are completed by folder, and hidden files only after a dot", async () => {
  expect(await listPaths("", cwd)).toEqual([
    "data.bin",
    "docs/",
    "empty.txt",
    "logo.png",
    "my notes.md",
    "notes.md",
    "wide.txt",
  ]);
  expect(await listPaths("no", cwd)).toEqual(["notes.md"]);
  expect(await listPaths(".e", cwd)).toEqual([".env"]);
  expect(await listPaths("nowhere/", cwd)).toEqual([]);
});
