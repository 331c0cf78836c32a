/** The tools of the agents that the front desk calls. They use two files, and keep new visits in memory; replace them with your own database. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool } from "bridle";
import { z } from "zod";

const repairsFile = join(import.meta.dirname, "repairs.json");
const visitsFile = join(import.meta.dirname, "visits.json");

const repairSchema = z.object({ id: z.string(), item: z.string(), state: z.string(), day: z.string() });
const visitSchema = z.object({ repair: z.string(), day: z.string() });

const id = z.string().describe("the number of the repair, such as R-1001");

export const lookupRepair = defineTool({
  name: "lookup_repair",
  description: "Find one repair by its number: the item, its state, and the day of the last change.",
  input: z.object({ id }),
  annotations: { readOnly: true },
  async execute({ id }) {
    const repair = await findRepair(id);
    return { markdown: JSON.stringify(repair), structured: repair };
  },
});

export const bookVisit = defineTool({
  name: "book_visit",
  description: "Book a visit of a customer who collects a repair.",
  input: z.object({ repair: id, day: z.iso.date().describe("the day, such as 2026-03-09") }),
  annotations: { openWorld: false },
  // The preview that a person sees before the decision.
  async preview({ repair, day }) {
    const { item } = await findRepair(repair);
    return `+ ${day}: ${item} (${repair}) is collected`;
  },
  async execute({ repair, day }) {
    const { item } = await findRepair(repair);
    const visits = openVisits();
    const booked = visits.find((visit) => visit.repair === repair);
    if (booked) throw new Error(`${item} (${repair}) has a visit on ${booked.day}.`);
    visits.push({ repair, day });
    return `A visit on ${day} was booked for ${item} (${repair}).`;
  },
});

async function findRepair(id: string) {
  const repairs = z.array(repairSchema).parse(JSON.parse(await readFile(repairsFile, "utf8")));
  const repair = repairs.find((each) => each.id === id.toUpperCase());
  if (!repair) throw new Error(`There is no repair ${id}. Ask for the number on the receipt, such as R-1001.`);
  return repair;
}

let visits: z.output<typeof visitSchema>[] | undefined;

/** New visits are only in this copy, so that a rehearsal or a test begins with the same visits each time. */
function openVisits() {
  visits ??= z.array(visitSchema).parse(JSON.parse(readFileSync(visitsFile, "utf8")));
  return visits;
}
