import { showHiddenInName } from "@bridle/protocol/text";

/** A name from a database or a file. It has its own text direction, and hidden characters are shown. */
export function Name({ text }: { text: string }) {
  return <bdi className="name">{showHiddenInName(text)}</bdi>;
}

/** Several names with commas between them. */
export function Names({ of }: { of: readonly string[] }) {
  return of.map((text, index) => (
    <span key={text}>
      {index > 0 && ", "}
      <Name text={text} />
    </span>
  ));
}
