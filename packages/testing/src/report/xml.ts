/** XML 1.0 (https://www.w3.org/TR/xml), which has no way to hold most control characters, escaped or not. */
import { visible } from "./plain-text.ts";

type Attributes = Readonly<Record<string, string | number>>;

/** An element; `content` is markup already. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`);
  const head = `${name}${list.join("")}`;
  return content === "" ? `<${head}/>` : `<${head}>${content}</${name}>`;
}

/** Character data. `>` is escaped for the sake of `]]>`. */
export function xmlText(text: string): string {
  return visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A reader would turn line breaks and tabs of attributes into blanks. */
function attribute(value: string): string {
  return xmlText(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
