import type { Block } from "../block.ts";
import { readXml } from "./read-xml.ts";

/** The text of a slide or of its notes, in the order of the shapes. */
export interface SlideText {
  /** "" if the slide has none. */
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Placeholders that are not part of a slide's text: the slide number, and the picture of the slide in notes. */
const leftOut = new Set(["sldNum", "sldImg"]);

export function readSlide(xml: string): SlideText {
  const reader = new SlideReader();
  readXml(xml, {
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return reader.end();
}

class SlideReader {
  readonly #titles: string[] = [];
  readonly #blocks: Block[] = [];
  /** The lines of the open shape, or outside shapes, the lines of a diagram. */
  #lines: string[] = [];
  #placeholder: string | undefined;
  #paragraph: string | undefined;
  #level = 0;
  #isText = false;
  #isPicture = false;
  /** The rows of the open table. */
  #table: string[][] | undefined;
  /** The number of open elements inside a fallback, which repeats the preceding text for older programs. */
  #repeated = 0;

  open(name: string, { type, lvl, descr }: Readonly<Record<string, string>>): void {
    if (name === "Fallback" || this.#repeated > 0) {
      this.#repeated += 1;
      return;
    }
    this.#isText = name === "t";
    if (name === "sp") this.#startShape();
    else if (name === "ph") this.#placeholder = type ?? "body";
    else if (name === "p") [this.#paragraph, this.#level] = ["", 0];
    else if (name === "pPr") this.#level = Math.min(Number(lvl ?? 0) || 0, 8);
    else if (name === "br") this.text("\n", true);
    else if (name === "pic") this.#isPicture = true;
    else if (name === "cNvPr" && this.#isPicture) this.#add("paragraph", (descr ?? "").trim());
    else this.#openTable(name);
  }

  text(text: string, isText = this.#isText): void {
    if (isText && this.#repeated === 0 && this.#paragraph !== undefined) this.#paragraph += text;
  }

  close(name: string): void {
    if (this.#repeated > 0) {
      this.#repeated -= 1;
      return;
    }
    this.#isText = false;
    if (name === "p") this.#endParagraph();
    else if (name === "sp") this.#endShape();
    else if (name === "pic") this.#isPicture = false;
    else if (name === "tbl") this.#endTable();
  }

  end(): SlideText {
    this.#endShape();
    return { title: this.#titles.join(" "), blocks: this.#blocks };
  }

  #openTable(name: string): void {
    if (name === "tbl") this.#table = [];
    else if (name === "tr") this.#table?.push([]);
    else if (name === "tc") this.#table?.at(-1)?.push("");
  }

  #startShape(): void {
    this.#endShape();
    this.#placeholder = undefined;
  }

  #endParagraph(): void {
    const text = (this.#paragraph ?? "").replaceAll(/\r\n?/g, "\n").trim();
    this.#paragraph = undefined;
    if (text === "") return;
    const row = this.#table?.at(-1);
    if (row === undefined) this.#lines.push(`${"  ".repeat(this.#level)}${text}`);
    else row.push(`${row.pop() ?? ""} ${text}`);
  }

  #endShape(): void {
    const [text, placeholder] = [this.#lines.join("\n"), this.#placeholder ?? ""];
    this.#lines = [];
    this.#placeholder = undefined;
    if (/^(ctrT|t)itle$/.test(placeholder)) this.#titles.push(oneLine(text));
    else if (!leftOut.has(placeholder)) this.#add("paragraph", text);
  }

  #endTable(): void {
    const rows = (this.#table ?? []).map((cells) => cells.map(oneLine).join(" | "));
    this.#table = undefined;
    this.#add("table", rows.join("\n"));
  }

  #add(kind: "paragraph" | "table", text: string): void {
    if (text.trim() !== "") this.#blocks.push({ kind, text });
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
