import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const documentsSettingsSchema = z
  .strictObject({
    type: z.literal("documents"),
    path: sourceFields.path("A folder, a file, or a glob such as docs/**/*.md."),
    include: sourceFields.globs("Which files of the folder are read, as globs. Default: all documents but JSON."),
    exclude: sourceFields.globs("Which of these files are left out, as globs. Default: none."),
    maxFileMb: sourceFields.count("Larger files are not read, in megabytes. Default: 20."),
    authority: sourceFields.authority,
  })
  .describe("Folders of Markdown, HTML, PDF, Word, text and tables.");

export type DocumentsSettings = z.output<typeof documentsSettingsSchema>;
