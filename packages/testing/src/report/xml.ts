/** Writes XML 1.0 (https://www.w3.org/TR/xml), which cannot contain most control characters, escaped or not. */
import { visible } from "./plain-text.ts";

type Attributes = Readonly<Record<string, string | number>>;

/** Formats an element. `content` is already markup. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`);
  const head = `${name}${list.join("")}`;
  return content === "" ? `<${head}/>` : `<${head}>${content}</${name}>`;
}

/** Escapes character data. `>` is escaped because of `]]>`. */
export function xmlText(text: string): string {
  return visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes an attribute. A reader would turn line breaks and tabs in attributes into spaces. */
function attribute(value: string): string {
  return xmlText(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
