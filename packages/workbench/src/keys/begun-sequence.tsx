import { KeyNames } from "./key-names.tsx";
import { useBegunSequence } from "./keyboard.tsx";

/** After the first key of a sequence, shows the commands that the next key can run. */
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
