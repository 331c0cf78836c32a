/**
 * Whether a request to the model may be in progress. If the run ends during a request, its cost is unknown.
 *
 * The engine sees responses and calls, but not requests. So it assumes one from the start of a turn until a response is complete, and again
 * when the last open call has its reply.
 */
export class RequestWatch {
  #isOpen = false;
  #isOwed = false;
  #hasEnded = false;
  #calls = 0;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a request will surely follow, and has its place in the budgets until then. */
  get isOwed(): boolean {
    return this.#isOwed;
  }

  /** A turn begins, or continues after a pause. */
  send(): void {
    if (this.#hasEnded) return;
    this.#isOpen = true;
    this.#isOwed = false;
  }

  /** A response is complete, or the turn is over. */
  receive(): void {
    this.#isOpen = false;
  }

  /** A call starts another run: a request with its result will follow. */
  owe(): void {
    this.#isOwed = true;
  }

  /** The host refused the request, and it will be sent again. */
  postpone(): void {
    this.#isOpen = false;
    this.#isOwed = true;
  }

  startCall(): void {
    this.#calls += 1;
  }

  endCall(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.send();
  }

  /** The run is over: nothing more is sent. */
  end(): void {
    this.#hasEnded = true;
    this.#isOpen = false;
    this.#isOwed = false;
  }
}
