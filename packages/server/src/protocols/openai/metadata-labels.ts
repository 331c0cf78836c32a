/**
 * Stores the metadata of a client as labels of a run. A prefix prevents conflicts with Bridle's own labels.
 */

const prefix = "openai.metadata.";

export function toMetadataLabels(metadata: Readonly<Record<string, string>> | null | undefined) {
  return Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [prefix + name, value]));
}

export function metadataOf(labels: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const own = Object.entries(labels ?? {}).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}
