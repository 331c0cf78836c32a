import { posix } from "node:path";
import { decodeMarked } from "../encoding/decode-as.ts";
import type { ParseLimits } from "../parse-limits.ts";
import { readXml } from "./read-xml.ts";
import { unpackXml } from "./unpack-xml.ts";

/** A reference from one part to another. */
interface Relationship {
  readonly id: string;
  /** The last word of the relationship's type, such as `worksheet`. */
  readonly type: string;
  /** The name of the other part. */
  readonly part: string;
}

/** Reads the parts of an Office document, by names such as `xl/workbook.xml`. */
export class OfficePackage {
  readonly #parts: ReadonlyMap<string, Uint8Array>;

  private constructor(parts: ReadonlyMap<string, Uint8Array>) {
    this.#parts = parts;
  }

  /** Opens a document. Throws a DocumentError if it is too large, and an Error if it is damaged. */
  static open(name: string, bytes: Uint8Array, limits: ParseLimits): OfficePackage {
    return new OfficePackage(new Map(Object.entries(unpackXml(name, bytes, limits))));
  }

  /** Returns the main part of the document. Throws an Error if it is missing. */
  mainPart(): string {
    const [main] = this.related("", "officeDocument");
    if (main === undefined) throw new Error("The archive has no main part.");
    return main.part;
  }

  /** Returns the XML of a part. Throws an Error if it is missing. */
  xml(part: string): string {
    const bytes = this.#parts.get(part);
    if (bytes === undefined) throw new Error(`The archive has no part ${part}.`);
    return decodeMarked(bytes);
  }

  /** Returns the parts of one type that a part refers to, in order. */
  related(part: string, type: string): readonly Relationship[] {
    const folder = posix.dirname(part);
    const bytes = this.#parts.get(posix.join(folder, "_rels", `${posix.basename(part)}.rels`));
    return bytes === undefined ? [] : relationshipsIn(decodeMarked(bytes), folder).filter((each) => each.type === type);
  }
}

function relationshipsIn(xml: string, folder: string): readonly Relationship[] {
  const found: Relationship[] = [];
  readXml(xml, {
    open(name, { Id: id = "", Type: type = "", Target: target = "", TargetMode: mode }) {
      if (name !== "Relationship" || mode === "External") return;
      const part = posix.join(target.startsWith("/") ? "" : folder, target).replace(/^\//, "");
      found.push({ id, type: type.slice(type.lastIndexOf("/") + 1), part });
    },
  });
  return found;
}
