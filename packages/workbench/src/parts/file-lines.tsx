import { Copyable } from "./copyable.tsx";

interface FileLinesProps {
  readonly text: string;
  /** The kind of lines, such as `case`. */
  readonly label: string;
}

/** Lines for a file of the project, which the user can copy. */
export function FileLines({ text, label }: FileLinesProps) {
  return (
    <Copyable text={text} label={label}>
      <pre className="file-lines">{text}</pre>
    </Copyable>
  );
}
