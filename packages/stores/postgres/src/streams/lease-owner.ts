import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { LogDatabase } from "../database/log-database.ts";

/**
 * Whether the owner in the row `o` is alive, by the server's clock. After a server restart, an owner has the duration of one lease to renew
 * its row, because it could not renew the row while the server was down.
 */
const isAlive = `greatest(o.expires_at, pg_postmaster_start_time() + o.lease_ms * interval '1 millisecond') > clock_timestamp()`;

/** Whether the owner with the token in `column` is alive. */
export function ownerIsAlive(column: string): string {
  return `EXISTS (SELECT 1 FROM owners o WHERE o.token = ${column} AND ${isAlive})`;
}

/** One open event log of one process. The owner is alive until `leave`, as long as it renews its row. */
export class LeaseOwner {
  readonly token: string = randomUUID();
  /** A description of the owner that is readable on any machine. */
  readonly holder: string = `the process ${process.pid} on ${hostname()}`;
  readonly #database: LogDatabase;
  readonly #leaseMs: number;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;

  constructor(database: LogDatabase, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Adds this owner's row and renews it regularly. Also removes rows that expired long ago, because an owner without a row is dead too. */
  async enter(afterRenewal: () => Promise<void>): Promise<void> {
    await this.#database.write(async (send) => {
      await send("DELETE FROM owners WHERE expires_at < clock_timestamp() - interval '1 day'");
    });
    await this.#renew();
    this.#timer = setInterval(() => {
      this.#renewing ??= this.#renewQuietly(afterRenewal);
    }, this.#leaseMs / 3);
    this.#timer.unref();
  }

  /** Removes this owner's row, so that others can take its streams at once. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing; // a renewal would add the row again
    await this.#database.write(async (send) => {
      await send("DELETE FROM owners WHERE token = $1", [this.token]);
    });
  }

  /** Renews the row. Never rejects: the next renewal tries again. */
  async #renewQuietly(afterRenewal: () => Promise<void>): Promise<void> {
    await Promise.allSettled([this.#renew().then(afterRenewal)]);
    this.#renewing = undefined;
  }

  async #renew(): Promise<void> {
    await this.#database.write(async (send) => {
      await send(
        `INSERT INTO owners (token, lease_ms, expires_at)
         VALUES ($1, $2, clock_timestamp() + $2::integer * interval '1 millisecond')
         ON CONFLICT (token) DO UPDATE SET expires_at = excluded.expires_at`,
        [this.token, this.#leaseMs],
      );
    });
  }
}
