import { KeyNames } from "./key-names.tsx";
import { useBegunSequence } from "./keyboard.tsx";

/** Shows the commands that the next key can run after the first key of a sequence was pressed. */
export function BegunSequence() {
  const commands = useBegunSequence();
  if (commands.length === 0) return null;
  return (
    <ul className="begun-sequence" aria-hidden="true">
      {commands.map(({ id, title, keys = "" }) => (
        <li key={id}>
          <KeyNames keys={keys} /> {title}
        </li>
      ))}
    </ul>
  );
}
