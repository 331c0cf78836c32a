import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { Signal, useSignal } from "../connection/signal.ts";
import { describeKey, type KeyCommand, KeySequence, takesKeys } from "./key-command.ts";

/** The commands of what is on the screen. Those that came last are found first. */
class Keyboard {
  readonly commands: Signal<readonly KeyCommand[]> = new Signal<readonly KeyCommand[]>([]);

  add(added: readonly KeyCommand[]): () => void {
    this.commands.set([...this.commands.get(), ...added]);
    return () => this.commands.set(this.commands.get().filter((command) => !added.includes(command)));
  }
}

const KeyboardContext = createContext(new Keyboard());

export function KeyboardProvider({ children }: { children: ReactNode }) {
  const keyboard = useMemo(() => new Keyboard(), []);
  useEffect(() => listen(keyboard), [keyboard]);
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/** Keys that go through a list while they are held. */
const repeatable = ["j", "k", "[", "]"];

function listen({ commands }: Keyboard): () => void {
  const sequence = new KeySequence();
  const onKey = (event: KeyboardEvent) => {
    const key = describeKey(event);
    if (key === undefined || event.defaultPrevented || event.isComposing) return;
    if (event.repeat && !repeatable.includes(key)) return; // a key that is held answers nothing, and stops nothing
    if (key === "Space" && event.target instanceof Element && event.target.closest("button, a, summary")) return;
    const isTaken = takesKeys(event.target) || document.querySelector("dialog[open]") !== null;
    const usable = commands.get().filter(({ isGlobal = false }) => isGlobal || !isTaken);
    const command = sequence.press(key, event.timeStamp, usable);
    if (command === undefined) return;
    event.preventDefault();
    command.run();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

/** Offers commands while the component is shown. */
export function useCommands(commands: readonly KeyCommand[]): void {
  const keyboard = useContext(KeyboardContext);
  const newest = useRef(commands);
  newest.current = commands;
  const ids = commands.map(({ id, title, keys }) => `${id} ${title} ${keys}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids say when the commands are others; what they do is read when they run
  useEffect(() => {
    const stable = newest.current.map((command) => ({
      ...command,
      run: () => newest.current.find(({ id }) => id === command.id)?.run(),
    }));
    return keyboard.add(stable);
  }, [keyboard, ids]);
}

export function useAllCommands(): readonly KeyCommand[] {
  return useSignal(useContext(KeyboardContext).commands);
}
