/** From an item as its source has it to what is stored of it. */
import { sha256 } from "@bridle/core";
import type { SourceItem, StagedItem } from "../sources/source.ts";
import type { IngestStore, VersionFacts } from "../store/ingest-store.ts";
import { detectorEdition, findInstructions, isInstruction } from "./instructions/find-instructions.ts";
import type { RemoveSecrets } from "./remove-secrets.ts";
import { versionOf } from "./version-of.ts";

/** A staged item with its text. */
export interface CleanItem {
  readonly item: StagedItem;
  readonly text: string;
  readonly facts: VersionFacts;
  /** The original names that are not shown to models, because they address them. */
  readonly withheld: readonly string[];
}

/** Removes secrets, and withholds names that address an assistant. Pure. */
export function cleanItem(source: string, item: SourceItem, removeSecrets: RemoveSecrets): CleanItem {
  const text = removeSecrets(item.text.toWellFormed());
  const title = removeSecrets(item.title.replaceAll(/\s+/g, " ").trim()).slice(0, longestTitle);
  const withheld = [title, item.id, item.location ?? ""].map(removeSecrets).filter(isInstruction);
  const isWithheld = (name: string) => withheld.includes(removeSecrets(name));
  const shownTitle = isWithheld(title) ? `Item ${sha256(title).slice(0, 8)}` : title;
  const { updatedAt, location, links, skill, isStructured } = item;
  const shownLocation = location === undefined || isWithheld(location) ? undefined : removeSecrets(location);
  const staged: StagedItem = {
    ...{ source, id: storedId(item.id, removeSecrets), title: shownTitle, kind: item.kind, authority: item.authority },
    ...{ updatedAt, location: shownLocation, links: links?.map(removeSecrets), skill, isStructured },
    ...{ version: versionOf(shownTitle, text), chars: text.length },
  };
  const facts = { textHash: sha256(text), detector: detectorEdition, marks: findInstructions(text) };
  return { item: staged, text, facts, withheld };
}

const longestTitle = 300;

/** The id of an item as it is stored. One that is a secret or an instruction is replaced by a hash of it. */
export function storedId(id: string, removeSecrets: RemoveSecrets): string {
  return removeSecrets(id) === id && !isInstruction(id) ? id : `item-${sha256(id).slice(0, 16)}`;
}

/** Stores a clean item. Its text is there before anything names it. Throws IngestStoreError. */
export function storeItem({ item, text, facts, withheld }: CleanItem, store: IngestStore, run: number): void {
  if (store.texts.read(item.version) !== text) store.texts.write(item.version, text);
  store.together(() => {
    store.writeVersion(item.version, facts);
    store.items.stage(item, run, withheld);
  });
}

/**
 * The text of a version with its marks, as it was stored; undefined if the file is missing or damaged. Marks of an older edition
 * of the detector are found again.
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
