/**
 * Reads a folder that Notion exported as Markdown and CSV. File names end with the page's id, which stays the same when the page is
 * renamed.
 */
import { posix } from "node:path";
import { toTitle } from "../files/title.ts";
import type { FetchContext, FetchEvent, IngestSource, SourceItem } from "../source.ts";

const idSuffix = /[ -]([0-9a-f]{32})(?:_all)?(?:\.\w+)?$/i;
/** The number of characters at the start of a page that may contain its properties. */
const headChars = 4_000;
const months = "january february march april may june july august september october november december".split(" ");

export class NotionExportSource implements IngestSource {
  readonly type = "notion";
  readonly name: string;
  readonly #documents: IngestSource;

  /** @param documents a documents source for the same folder. */
  constructor(name: string, documents: IngestSource) {
    this.name = name;
    this.#documents = documents;
  }

  async *fetch(context: FetchContext): AsyncIterable<FetchEvent> {
    const seen = new Map<string, string>();
    let table: FetchEvent | undefined;
    for await (const event of this.#documents.fetch(context)) {
      const isWhole = event.kind === "item" && event.item.id.endsWith("_all.csv");
      if (table?.kind === "item" && !(isWhole && exportId(table.item.id) === exportId(event.item.id)))
        yield* toEvents(table, seen);
      table = undefined;
      if (event.kind === "item" && /\.csv$/i.test(event.item.id) && !isWhole) table = event;
      else yield* toEvents(event, seen);
    }
    if (table !== undefined) yield* toEvents(table, seen);
  }
}

function* toEvents(event: FetchEvent, seen: Map<string, string>): Iterable<FetchEvent> {
  if (event.kind === "problem" && event.id !== undefined) yield { ...event, id: exportId(event.id) };
  else if (event.kind !== "item") yield event;
  else {
    const id = exportId(event.item.id);
    const other = seen.get(id);
    seen.set(id, other ?? event.item.id);
    if (other === undefined) yield { kind: "item", item: toPage(event.item) };
    else yield { kind: "problem", message: `${event.item.id} has the id of ${other}. Remove one of them.` };
  }
}

/** Returns the id in a file name, or the path if there is no id. */
export function exportId(path: string): string {
  return idSuffix.exec(path)?.[1]?.toLowerCase() ?? path;
}

function toPage(item: SourceItem): SourceItem {
  const isTable = /\.csv$/i.test(item.id);
  const name = posix
    .basename(item.id)
    .replace(idSuffix, "")
    .replace(/\.\w+$/, "");
  const title = isTable && idSuffix.test(item.id) ? toTitle(name) : item.title;
  const updatedAt = item.updatedAt ?? editedIn(item.text);
  const links = item.links?.map(exportId);
  const common = { ...item, id: exportId(item.id), title, kind: isTable ? "database" : "page", links };
  return updatedAt === undefined ? common : { ...common, updatedAt };
}

/** Returns the last edit. Pages of a database have properties below the title, such as `Last edited: March 4, 2026 10:15 AM`. */
function editedIn(text: string): string | undefined {
  const [, month = "", day = "", year] =
    /^(?:Last edited(?: time)?|Updated|Last updated): (\w+) (\d{1,2}), (\d{4})\b/im.exec(text.slice(0, headChars)) ??
    [];
  const index = months.indexOf(month.toLowerCase());
  return year === undefined || index === -1
    ? undefined
    : `${year}-${String(index + 1).padStart(2, "0")}-${day.padStart(2, "0")}`;
}
