import { Signal } from "../connection/signal.ts";

export type PageState<Page> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly page: Page }
  | { readonly kind: "failed"; readonly attempts: number; readonly refusals: number };

/** After this many failures to load while the server responds, the server is assumed to run another version, without this code. */
const maxRefusals = 3;

export function isOutdated<Page>(state: PageState<Page>): boolean {
  return state.kind === "failed" && state.refusals >= maxRefusals;
}

/** Returns the delay in milliseconds before the code of a page is requested. The delay is short if the server responds again. */
export function loadDelay<Page>(state: PageState<Page>, isServed: boolean): number {
  if (state.kind !== "failed") return 0;
  const failures = isServed ? state.refusals : state.attempts;
  return failures === 0 ? 300 : Math.min(5000, 500 * 2 ** failures);
}

/** The code of a page. It is loaded when the page is first opened, and again after a failure. */
export class PageModule<Page> {
  readonly state: Signal<PageState<Page>> = new Signal<PageState<Page>>({ kind: "loading" });
  readonly #load: () => Promise<Page>;
  #isLoading = false;
  #attempts = 0;
  /** Consecutive failures while the server was responding. */
  #refusals = 0;

  constructor(load: () => Promise<Page>) {
    this.#load = load;
  }

  /** `isServed`: whether the server responds to other requests. */
  async load(isServed: boolean): Promise<void> {
    if (this.#isLoading || this.state.get().kind === "ready") return;
    this.#isLoading = true;
    try {
      this.state.set({ kind: "ready", page: await this.#load() });
    } catch {
      this.#attempts += 1;
      this.#refusals = isServed ? this.#refusals + 1 : 0;
      this.state.set({ kind: "failed", attempts: this.#attempts, refusals: this.#refusals });
    }
    this.#isLoading = false;
  }
}
