import { importOptional } from "@bridle/core";
import type { Block, DocumentFile, ParseContext } from "../block.ts";
import { DocumentError } from "../document-error.ts";
import { blocksOfHtml } from "../html.ts";
import { readOffice } from "./read-office.ts";
import { repackXml } from "./unpack-xml.ts";

/** Reads a Word document. The blocks have no lines. Pictures are not read. Needs the optional package mammoth. */
export async function parseDocx(file: DocumentFile, { limits }: ParseContext): Promise<readonly Block[]> {
  const { name, bytes } = file;
  const { default: mammoth } = await importOptional(
    ["mammoth"],
    () => import("mammoth"),
    (problem, cause) => new DocumentError(name, problem, { cause }),
  );
  return readOffice(file, { title: "a Word document", ending: ".docx" }, async () => {
    const buffer = Buffer.from(repackXml(name, bytes, limits));
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage });
    return blocksOfHtml(value).map(({ lines: _lines, ...block }) => block);
  });
}
