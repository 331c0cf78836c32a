/**
 * Tracks whether a request to the model may be in progress. If the run ends during a request, the cost of the request is unknown.
 *
 * The engine sees responses and calls, but not requests. It assumes that a request is in progress from the start of a turn until a response
 * is complete, and again when the last open call has its reply.
 */
export class RequestWatch {
  #isOpen = false;
  #isOwed = false;
  #hasEnded = false;
  #calls = 0;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether a request will certainly follow. Until then, a step of the budgets is reserved for it. */
  get isOwed(): boolean {
    return this.#isOwed;
  }

  /** Notes that a turn begins, or continues after a pause. */
  send(): void {
    if (this.#hasEnded) return;
    this.#isOpen = true;
    this.#isOwed = false;
  }

  /** Notes that a response is complete, or that the turn is over. */
  receive(): void {
    this.#isOpen = false;
  }

  /** Notes that a call starts another run, so that a request with the call's result will follow. */
  owe(): void {
    this.#isOwed = true;
  }

  /** Notes that the host refused the request, which will be sent again. */
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

  /** Notes that the run is over, so that nothing more is sent. */
  end(): void {
    this.#hasEnded = true;
    this.#isOpen = false;
    this.#isOwed = false;
  }
}
