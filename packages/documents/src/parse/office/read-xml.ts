import sax from "sax";

/** Receives the parts of an XML document. Names have no prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Reads XML from start to end. Throws if the XML is not well-formed or declares entities. */
export function readXml(xml: string, { open, text, close }: XmlHandlers): void {
  const parser = sax.parser(true, { position: false });
  parser.onerror = (error) => {
    throw error;
  };
  parser.ondoctype = () => {
    throw new Error("The XML has a document type declaration.");
  };
  if (open)
    parser.onopentag = ({ name, attributes }) => open(withoutPrefix(name), attributes as Record<string, string>);
  if (text) {
    parser.ontext = text;
    parser.oncdata = text;
  }
  if (close) parser.onclosetag = (name) => close(withoutPrefix(name));
  parser.write(xml).close();
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Returns the id of a relationship from an attribute such as `r:id`. */
export function relationshipId(attributes: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(attributes).find((each) => /^\w+:id$/.test(each));
  return name === undefined ? undefined : attributes[name];
}
