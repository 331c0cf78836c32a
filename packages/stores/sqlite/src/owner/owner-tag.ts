/** Writes and checks the mark in an event log that identifies its owner. Only the owner's key can make this mark. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { formatVersion } from "@bridle/core";
import { ownerFormat } from "../files/schema.ts";

/** Computes the authentication code of a string. Codes for different values of `purpose` are not interchangeable. */
export function tagOf(key: Uint8Array, purpose: "event log" | "seal", text: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([purpose, text]))
    .digest("hex");
}

export function isSameTag(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Marks the event log, and replaces an earlier mark. Call it in a transaction. */
export function writeTag(database: DatabaseSync, key: Uint8Array): void {
  const id = randomBytes(16).toString("hex");
  database.exec("DELETE FROM owner");
  database.prepare("INSERT INTO owner (id, tag) VALUES (?, ?)").run(id, tagOf(key, "event log", id));
}

/** Whether the event log has the mark of this key. */
export function hasTag(database: DatabaseSync, key: Uint8Array): boolean {
  if (formatVersion(database) < ownerFormat) return false;
  const row = database.prepare("SELECT id, tag FROM owner").get();
  return row !== undefined && isSameTag(String(row.tag), tagOf(key, "event log", String(row.id)));
}
