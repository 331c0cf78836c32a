import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { Signal, useSignal } from "../connection/signal.ts";
import { describeKey, type KeyCommand, KeySequence, sequenceMs, takesKeys } from "./key-command.ts";

/** The commands of the current screen. The newest commands are found first. */
class Keyboard {
  readonly commands: Signal<readonly KeyCommand[]> = new Signal<readonly KeyCommand[]>([]);
  /** The first key of a sequence whose second key has not been pressed yet. */
  readonly begun: Signal<string | undefined> = new Signal<string | undefined>(undefined);

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

/** The keys that may be held down, to move through a list. */
const repeatable = ["j", "k", "[", "]"];

/** The elements that themselves handle keys such as Enter and Space. */
const pressable = "button, a, summary, input, [role=tab]";

function listen({ commands, begun }: Keyboard): () => void {
  const sequence = new KeySequence();
  let fading: ReturnType<typeof setTimeout> | undefined;
  const showBegun = () => {
    clearTimeout(fading);
    begun.set(sequence.begun);
    if (sequence.begun !== undefined) fading = setTimeout(() => begun.set(undefined), sequenceMs);
  };
  const onPointer = () => {
    sequence.reset();
    showBegun();
  };
  const onKey = (event: KeyboardEvent) => {
    const key = describeKey(event);
    if (key === undefined || event.defaultPrevented || event.isComposing) return;
    if (event.repeat && !repeatable.includes(key)) return; // a held key never answers or stops anything
    if (["Space", "Enter"].includes(key) && event.target instanceof Element && event.target.closest(pressable)) return;
    const isTaken = takesKeys(event.target) || document.querySelector("dialog[open]") !== null;
    const usable = commands.get().filter(({ isGlobal = false }) => isGlobal || !isTaken);
    const command = sequence.press(key, event.timeStamp, usable);
    showBegun();
    if (command === undefined) return;
    event.preventDefault();
    command.run();
  };
  addEventListener("keydown", onKey);
  addEventListener("pointerdown", onPointer);
  return () => {
    clearTimeout(fading);
    removeEventListener("keydown", onKey);
    removeEventListener("pointerdown", onPointer);
  };
}

/** Registers commands while the component is shown. */
export function useCommands(commands: readonly KeyCommand[]): void {
  const keyboard = useContext(KeyboardContext);
  const newest = useRef(commands);
  newest.current = commands;
  const ids = commands.map(({ id, title, keys }) => `${id} ${title} ${keys}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids change with the commands; the callbacks are read when they run
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

/** Returns the commands that the next key can complete during a sequence. */
export function useBegunSequence(): readonly KeyCommand[] {
  const { commands, begun } = useContext(KeyboardContext);
  const key = useSignal(begun);
  const all = useSignal(commands);
  return key === undefined ? [] : all.filter(({ keys }) => keys?.startsWith(`${key} `));
}
