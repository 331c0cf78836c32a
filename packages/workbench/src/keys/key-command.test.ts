import { describe, expect, test } from "vitest";
import { type KeyCommand, KeySequence, sequenceMs } from "./key-command.ts";

const command = (id: string, keys: string, isGlobal = false): KeyCommand => ({
  id,
  title: id,
  keys,
  isGlobal,
  run() {},
});
const commands = [
  command("status", "g s"),
  command("rules", "g r"),
  command("session", "s"),
  command("project", "p"),
  command("stop", "Escape", true),
  command("palette", "mod+k", true),
];

/** Returns the ids of the commands that the keys run. Each key is pressed this many milliseconds after the previous one. */
function press(...keys: ReadonlyArray<readonly [key: string, afterMs: number]>): readonly (string | undefined)[] {
  const sequence = new KeySequence();
  let at = 0;
  return keys.map(([key, afterMs]) => {
    at += afterMs;
    return sequence.press(key, at, commands)?.id;
  });
}

describe("sequences of keys", () => {
  test("a sequence that is pressed fast runs its command, and not that of its last key", () => {
    expect(press(["g", 0], ["s", 200])).toEqual([undefined, "status"]);
    expect(press(["g", 0], ["s", 50], ["s", 50])).toEqual([undefined, "status", "session"]);
  });

  test("the key after a slow g answers nothing, and the one after it acts again", () => {
    expect(press(["g", 0], ["s", sequenceMs + 1], ["s", 10])).toEqual([undefined, undefined, "session"]);
    expect(press(["g", 0], ["p", 3_600_000])).toEqual([undefined, undefined]);
  });

  test("a key that completes no sequence does nothing, and a key for the whole page always acts", () => {
    expect(press(["g", 0], ["p", 50])).toEqual([undefined, undefined]);
    expect(press(["g", 0], ["g", 50], ["s", 50])).toEqual([undefined, undefined, "session"]);
    expect(press(["g", 0], ["Escape", 50], ["s", 50])).toEqual([undefined, "stop", "session"]);
  });

  test("a sequence that was given up for something else leaves the next key alone", () => {
    const sequence = new KeySequence();
    sequence.press("g", 0, commands);
    sequence.reset();
    expect(sequence.press("s", 10, commands)?.id).toBe("session");
  });
});
