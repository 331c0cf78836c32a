/**
 * Whether a request to the model may be on its way. If the run ends then, what the request costs is not known.
 *
 * The engine sees responses and calls, but no requests. So it assumes one from the start of a turn until a response is
 * complete, and again when the last open call has its reply.
 */
export class RequestWatch {
  #isOpen = false;
  #calls = 0;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A turn begins, or continues after a pause. */
  send(): void {
    this.#isOpen = true;
  }

  /** A response is complete, or the turn is over, or it pauses. */
  receive(): void {
    this.#isOpen = false;
  }

  startCall(): void {
    this.#calls += 1;
  }

  endCall(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#isOpen = true;
  }
}
