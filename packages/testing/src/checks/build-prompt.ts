import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { readRegularFile } from "@bridle/core";
import { DocumentError, parseDocument } from "@bridle/documents";
import { ConfigError, type Prompt, type PromptPart, systemErrorCode } from "@bridle/protocol";
import type { FileInput } from "./case-config.ts";

/** The maximum size of a file. Model hosts refuse requests above about 30 MB, and Anthropic's API refuses images above 5 MB. */
const maxBytes: Readonly<Record<FileInput["type"], number>> = {
  image: 5_000_000,
  pdf: 20_000_000,
  word: 20_000_000,
  excel: 20_000_000,
  powerpoint: 20_000_000,
  text: 1_000_000,
  csv: 1_000_000,
};

/**
 * Creates the prompt for an input with its files: images and PDFs are parts, other files are text. Files precede the input, each after its
 * name and description. Rejects with a ConfigError that names a file that cannot be read, is too large, or is not of its type.
 */
export async function buildPrompt(input: string, files: readonly FileInput[], baseDir: string): Promise<Prompt> {
  if (files.length === 0) return input;
  const parts = await Promise.all(files.map((file) => partsOf(file, baseDir)));
  return [{ role: "user", content: [...parts.flat(), { type: "text", text: input }] }];
}

async function partsOf(file: FileInput, baseDir: string): Promise<PromptPart[]> {
  const bytes = await read(file, baseDir);
  const name = basename(file.path);
  const head = file.description === undefined ? `File ${name}:` : `File ${name} (${file.description}):`;
  const data = () => bytes.toString("base64");
  switch (file.type) {
    case "image":
      return [text(head), { type: "image", mediaType: imageType(bytes, file), data: data() }];
    case "pdf":
      if (bytes.toString("latin1", 0, 1024).includes("%PDF-")) {
        return [text(head), { type: "file", mediaType: "application/pdf", data: data(), name }];
      }
      throw fault(file, "is not a PDF. Name one, or correct its type");
    case "word":
    case "excel":
    case "powerpoint":
      return [text(`${head}\n\n${await officeText(bytes, file, file.type)}`)];
    case "text":
    case "csv":
      return [text(`${head}\n\n${decode(bytes, file)}`)];
  }
}

function text(value: string): PromptPart {
  return { type: "text", text: value };
}

async function read(file: FileInput, baseDir: string): Promise<Buffer> {
  const path = resolve(baseDir, file.path);
  const max = maxBytes[file.type];
  try {
    const info = await stat(path);
    const [size, isFile] = [info.size, info.isFile()];
    if (size > max) {
      const sizes = `${Math.ceil(size / 1e5) / 10} MB, but files of the type ${file.type} may have ${max / 1e6} MB`;
      throw fault(file, `has ${sizes}. Make it smaller`);
    }
    if (size === 0 && isFile) throw fault(file, "is empty. Name a file with content");
    return await readRegularFile(path, max);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const code = systemErrorCode(cause);
    throw fault(
      file,
      `cannot be read (${code}). Correct the path; it is relative to the folder of the agent file`,
      cause,
    );
  }
}

type ImageType = Extract<PromptPart, { type: "image" }>["mediaType"];

/** Determines the type from the first bytes, not from the name. */
function imageType(bytes: Buffer, file: FileInput): ImageType {
  const start = bytes.toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  throw fault(file, "is not a PNG, JPEG, GIF or WebP image. Save it as one of them, or correct its type");
}

const officeEndings = { word: ".docx", excel: ".xlsx", powerpoint: ".pptx" } as const;

/** Returns the text of the document, with notes about omitted parts. */
async function officeText(bytes: Buffer, file: FileInput, type: keyof typeof officeEndings): Promise<string> {
  const ending = officeEndings[type];
  const name = file.path.toLowerCase().endsWith(ending) ? file.path : `${file.path}${ending}`;
  const notes: string[] = [];
  try {
    const blocks = await parseDocument({ name, bytes }, {}, (problem) => notes.push(`Note: the file ${problem}`));
    return [...blocks.map((block) => block.text), ...notes].join("\n\n");
  } catch (cause) {
    throw cause instanceof DocumentError ? fault(file, cause.problem.replace(/\.$/, ""), cause) : cause;
  }
}

/** Decodes UTF-8, or UTF-16 if there is a byte order mark. */
function decode(bytes: Buffer, file: FileInput): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fault(file, "is neither UTF-8 nor UTF-16 text. Save it as UTF-8, or correct its type", cause);
  }
}

function fault({ path }: FileInput, problem: string, cause?: unknown): ConfigError {
  return new ConfigError(`The file ${path} ${problem}.`, { field: "files", cause });
}
