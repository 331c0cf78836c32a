/** Indexes a folder and prints a line at the start of each file. The tests kill this process, or start it twice. */
import { openDocuments, openSqliteStore } from "../src/index.ts";

const [, , folder = "", file = ""] = process.argv;
const documents = openDocuments({
  sources: ["docs"],
  baseDir: folder,
  store: openSqliteStore(file),
  searchMode: "keyword",
});
const { added, renamed, unchanged, failed } = await documents.update({
  onProgress: ({ file: name }) => console.log(name),
});
await documents.close();
console.log(JSON.stringify({ added: added.length, renamed: renamed.length, unchanged, failed }));
