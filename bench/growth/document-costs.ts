/** Measures searching documents that have not changed since they were indexed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Documents, openDocuments, openSqliteStore } from "@bridle/documents";
import { cpuOf, type Growth } from "./cost.ts";

const sizes = [200, 2000, 20_000] as const;
const searches = 20;

/** Lists the costs. `place` returns the folder with a name. */
export function documentGrowths(place: (name: string) => string): readonly Growth[] {
  const written = new Map<number, string>();
  const indexed = async (size: number) => {
    const folder = written.get(size) ?? (await writeIndex(place(`documents-${size}`), size));
    written.set(size, folder);
    return folder;
  };
  return [
    {
      name: "the first search in files, unchanged",
      unit: "ms",
      sizes,
      async cost(size) {
        const documents = open(await indexed(size));
        const cost = await cpuOf(() => documents.update().then(() => search(documents, "horse 7")));
        await documents.close();
        return cost;
      },
    },
    {
      name: `${searches} searches of common words in files`,
      unit: "ms",
      sizes,
      async cost(size) {
        const documents = open(await indexed(size));
        const cost = await cpuOf(async () => {
          for (let index = 0; index < searches; index += 1) await search(documents, "the order and its number");
        });
        await documents.close();
        return cost;
      },
    },
  ];
}

function open(folder: string): Documents {
  const store = openSqliteStore(join(folder, "index.db"));
  return openDocuments({ sources: ["docs"], baseDir: folder, store, searchMode: "keyword" });
}

async function search(documents: Documents, query: string): Promise<void> {
  const hits = await documents.search(query);
  if (hits.length === 0) throw new Error(`Nothing was found for "${query}".`);
}

/** Writes and indexes this many files of about 60 words. */
async function writeIndex(folder: string, size: number): Promise<string> {
  for (let file = 0; file < size; file += 1) {
    const parent = join(folder, "docs", String(Math.floor(file / 500)));
    if (file % 500 === 0) mkdirSync(parent, { recursive: true });
    const sentence = `The order of horse ${file} and its number are in the list of the stable, and the bill is paid. `;
    writeFileSync(join(parent, `${file}.md`), `# Horse ${file}\n\n${sentence.repeat(3)}\n`);
  }
  const documents = open(folder);
  await documents.update();
  await documents.close();
  return folder;
}
