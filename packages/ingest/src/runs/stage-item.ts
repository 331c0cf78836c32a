/** Turns a source's item into the item that is stored. */
import { sha256 } from "@bridle/core";
import type { SourceItem, StagedItem } from "../sources/source.ts";
import { detectorEdition, findInstructions, isInstruction } from "../staging/instructions/find-instructions.ts";
import type { RemoveSecrets } from "../staging/remove-secrets.ts";
import { shortenRuns } from "../staging/shorten-runs.ts";
import { versionOf } from "../staging/version-of.ts";
import type { IngestStore, VersionFacts } from "../store/ingest-store.ts";
import type { StoredItem } from "../store/item-table.ts";

/** A staged item with its text. */
export interface CleanItem {
  readonly item: StagedItem;
  readonly text: string;
  readonly facts: VersionFacts;
  /** The original names, which are withheld from models because they address an assistant. */
  readonly withheld: readonly string[];
}

/** The findings of earlier runs. A text with such findings is not searched again. */
export interface EarlierFindings {
  readonly item?: StoredItem | undefined;
  version(version: string): VersionFacts | undefined;
}

/** Removes secrets, and withholds names that address an assistant. */
export function cleanItem(
  source: string,
  item: SourceItem,
  removeSecrets: RemoveSecrets,
  earlier: EarlierFindings = { version: () => undefined },
): CleanItem {
  const text = removeSecrets(shortenRuns(item.text.toWellFormed()));
  const title = removeSecrets(item.title.replaceAll(/\s+/g, " ").trim()).slice(0, maxTitleLength);
  const names = [title, item.id, item.location ?? ""].map(removeSecrets);
  const withheld = areKnownNames(names, earlier.item) ? [] : names.filter(isInstruction);
  const isWithheld = (name: string) => withheld.includes(removeSecrets(name));
  const shownTitle = isWithheld(title) ? `Item ${sha256(title).slice(0, 8)}` : title;
  const { updatedAt, location, links, skill, isStructured } = item;
  const shownLocation = location === undefined || isWithheld(location) ? undefined : removeSecrets(location);
  const staged: StagedItem = {
    source,
    id: earlier.item?.item.id ?? storedId(item.id, removeSecrets),
    title: shownTitle,
    kind: item.kind,
    authority: item.authority,
    updatedAt,
    location: shownLocation,
    links: links?.map(removeSecrets),
    skill,
    isStructured,
    version: versionOf(shownTitle, text),
    chars: text.length,
  };
  return { item: staged, text, facts: factsOf(staged.version, text, earlier), withheld };
}

/** Whether an earlier run accepted the same names. */
function areKnownNames(names: readonly string[], earlier: StoredItem | undefined): boolean {
  if (earlier === undefined || earlier.withheld.length > 0) return false;
  const { title, id, location = "" } = earlier.item;
  return [title, id, location].every((name, index) => name === names[index]);
}

function factsOf(version: string, text: string, earlier: EarlierFindings): VersionFacts {
  const textHash = sha256(text);
  const before = earlier.version(version);
  if (before?.detector === detectorEdition && before.textHash === textHash) return before;
  return { textHash, detector: detectorEdition, marks: findInstructions(text) };
}

const maxTitleLength = 300;

/** Returns the id of an item in the store. An id that is a secret or an instruction is replaced with its hash. */
export function storedId(id: string, removeSecrets: RemoveSecrets): string {
  return removeSecrets(id) === id && !isInstruction(id) ? id : `item-${sha256(id).slice(0, 16)}`;
}

/** Stores a clean item. Writes its text before anything refers to it. Throws IngestStoreError. */
export function storeItem({ item, text, facts, withheld }: CleanItem, store: IngestStore, run: number): void {
  if (!store.texts.has(item.version) || store.texts.read(item.version) !== text) store.texts.write(item.version, text);
  store.together(() => {
    store.writeVersion(item.version, facts);
    store.items.stage(item, run, withheld);
  });
}

/**
 * Reads the stored text of a version with its marks; undefined if the file is missing or damaged. If an older edition of the detector found
 * the marks, finds them again.
 */
export function readVersionText(
  version: string,
  store: Pick<IngestStore, "texts" | "readVersion" | "writeVersion">,
): { readonly text: string; readonly marks: VersionFacts["marks"] } | undefined {
  const text = store.texts.read(version);
  const facts = store.readVersion(version);
  if (text === undefined || facts === undefined || sha256(text) !== facts.textHash) return undefined;
  if (facts.detector === detectorEdition) return { text, marks: facts.marks };
  const marks = findInstructions(text);
  store.writeVersion(version, { textHash: facts.textHash, detector: detectorEdition, marks });
  return { text, marks };
}
