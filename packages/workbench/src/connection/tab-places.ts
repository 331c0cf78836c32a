/** The sessions that tabs show, each with the newest event that the tab received. */
export class TabPlaces<Tab> {
  readonly #tabs = new Map<Tab, Map<string, number>>();

  set(tab: Tab, sessions: Readonly<Record<string, number>>): void {
    this.#tabs.set(tab, new Map(Object.entries(sessions)));
  }

  delete(tab: Tab): void {
    this.#tabs.delete(tab);
  }

  tabs(): readonly Tab[] {
    return [...this.#tabs.keys()];
  }

  watches(tab: Tab, session: string): boolean {
    return this.#tabs.get(tab)?.has(session) ?? false;
  }

  /** Records that all tabs were sent these events of a session. Earlier events that a tab is missing are sent later. */
  reach(session: string, first: number, last: number): void {
    for (const sessions of this.#tabs.values()) {
      const place = sessions.get(session);
      if (place !== undefined && place >= first - 1 && place < last) sessions.set(session, last);
    }
  }

  /** Removes these sessions from all tabs. */
  drop(sessions: readonly string[]): void {
    for (const watched of this.#tabs.values()) for (const id of sessions) watched.delete(id);
  }

  /** Returns every session that a tab shows, with the position of the tab that is furthest behind. */
  places(): ReadonlyMap<string, number> {
    const places = new Map<string, number>();
    for (const sessions of this.#tabs.values()) {
      for (const [id, seq] of sessions) places.set(id, Math.min(seq, places.get(id) ?? seq));
    }
    return places;
  }
}
