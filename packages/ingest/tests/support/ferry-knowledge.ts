/** The names in the warehouse that the planted facts are about. */
import { KnownNames, type NamedTable } from "../../src/claims/gates/known-names.ts";
import type { IngestKnowledge } from "../../src/runs/ingest-options.ts";

const table = (name: string, columns: string): NamedTable => ({
  id: `ferry.main.${name}`,
  connection: "ferry",
  schema: "main",
  table: name,
  columns: columns.split(" "),
});

/** The names in the warehouse that the planted facts are about. */
const ferryNames = [
  table("bookings", "id sailing_id passenger_id amount_cents status booked_at"),
  table("sailings", "id vessel_id departs_at status"),
  table("vessels", "id name hull_no capacity"),
  table("passengers", "id country signed_up_at"),
];

export const ferryKnowledge: IngestKnowledge = {
  names: () => new KnownNames({ tables: ferryNames }),
  contextTools: [],
};
