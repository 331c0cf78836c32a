/** Creates any number of documents, whose facts are computed from the document's number. */
import type { SourceItem } from "../../../src/sources/source.ts";

const places = "Askoy Bomlo Fedje Holsnoy Karmoy Moster Osteroy Rennesoy Sotra Stord Tysnes Utsira Vigra Aukra".split(
  " ",
);
const things = "pier lounge ramp kiosk cabin garage crane gangway buoy locker".split(" ");

/** Returns the statement of a document, which is different for every number. */
function manyStatement(index: number): string {
  const place = `${places[index % places.length]}-${Math.floor(index / places.length)}`;
  const thing = things[index % things.length];
  return `The ${thing} of ${place} closes ${(index % 50) + 5} minutes before departure.`;
}

/** Yields documents of about 300 characters. A share of them (`noise`) contains no facts. */
export function* manyItems(count: number, { noise = 0.7, changed = new Set<number>() } = {}): Iterable<SourceItem> {
  for (let index = 0; index < count; index++) {
    const isNoise = (index % 10) / 10 < noise;
    const said = isNoise
      ? `The crew met at ${places[index % places.length]} and drank coffee number ${index}.`
      : manyStatement(index);
    const filler = "The board was read, the room was booked, and the projector is still broken.";
    yield {
      id: `pages/${String(index).padStart(6, "0")}.md`,
      title: `Page ${index}`,
      text: `# Page ${index}\n\n${filler}\n\n${said}${changed.has(index) ? " The sign is blue." : ""}\n\n${filler}\n`,
      kind: "page",
      authority: "document",
      updatedAt: "2026-03-02T00:00:00Z",
    };
  }
}
