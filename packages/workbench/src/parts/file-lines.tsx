import { Copyable } from "./copyable.tsx";

interface FileLinesProps {
  readonly text: string;
  /** The kind of lines, such as `case`. */
  readonly label: string;
}

/** Lines that the user can copy into a file of the project. */
export function FileLines({ text, label }: FileLinesProps) {
  return (
    <Copyable text={text} label={label}>
      <pre className="file-lines">{text}</pre>
    </Copyable>
  );
}
