import { useEffect, useState } from "react";

/** Which entries are open: those that were opened here, and the one that the address names. */
export function useOpenEntries(): readonly [ReadonlySet<number>, (seq: number, isOpen: boolean) => void] {
  const [open, setOpen] = useState<ReadonlySet<number>>(() => {
    const named = Number(new URLSearchParams(location.search).get("open"));
    return new Set(named > 0 ? [named] : []);
  });
  useEffect(() => {
    const newest = [...open].at(-1);
    const address = newest === undefined ? location.pathname : `${location.pathname}?open=${newest}`;
    history.replaceState(history.state, "", address);
  }, [open]);
  const change = (seq: number, isOpen: boolean) =>
    setOpen((before) => new Set(isOpen ? [...before, seq] : [...before].filter((each) => each !== seq)));
  return [open, change];
}
