import { useState } from "react";

/** Returns which entries are expanded. */
export function useOpenEntries(): readonly [ReadonlySet<number>, (seq: number, isOpen: boolean) => void] {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const change = (seq: number, isOpen: boolean) =>
    setOpen((before) => new Set(isOpen ? [...before, seq] : [...before].filter((each) => each !== seq)));
  return [open, change];
}
