/** Detects the kind of source that a file belongs to, by its name and content. */
import { extname, posix } from "node:path";
import { openRegularFile } from "@bridle/core";
import { documentEndings } from "@bridle/documents";
import { hasEnding, metricFormats } from "@bridle/metric-formats";
import { isPlainObject } from "@bridle/protocol";
import { YamlText } from "../evidence/yaml-text.ts";
import { type FolderFile, readFolderFile } from "../files/folder-files.ts";
import { readLookerExport } from "../looker/looker-export-source.ts";
import { isMetabaseExport } from "../metabase/metabase-export-source.ts";
import { exportId } from "../notion/notion-export-source.ts";
import { isQueryLog } from "../query-history/read-log.ts";

/** Kinds that can be detected from a file. */
export type FileKind =
  | "documents"
  | "notion"
  | "dbt"
  | "metricflow"
  | "lookml"
  | "osi"
  | "cube"
  | "looker"
  | "metabase"
  | "query_history";

const maxBytes = 16_000_000;
const headBytes = 64_000;
const propertyKeys = ["models", "sources", "seeds", "snapshots", "exposures", "groups"];
const dataEndings = new Set([".json", ".jsonl", ".ndjson"]);

/** Detects the kind; undefined for a file that no kind reads. */
export async function classifyFile(file: FolderFile, root: string): Promise<FileKind | undefined> {
  const ending = extname(file.id).toLowerCase();
  const format = metricFormats.find((each) => hasEnding(each, { file: file.id }));
  if (format?.id === "lookml") return "lookml";
  if ([".yml", ".yaml", ".js", ".json"].includes(ending)) return classifyText(file, ending);
  if ([".csv", ".tsv", ".jsonl", ".ndjson"].includes(ending) && isQueryLog(await readHead(file), ending))
    return "query_history";
  if (!documentEndings.includes(ending) || dataEndings.has(ending)) return undefined;
  return isOfNotion(file.id, root) ? "notion" : "documents";
}

/** Whether a file belongs to a Notion export, which names files by page id. A folder may also have such a name by chance. */
function isOfNotion(id: string, root: string): boolean {
  const folders = [posix.basename(root.replaceAll("\\", "/")), ...posix.dirname(id).split("/")];
  return exportId(id) !== id || folders.some((name) => /^notion\b/i.test(name));
}

async function classifyText(file: FolderFile, ending: string): Promise<FileKind | undefined> {
  const read = await readFolderFile(file, maxBytes);
  if ("problem" in read) return undefined;
  const model = { file: file.id, text: read.text };
  if (ending !== ".json") {
    if (ending !== ".js" && isDbt(read.text)) return "dbt";
    return metricFormats.find((each) => hasEnding(each, model) && each.recognises(model))?.id as FileKind | undefined;
  }
  if (isMetabaseExport(read.text)) return "metabase";
  if (readLookerExport(file.id, read.text, "") !== undefined) return "looker";
  return /"semantic_model"\s*:\s*\[/.test(read.text) ? "osi" : undefined;
}

/** Whether the file has properties of models or sources. A file that has only semantic models belongs to MetricFlow. */
function isDbt(text: string): boolean {
  return new YamlText(text).roots.some(
    ({ value }) => isPlainObject(value) && propertyKeys.some((key) => hasNames(value[key])),
  );
}

function hasNames(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some((each) => isPlainObject(each) && typeof each.name === "string" && !("cubes" in each))
  );
}

async function readHead({ path }: FolderFile): Promise<string> {
  try {
    await using file = await openRegularFile(path, 4_000_000_000);
    const buffer = new Uint8Array(headBytes);
    const { bytesRead } = await file.read(buffer, 0, headBytes);
    return new TextDecoder("utf-8").decode(buffer.subarray(0, bytesRead));
  } catch {
    return ""; // the source reports why it cannot be read
  }
}
